"""The list to continue from: every project with one sentence and one next action.

A draft that has a run is shown as that run; runs from the command line stand beside. Newest first.
"""

from tailor.engine.types import FINAL, Draft, RunRecord
from tailor.estimator.record import record
from tailor.ui.text import HomeText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.quantities import bytes_words, duration_words
from tailor.ui.views.step_rail import PLAN, RUN, USE_IT

JUST_NOW_SECONDS = 90


@record
class Project:
    """One line of the list."""

    title: str
    sentence: str
    action: str
    address: str
    at: float
    draft_id: str = ""
    """Set when it can be removed from the list."""
    run_id: str = ""
    """Set when it is a run that has ended, which can be deleted."""
    is_live: bool = False


def list_projects(drafts: tuple[Draft, ...], runs: tuple[RunRecord, ...]) -> tuple[Project, ...]:
    """Drafts and runs as one list."""
    by_id = {run.id: run for run in runs}
    with_run = {draft.run_id: draft for draft in drafts if draft.run_id in by_id}
    lines = [_of_run(run, with_run.get(run.id)) for run in runs]
    lines += [_of_draft(draft) for draft in drafts if draft.run_id not in by_id]
    return tuple(sorted(lines, key=lambda line: line.at, reverse=True))


def project_list(
    projects: tuple[Project, ...], *, now: float, asking: str = "", frees_bytes: int = 0
) -> Html:
    """The list; `asking` is the draft or run whose end waits for a yes, which frees so much."""
    if not projects:
        return element("p", HomeText.CONTINUE_EMPTY, class_="empty-place")
    lines = each(
        _question(one, frees_bytes)
        if asking and asking in (one.draft_id, one.run_id)
        else _line(one, now)
        for one in projects
    )
    return element("ul", lines, class_="projects", aria_label=HomeText.PROJECTS_LABEL)


def _of_draft(draft: Draft) -> Project:
    step = min(draft.step, PLAN)
    return Project(
        title=draft.title or draft.wish or HomeText.UNTITLED,
        sentence=HomeText.DRAFT_SENTENCES[step],
        action=HomeText.DRAFT_ACTIONS[step],
        address=f"/project?draft={draft.id}&step={step}",
        at=draft.updated_at,
        draft_id=draft.id,
    )


def _of_run(run: RunRecord, draft: Draft | None) -> Project:
    address = f"/project?run={run.id}"
    if run.status == "succeeded":
        action, address = HomeText.RUN_RESULTS, f"{address}&step={RUN + 1}"
    else:
        action = HomeText.RUN_LOOK if run.status in FINAL else HomeText.RUN_WATCH
    touched = max(run.ended_at or 0, run.started_at or 0, run.created_at)
    title = (draft.title if draft else "") or run.title or HomeText.UNTITLED
    return Project(
        title=title,
        sentence=run.reason,
        action=action,
        address=address,
        at=max(touched, draft.updated_at if draft and draft.step == USE_IT else 0),
        run_id=run.id if run.status in FINAL else "",
        is_live=run.status not in FINAL,
    )


def _question(one: Project, frees_bytes: int) -> Html:
    if one.run_id:
        words = HomeText.DELETE_ASK.format(title=one.title, size=bytes_words(frees_bytes))
        yes = _button(HomeText.DELETE_YES, f"delete {one.run_id}")
    else:
        words = HomeText.REMOVE_ASK.format(title=one.title)
        yes = _button(HomeText.REMOVE_YES, f"remove {one.draft_id}")
    return element(
        "li",
        element("p", words, role="status"),
        element("div", yes, _button(HomeText.REMOVE_NO, "keep"), class_="project-actions"),
        class_="asking",
    )


def _line(one: Project, now: float) -> Html:
    return element(
        "li",
        element(
            "div",
            element("h3", element("a", one.title, href=one.address)),
            element("p", one.sentence, class_="small quiet"),
        ),
        element(
            "div",
            element("span", _when(one.at, now), class_="small quiet nowrap"),
            _ask(one) if one.draft_id or one.run_id else None,
            element("a", one.action, href=one.address, class_="own-button small-button"),
            class_="project-actions",
        ),
        class_="live" if one.is_live else None,
    )


def _ask(one: Project) -> Html:
    label = HomeText.DELETE_LABEL if one.run_id else HomeText.REMOVE_LABEL
    return element(
        "button",
        HomeText.DELETE if one.run_id else HomeText.REMOVE,
        type="button",
        class_="link-button quiet-link",
        data_send=f"ask {one.run_id or one.draft_id}",
        aria_label=label.format(title=one.title),
    )


def _button(words: str, word: str) -> Html:
    return element("button", words, type="button", class_="link-button", data_send=word)


def _when(at: float, now: float) -> str:
    if now - at < JUST_NOW_SECONDS:
        return HomeText.JUST_NOW
    return HomeText.AGO.format(time=duration_words(now - at))
