"""The mapping as the person set it: which columns a shape asks for; from answers to a `Mapping`.

A shape needs two or three columns out of twenty parts, so only those are asked; the rest waits
under "More choices". Pure. `views.mapping_form` draws the questions, `data_state` keeps answers.
"""

from collections.abc import Mapping as Lookup
from dataclasses import replace
from typing import Final, get_args

from tailor.engine.data_types import DatasetRecord, Mapping, Shape
from tailor.engine.types import Draft

SHAPES: Final[tuple[Shape, ...]] = get_args(Shape)

ASKED: Final[dict[Shape, tuple[str, ...]]] = {
    "question_answer": ("question", "answer"),
    "chat": ("messages",),
    "classes": ("question", "answer"),
    "preference": ("question", "chosen", "rejected"),
    "thumbs": ("question", "answer", "rating"),
    "text": ("text",),
    "middle": ("before", "answer", "after"),
}
"""Columns that are asked for at once."""

MORE: Final[dict[Shape, tuple[str, ...]]] = {
    "question_answer": (
        "context",
        "system",
        "history",
        "thread",
        "parent",
        "order",
        "tools",
        "pictures",
        "group",
    ),
    "chat": (
        "speaker",
        "text",
        "thread",
        "parent",
        "order",
        "system",
        "tools",
        "pictures",
        "group",
    ),
    "classes": ("context", "system", "group"),
    "preference": ("messages", "ranked", "context", "system", "tools", "pictures", "group"),
    "thumbs": ("messages", "context", "system", "tools", "pictures", "group"),
    "text": ("group",),
    "middle": ("group",),
}
"""Columns that few tables have."""

IN_PLACE_OF: Final = {"messages": ("question", "answer"), "ranked": ("chosen", "rejected")}
"""A column that says the same as two others: where it is used, the empty ones are not asked for."""

SPREAD: Final = ("speaker", "text", "thread", "order")
"""Asked for at once where every row of a conversation is one turn of it."""

TYPED: Final[dict[Shape, tuple[str, ...]]] = {
    "question_answer": ("instruction", "answers_of"),
    "chat": ("instruction", "answers_of"),
    "classes": ("instruction",),
    "preference": ("instruction",),
    "thumbs": ("instruction", "stars"),
    "text": (),
    "middle": (),
}
"""What is typed and not a column."""

MOST_STARS: Final = 100

NEEDED: Final[dict[Shape, tuple[tuple[str, ...], ...]]] = {
    "question_answer": (("question",), ("answer",)),
    "chat": (("messages", "speaker"), ("messages", "text")),
    "classes": (("question",), ("answer",)),
    "preference": (("chosen", "ranked"), ("rejected", "ranked")),
    "thumbs": (("answer", "messages"), ("rating",)),
    "text": (("text",),),
    "middle": (("before",), ("answer",)),
}
"""What must be there: of each group one."""

SWAPPED: Final[dict[Shape, tuple[str, str]]] = {
    "question_answer": ("question", "answer"),
    "classes": ("question", "answer"),
    "preference": ("chosen", "rejected"),
}
"""Two columns that are easily taken for each other."""


def parts_of(shape: Shape) -> tuple[str, ...]:
    """Every column part that a shape knows."""
    return (*ASKED[shape], *MORE[shape])


def asked_of(mapping: Mapping) -> tuple[str, ...]:
    """The columns to ask for at once: those of the shape, and rare ones that are in use."""
    asked = ASKED[mapping.shape]
    if mapping.shape == "chat" and mapping.speaker:
        asked = SPREAD
    spared = {
        part
        for used, parts in IN_PLACE_OF.items()
        for part in parts
        if getattr(mapping, used) and not getattr(mapping, part)
    }
    asked = tuple(part for part in asked if part not in spared)
    return (*asked, *(part for part in rest_of(mapping, asked) if getattr(mapping, part)))


def rest_of(mapping: Mapping, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that are not asked for at once."""
    return tuple(part for part in parts_of(mapping.shape) if part not in asked)


def mapping_from(answers: Lookup[str, tuple[str, ...]], shown: Mapping) -> Mapping:
    """The mapping that the form now says; what the form did not ask stays as `shown` has it.

    Names that the shape does not use are dropped.
    """
    said = {name: values[-1] for name, values in answers.items() if values}
    shape = next((one for one in SHAPES if one == said.get("shape")), shown.shape)
    columns = {part: said.get(part, getattr(shown, part)) for part in parts_of(shape)}
    typed = {name: said.get(name, str(getattr(shown, name))).strip() for name in TYPED[shape]}
    stars = typed.pop("stars", "0")
    return Mapping(
        shape=shape,
        stars=min(int(stars), MOST_STARS) if stars.isdecimal() else 0,
        **columns,
        **typed,
    )


def for_shape(shape: Shape, dataset: DatasetRecord, before: Mapping) -> Mapping:
    """What another shape begins with: its own guess, else what carries over."""
    for guess in dataset.guesses:
        if guess.mapping.shape == shape:
            return guess.mapping
    return mapping_from({"shape": (shape,)}, before)


def swap(mapping: Mapping) -> Mapping:
    """The two columns of the shape exchanged."""
    if mapping.shape not in SWAPPED:
        return mapping
    first, second = SWAPPED[mapping.shape]
    return replace(mapping, **{first: getattr(mapping, second), second: getattr(mapping, first)})


def give_back(chosen: Mapping, before: Mapping) -> Mapping:
    """Where a column is chosen that another asked part has, that part gets the freed one.

    Whoever corrects one of two columns that were taken for each other would otherwise have to pass
    through a table in which question and answer are the same.
    """
    asked = ASKED[chosen.shape]
    changed = [part for part in asked if getattr(chosen, part) != getattr(before, part)]
    if len(changed) != 1 or not getattr(chosen, changed[0]):
        return chosen
    taken, freed = getattr(chosen, changed[0]), getattr(before, changed[0])
    others = [part for part in asked if part != changed[0] and getattr(chosen, part) == taken]
    return replace(chosen, **dict.fromkeys(others, freed))


def missing_parts(mapping: Mapping) -> tuple[str, ...]:
    """The parts that still have to be chosen before a finished example can be made."""
    return tuple(
        group[0]
        for group in NEEDED[mapping.shape]
        if not any(getattr(mapping, part) for part in group)
    )


def first_mapping(draft: Draft, dataset: DatasetRecord) -> Mapping:
    """What is shown first: the person's own choice, what was confirmed, the best guess."""
    if draft.mapping is not None and _columns_of(draft.mapping) <= set(dataset.columns):
        return draft.mapping
    if dataset.mapping is not None:
        return dataset.mapping
    if dataset.guesses:
        return dataset.guesses[0].mapping
    return Mapping(shape="question_answer")


def _columns_of(mapping: Mapping) -> set[str]:
    return {getattr(mapping, part) for part in parts_of(mapping.shape)} - {""}
