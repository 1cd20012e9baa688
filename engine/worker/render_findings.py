"""What a person should know about the rows before a model learns from them.

The faults that ruin a training without a sound: answers that are cut away, and an end token that is
not learned, after which the model never stops talking. The render child asks for these findings;
the Check screen shows them. `end_findings` tells about the end token.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.worker.end_findings import find_end_problems
from tailor.engine.worker.named_rows import name_rows, shown_ids, these_rows
from tailor.engine.worker.row_count import RowCount
from tailor.engine.worker.template import PLAIN_TEMPLATE
from tailor.estimator.record import record
from tailor.recipes.limit_choices import LimitChoice
from tailor.recipes.spec import ModelSpec

LITTLE_LEARNED_SHARE = 0.02
MUCH_TEMPLATE_SHARE = 0.2
ENGLISH_CHARACTERS = 4
GIB = 2**30
LONG_ROWS = "long_rows"
"""Id of the check: the Check screen leaves these rows out with a click."""


@record
class Rendered:
    """All that the findings are made of."""

    counts: tuple[RowCount, ...]
    """Rows that the model can read, of both sides."""
    refusals: tuple[tuple[int, UserError], ...]
    """Rows that it cannot read, and why."""
    bad_rows: int
    """Rows that are not learned because their answer was rated bad."""
    better_rows: int
    """Rows with several answers, of which the best is learned."""
    limit: int
    limits: tuple[LimitChoice, ...]
    characters_per_token: float
    poor_below: float
    """Characters a token below which the tokenizer does not suit the language."""


def find_problems(rendered: Rendered, model: ModelSpec, tokenizer: Any) -> tuple[Finding, ...]:
    """All findings, the ones that stop a run first."""
    counts = rendered.counts
    found = [
        *_refused(rendered.refusals, model),
        *_nothing_learned(counts),
        *find_end_problems(counts, model, tokenizer),
        *_too_long(rendered),
        *_marks_inside(counts),
        *_little_learned(counts),
        *_much_template(counts),
        *_strange_language(rendered, model),
        *_not_imitated(rendered),
    ]
    if tokenizer.chat_template == PLAIN_TEMPLATE:
        found.append(
            Finding(
                level="note",
                title="This model was not made for conversations",
                detail="It brings no template of its own, so your rows are written plainly as "
                "Question and Answer.",
                fix="Nothing to do. The finished model keeps this form, also for other programs.",
            )
        )
    return tuple(sorted(found, key=lambda finding: ("stop", "warn", "note").index(finding.level)))


def _refused(refusals: Sequence[tuple[int, UserError]], model: ModelSpec) -> list[Finding]:
    """One finding a reason, the most frequent first."""
    reasons = Counter((error.title, error.detail, error.fix) for _, error in refusals)
    found = []
    for (title, detail, fix), rows in reasons.most_common():
        ids = [
            row_id for row_id, error in refusals if (error.title, error.detail) == (title, detail)
        ]
        found.append(
            Finding(
                level="stop",
                title=title.replace("This model", model.name, 1),
                detail=f"{detail} This concerns {these_rows(rows)}.",
                fix=fix,
                where=name_rows(ids),
                count=rows,
                row_ids=shown_ids(ids),
            )
        )
    return found


def _nothing_learned(counts: Sequence[RowCount]) -> list[Finding]:
    empty = [count.id for count in counts if not count.has_answer]
    if not empty:
        return []
    return [
        Finding(
            level="stop",
            title=f"{_rows(len(empty))} without an answer",
            detail="The model learns answers only, so there is nothing to learn from these rows.",
            fix="Go back to Data: fill the answers in, leave the rows out, or choose the column "
            "that holds the answers.",
            where=name_rows(empty),
            count=len(empty),
            row_ids=shown_ids(empty),
        )
    ]


def _too_long(rendered: Rendered) -> list[Finding]:
    limit = rendered.limit
    train = [one for one in rendered.counts if one.split == "train" and one.has_answer]
    lost = [one.id for one in train if one.learned_tokens == 0]
    cut = [one.id for one in train if one.is_cut and one.learned_tokens]
    read = f"At most {limit:,} tokens are read of a row, and"
    halves = "Halves of answers are not learned."
    if train and len(lost) == len(train):
        words = f"{read} no answer is whole before that. {halves}"
        return [_long_rows("stop", "Every row is too long", words, lost, rendered)]
    found = []
    if lost:
        words = f"{read} their answers are not whole before that. {halves}"
        found.append(_long_rows("warn", f"{_rows(len(lost))} left out", words, lost, rendered))
    if cut:
        words = (
            f"They are longer than {limit:,} tokens. What is behind that is not read and not "
            "learned; the answers before it are."
        )
        found.append(_long_rows("warn", f"{_rows(len(cut))} cut", words, cut, rendered))
    return found


def _long_rows(
    level: Literal["stop", "warn"],
    title: str,
    detail: str,
    ids: Sequence[int],
    rendered: Rendered,
) -> Finding:
    return Finding(
        level=level,
        title=title,
        detail=detail,
        fix=f"{_raise_words(rendered) or 'Choose a model that reads more'}, or shorten or split "
        "these rows.",
        where=name_rows(ids),
        check=LONG_ROWS,
        count=len(ids),
        row_ids=shown_ids(ids),
    )


def _raise_words(rendered: Rendered) -> str:
    """The next step that cuts fewer rows, with its price; empty when there is none."""
    limit = rendered.limit
    here = next((one for one in rendered.limits if one.tokens >= limit), None)
    longer = sum(one.tokens > limit for one in rendered.counts if one.split == "train")
    better = [one for one in rendered.limits if one.tokens > limit and one.cut_rows < longer]
    if not better:
        return ""
    step = better[-1]
    more = step.memory_high_bytes - here.memory_high_bytes if here else 0
    price = f"up to {more / GIB:.1f} GB more memory" if more > 0.05 * GIB else "hardly any memory"
    left = f"{step.cut_rows:,} rows are then longer" if step.cut_rows else "nothing is then cut"
    return f"Raise the limit to {step.tokens:,} tokens ({left}; it costs {price})"


def _marks_inside(counts: Sequence[RowCount]) -> list[Finding]:
    marked = [count.id for count in counts if count.has_marks]
    if not marked:
        return []
    return [
        Finding(
            level="warn",
            title=f"{len(marked):,} {'row holds' if len(marked) == 1 else 'rows hold'} marks of "
            "the model itself",
            detail="Their text has spellings that this model reads as a command, such as the end "
            "of an answer.",
            fix="Look at these rows. If they are left-overs of another program, remove the marks.",
            where=name_rows(marked),
            count=len(marked),
            row_ids=shown_ids(marked),
            effect="The model would learn to stop or to change the speaker in the middle.",
        )
    ]


def _little_learned(counts: Sequence[RowCount]) -> list[Finding]:
    read = sum(count.read_tokens for count in counts)
    learned = sum(count.learned_tokens for count in counts)
    if not learned or learned / read >= LITTLE_LEARNED_SHARE:
        return []
    return [
        Finding(
            level="warn",
            title="The model would mostly read and hardly learn",
            detail=f"Only {100 * learned / read:.1f} % of the tokens are answers.",
            fix="Check that the answer column is the right one, or shorten the text before it.",
        )
    ]


def _much_template(counts: Sequence[RowCount]) -> list[Finding]:
    """Only where it decides something: short rows are mostly template, and cost nothing."""
    tokens = sum(count.tokens for count in counts)
    template = sum(count.template_tokens for count in counts)
    is_long = any(count.is_cut for count in counts)
    if not is_long or template / tokens <= MUCH_TEMPLATE_SHARE:
        return []
    return [
        Finding(
            level="note",
            title="Much of each row is the model's own template",
            detail=f"{100 * template / tokens:.0f} % of the tokens only mark who speaks, and rows "
            "are being cut.",
            fix="A higher limit, or several questions in one conversation, uses it better.",
        )
    ]


def _strange_language(rendered: Rendered, model: ModelSpec) -> list[Finding]:
    held = rendered.characters_per_token
    if not 0 < held < rendered.poor_below:
        return []
    return [
        Finding(
            level="note",
            title=f"{model.name} reads your language in small pieces",
            detail=f"A token holds {held:.1f} characters of your text; of English it holds about "
            f"{ENGLISH_CHARACTERS}.",
            fix="A model made for your language is faster and better at it. Frequent words can "
            "become tokens of their own below.",
            effect="Rows are longer than they look, training takes longer, and the model spells "
            "where it should know words.",
        )
    ]


def _not_imitated(rendered: Rendered) -> list[Finding]:
    found = []
    if rendered.bad_rows:
        found.append(
            Finding(
                level="note",
                title=f"{_rows(rendered.bad_rows)} not learned",
                detail="Their answers were rated bad. This way of learning imitates answers, so "
                "it leaves them out.",
                fix="Nothing to do.",
                count=rendered.bad_rows,
            )
        )
    if rendered.better_rows:
        found.append(
            Finding(
                level="note",
                title="Only the better answers are learned",
                detail=f"{these_rows(rendered.better_rows).capitalize()} have a better and a worse "
                "answer. This way of learning imitates the better one and never sees the other.",
                fix="Nothing to do.",
                count=rendered.better_rows,
            )
        )
    return found


def _rows(count: int) -> str:
    return "1 row is" if count == 1 else f"{count:,} rows are"
