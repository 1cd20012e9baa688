"""From a row and a mapping to a finished example: the one function behind preview and training.

What a person says yes to is what is trained, because both the preview and the file that the worker
reads come from `build_example`. A row that cannot be used comes back with its reason instead. Pure;
called by `preview`, `mapped` and `shapes`.
"""

from collections.abc import Mapping as Lookup
from collections.abc import Sequence
from typing import Literal

from tailor.engine.data.column_names import ASKING_WORDS, rank_name
from tailor.engine.data.turns import NotTeachableError, check_turns, read_turns
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.estimator.record import record
from tailor.recipes.spec import Message

_PARTS = ("question", "answer", "context", "system", "messages", "text")
_NEEDED = {
    "question_answer": (("question", "question"), ("answer", "answer")),
    "chat": (("messages", "conversation"),),
    "text": (("text", "text"),),
}


@record
class Example:
    """A finished example, or why the row cannot be one."""

    messages: tuple[Message, ...] = ()
    text: str = ""
    """Raw text, or the piece that fills the gap between `before` and `after`."""
    rejected: tuple[str, ...] = ()
    """Worse answers than the last turn, best of them first."""
    rating: Literal["good", "bad", ""] = ""
    tools: str = ""
    """JSON list of the tools that may be called; empty without."""
    pictures: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    left_out: str = ""
    """Completes "left out because ..."; empty for a good example."""


def check_mapping(mapping: Mapping, columns: Sequence[str]) -> None:
    """Raise when the mapping cannot be used with these columns."""
    for part, word in _NEEDED[mapping.shape]:
        if not getattr(mapping, part):
            raise UserError(
                title=f"No column is chosen for the {word}",
                detail=f"The table has {_listed(columns)}. "
                f"Without the {word} nothing can be learned.",
                fix=f"Choose the column that holds the {word}.",
            )
    for part in _PARTS:
        name = getattr(mapping, part)
        if name and name not in columns:
            raise UserError(
                title="This column is not in your table",
                detail=f"“{name[:80]}” was asked for; the table has {_listed(columns)}.",
                fix="Choose one of its columns.",
            )
    if mapping.shape == "question_answer" and mapping.question == mapping.answer:
        raise UserError(
            title="Question and answer are the same column",
            detail=f"Both are “{mapping.answer[:80]}”, so there would be nothing to learn.",
            fix="Choose another column for the answer.",
        )


def build_example(mapping: Mapping, cells: Lookup[str, str]) -> Example:
    """The example that a row makes. `cells` are by column name."""
    if mapping.shape == "text":
        text = cells[mapping.text]
        return Example(text=text) if text.strip() else Example(left_out="the text is empty")
    try:
        turns = _chat(mapping, cells) if mapping.shape == "chat" else _pair(mapping, cells)
    except NotTeachableError as reason:
        return Example(left_out=str(reason))
    return Example(messages=turns)


def _pair(mapping: Mapping, cells: Lookup[str, str]) -> tuple[Message, ...]:
    answer = cells[mapping.answer]
    if not answer.strip():
        raise NotTeachableError("the answer is empty")
    context = cells[mapping.context] if mapping.context else ""
    if not cells[mapping.question].strip() and not (context.strip() and _asks(mapping.context)):
        raise NotTeachableError("the question is empty")
    asked = "\n\n".join(part for part in (context, cells[mapping.question]) if part.strip())
    return (
        *_standing(mapping, cells, ""),
        Message(role="user", content=asked),
        Message(role="assistant", content=answer),
    )


def _asks(column: str) -> bool:
    """Whether the column in front of the question asks by itself, as Alpaca's "instruction" does.

    Its "input" is empty in most rows, and then the instruction alone is the question. A passage
    without a question is no example.
    """
    return rank_name(column, ASKING_WORDS) > 0


def _chat(mapping: Mapping, cells: Lookup[str, str]) -> tuple[Message, ...]:
    turns = read_turns(cells[mapping.messages])
    own = turns[0].content if turns[0].role == "system" else ""
    rest = turns[1:] if own or turns[0].role == "system" else turns
    return check_turns((*_standing(mapping, cells, own), *rest))


def _standing(mapping: Mapping, cells: Lookup[str, str], own: str) -> tuple[Message, ...]:
    """The standing instructions: typed for all rows, then the row's column, then its own."""
    column = cells[mapping.system] if mapping.system else ""
    parts = [part for part in (mapping.instruction, column, own) if part.strip()]
    return (Message(role="system", content="\n\n".join(parts)),) if parts else ()


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(f"“{name[:40]}”" for name in columns[:12])
    return shown + (f" and {len(columns) - 12} more" if len(columns) > 12 else "")
