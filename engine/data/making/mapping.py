"""From a row and a mapping to a finished example: the one function behind preview and training.

What a person says yes to is what is trained, because both the preview and the file that the worker
reads come from `build_example`. A row that cannot be used comes back with its reason instead. Pure;
called by `examples` for every row and by `shapes` to try a guess.
"""

from collections.abc import Callable, Sequence
from collections.abc import Mapping as Lookup

from tailor.engine.data.making.asking import Cells
from tailor.engine.data.making.chat import make_chat
from tailor.engine.data.making.example import Example, NotTeachableError
from tailor.engine.data.making.pair import make_pair
from tailor.engine.data.making.plain import make_middle, make_text
from tailor.engine.data.making.preference import make_preference
from tailor.engine.data.making.thread_cells import NOT_TOLD
from tailor.engine.data.making.thumbs import make_thumbs
from tailor.engine.data_types import Mapping, Shape
from tailor.engine.errors import UserError

__all__ = ["Example", "build_example", "check_mapping", "columns_of"]

_MAKERS: Lookup[Shape, Callable[[Mapping, Cells], Example]] = {
    "chat": make_chat,
    "question_answer": make_pair,
    "classes": make_pair,
    "preference": make_preference,
    "thumbs": make_thumbs,
    "text": make_text,
    "middle": make_middle,
}
_COLUMN_PARTS = (
    "question", "answer", "context", "system", "messages", "text", "history", "chosen", "rejected",
    "ranked", "rating", "tools", "pictures", "before", "after", "group", "thread", "parent",
    "speaker", "order",
)  # fmt: skip
_NEEDED: Lookup[Shape, tuple[tuple[str, str], ...]] = {
    "chat": (("messages", "conversation"),),
    "question_answer": (("question", "question"), ("answer", "answer")),
    "classes": (("question", "text"), ("answer", "class")),
    "preference": (("chosen", "better answer"), ("rejected", "worse answer")),
    "thumbs": (("question", "question"), ("answer", "answer"), ("rating", "rating")),
    "text": (("text", "text"),),
    "middle": (("before", "part before the gap"), ("answer", "piece that fills the gap")),
}
_APART: Lookup[Shape, tuple[tuple[str, str, str, str], ...]] = {
    "question_answer": (("question", "question", "answer", "answer"),),
    "classes": (("question", "text", "answer", "class"),),
    "preference": (("chosen", "better answer", "rejected", "worse answer"),),
    "thumbs": (
        ("answer", "answer", "rating", "rating"),
        ("question", "question", "answer", "answer"),
    ),
    "middle": (
        ("before", "part before the gap", "answer", "piece that fills it"),
        ("after", "part behind the gap", "answer", "piece that fills it"),
        ("before", "part before the gap", "after", "part behind it"),
    ),
    "chat": (("speaker", "speaker", "text", "text"),),
    "text": (),
}
"""Pairs of parts that cannot be one column, each with its word."""


def build_example(mapping: Mapping, cells: Cells) -> Example:
    """The example that a row makes. `cells` are by column name."""
    if reason := cells.get(NOT_TOLD, ""):
        return Example(left_out=reason)
    try:
        return _MAKERS[mapping.shape](mapping, cells)
    except NotTeachableError as reason:
        return Example(left_out=str(reason))
    except RecursionError:
        return Example(left_out="it is nested too deeply")


def columns_of(mapping: Mapping) -> dict[str, str]:
    """Part and column of everything that the mapping takes from the table."""
    parts = {part: getattr(mapping, part) for part in _COLUMN_PARTS}
    return {part: column for part, column in parts.items() if column}


def check_mapping(mapping: Mapping, columns: Sequence[str]) -> None:
    """Raise when the mapping cannot be used with these columns."""
    for part, word in _needed(mapping):
        if not getattr(mapping, part):
            raise UserError(
                title=f"No column is chosen for the {word}",
                detail=f"The table has {_listed(columns)}. "
                f"Without the {word} nothing can be learned.",
                fix=f"Choose the column that holds the {word}.",
            )
    for name in columns_of(mapping).values():
        if name not in columns:
            raise UserError(
                title="This column is not in your table",
                detail=f"“{name[:80]}” was asked for; the table has {_listed(columns)}.",
                fix="Choose one of its columns.",
            )
    for first, first_word, second, second_word in _APART[mapping.shape]:
        name = getattr(mapping, first)
        if name and name == getattr(mapping, second):
            raise UserError(
                title=f"{first_word.capitalize()} and {second_word} are the same column",
                detail=f"Both are “{name[:80]}”, so there would be nothing to learn.",
                fix=f"Choose another column for the {second_word}.",
            )


def _needed(mapping: Mapping) -> tuple[tuple[str, str], ...]:
    """The parts that this mapping cannot do without, each with its word."""
    if mapping.shape == "preference" and mapping.ranked:
        return ()
    if mapping.shape in ("question_answer", "classes") and mapping.pictures:
        return _NEEDED[mapping.shape][1:]
    if mapping.shape == "thumbs" and mapping.messages:
        return (("rating", "rating"),)
    if mapping.shape == "chat" and (mapping.speaker or mapping.text) and not mapping.messages:
        return (("speaker", "speaker"), ("text", "text of each turn"))
    return _NEEDED[mapping.shape]


def _listed(columns: Sequence[str]) -> str:
    shown = ", ".join(f"“{name[:40]}”" for name in columns[:12])
    return shown + (f" and {len(columns) - 12} more" if len(columns) > 12 else "")
