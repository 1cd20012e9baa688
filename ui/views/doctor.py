"""What the checks noticed, with what can be done about each: repair, leave it, undo a repair.

Most serious first, in words and signs and not by colour alone. A finding that was left as it is
moves into a fold and stops nothing any more.
"""

from tailor.engine.data_types import DatasetRecord, Operation
from tailor.engine.findings import Finding, Fix
from tailor.ui.text_check import CheckText
from tailor.ui.views.findings import LEVELS, SIGNS, TONES, findings_list
from tailor.ui.views.html import NOTHING, Html, each, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import count_words

PERSONAL_DATA = "personal_data"
VALUE = "value"
"""Name of the field that a fix asks for."""
VALUE_CHARACTERS = 2_000


def doctor(dataset: DatasetRecord, findings: tuple[Finding, ...]) -> Html:
    """Findings by level, repairs so far, checks on request."""
    open_ones = tuple(one for one in findings if not one.is_skipped)
    # Only what the rows' own checks found can be left: what a model cannot read stays unreadable.
    own = frozenset(one.check for one in dataset.findings if one.check)
    groups = each(
        _group(level, tuple(one for one in open_ones if one.level == level), own)
        for level in LEVELS
    )
    body = groups if open_ones else findings_list((), none=CheckText.FINDINGS_NONE)
    return element(
        "section",
        element("h2", CheckText.FINDINGS),
        body,
        _skipped(tuple(one for one in findings if one.is_skipped)),
        _done(dataset.operations),
        _requests(dataset),
        class_="stack doctor",
    )


def _group(level: str, findings: tuple[Finding, ...], own: frozenset[str]) -> Html:
    if not findings:
        return NOTHING
    title = CheckText.LEVEL_COUNT.format(level=CheckText.LEVELS[level], count=len(findings))
    return element(
        "div",
        element("h3", title, class_=f"level-title {TONES[level]}"),
        each(_finding(one, number, own) for number, one in enumerate(findings)),
        class_="stack",
    )


def _finding(finding: Finding, number: int, own: frozenset[str]) -> Html:
    name = f"{finding.level}-{finding.check or number}"
    head = element(
        "div",
        element("p", finding.title, class_="card-title"),
        None if _names_count(finding) else element("span", _rows(finding.count), class_="chip"),
        class_="finding-head",
    )
    effect = CheckText.EFFECT.format(effect=finding.effect) if finding.effect else finding.fix
    return element(
        "article",
        icon(SIGNS[finding.level]),
        element(
            "div",
            head,
            element("p", effect, class_="fix") if effect else None,
            _examples(finding),
            _details(finding, name),
            _actions(finding, name) if finding.check in own else None,
        ),
        class_=f"notice {TONES[finding.level]}",
        aria_label=finding.title,
    )


def _names_count(finding: Finding) -> bool:
    """Whether there is nothing to count, or the title says it already."""
    return finding.count == 0 or count_words(finding.count) in finding.title.split()


def _rows(count: int) -> str:
    if count == 1:
        return CheckText.FINDING_ROW
    return CheckText.FINDING_ROWS.format(count=count_words(count))


def _examples(finding: Finding) -> Html | None:
    if not finding.examples:
        return None
    lines = each(element("li", one) for one in finding.examples)
    return element("ul", lines, class_="finding-examples", aria_label=CheckText.EXAMPLES)


def _details(finding: Finding, name: str) -> Html | None:
    words = [finding.detail, finding.fix if finding.effect else "", finding.where]
    told = each(element("p", one, class_="small quiet") for one in words if one)
    if not told:
        return None
    summary = element("summary", CheckText.FINDING_MORE)
    return element("details", summary, told, class_="more", id=f"details-{name}")


def _actions(finding: Finding, name: str) -> Html:
    skip = element(
        "button", CheckText.SKIP, type="button", class_="quiet-link skip", id=f"skip-{name}",
        data_send=f"skip:{finding.check}",
        aria_label=CheckText.SKIP_LABEL.format(title=finding.title),
    )  # fmt: skip
    # The suggested way first: it is what most people want.
    fixes = sorted(finding.fixes, key=lambda fix: not fix.is_suggested)
    return element(
        "div", each(_fix(one, finding.check) for one in fixes), skip, class_="finding-actions"
    )


def _fix(fix: Fix, check: str) -> Html:
    name = f"fix-{check}-{fix.id}"
    button = element(
        "button", fix.label, type="submit", data_send=f"fix:{check}:{fix.id}", id=name,
        title=fix.words, class_="own-button small-button" + (" first" * fix.is_suggested),
    )  # fmt: skip
    if not fix.asks:
        words = element("p", fix.words, class_="small quiet")
        return element("form", button, words, id=f"{name}-form", class_="fix-form")
    asked = element(
        "input", type="text", id=f"{name}-value", name=VALUE, required=True, class_="entry-field",
        maxlength=VALUE_CHARACTERS, autocomplete="off",
    )  # fmt: skip
    return element(
        "form",
        element("label", fix.asks, for_=f"{name}-value", class_="field-label"),
        element("div", asked, button, class_="one-row"),
        element("p", fix.words, class_="small quiet"),
        id=f"{name}-form",
        class_="fix-form asks",
    )


def _skipped(findings: tuple[Finding, ...]) -> Html | None:
    if not findings:
        return None
    lines = each(
        element(
            "li",
            element("span", one.title),
            element(
                "button", CheckText.LOOK_AGAIN, type="button", class_="link-button",
                data_send=f"look:{one.check}",
                aria_label=CheckText.LOOK_AGAIN_LABEL.format(title=one.title),
            ),
        )
        for one in findings
    )  # fmt: skip
    return element(
        "details",
        element("summary", CheckText.SKIPPED.format(count=len(findings))),
        element("ul", lines, class_="done-list"),
        class_="more",
        id="skipped",
    )


def _done(operations: tuple[Operation, ...]) -> Html | None:
    """Newest first, as only the newest can be taken back."""
    if not operations:
        return None
    lines = each(
        element("li", element("span", one.words), _undo(one) if number == 0 else None)
        for number, one in enumerate(reversed(operations))
    )
    return element(
        "div",
        element("h3", CheckText.DONE),
        element("ol", lines, class_="done-list", reversed=True),
        element("p", CheckText.DONE_WHY, class_="small quiet"),
        class_="stack done",
    )


def _undo(operation: Operation) -> Html:
    return element(
        "button", icon("undo"), CheckText.UNDO, type="button", data_send="undo", id="undo",
        class_="own-button small-button",
        aria_label=CheckText.UNDO_LABEL.format(words=operation.words),
    )  # fmt: skip


def _requests(dataset: DatasetRecord) -> Html:
    if PERSONAL_DATA in dataset.extra_checks:
        return element("p", CheckText.PERSONAL_DONE, class_="small quiet")
    button = element(
        "button", CheckText.PERSONAL, type="button", class_="own-button small-button",
        data_send=f"request:{PERSONAL_DATA}", id="request-personal",
    )  # fmt: skip
    words = element("p", CheckText.PERSONAL_WORDS, class_="small quiet")
    return element("div", join(words, button), class_="request", aria_label=CheckText.REQUESTS)
