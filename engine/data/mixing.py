"""What is learned beside the rows of the dataset itself: other datasets, and general questions.

A model that learns one thing only forgets others. A dataset of weight 1 gives as many rows as the
dataset itself has to learn from, one of weight 0.5 half as many; no row comes twice, none that is
held out is learned, and the same data gives the same mix. Called by `mapped`.
"""

import csv
import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tailor.engine.data.candidates import Candidates, identify
from tailor.engine.data.counted import count_words
from tailor.engine.data.making.example import Example
from tailor.engine.data.mapped_file import MappedRow, read_mapped
from tailor.engine.data.request import MapOrder, MixedSet
from tailor.engine.data.split import Split
from tailor.engine.data_types import Shape, SourceCount
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.estimator.record import record
from tailor.recipes import examples
from tailor.recipes.spec import Message

GENERAL = MixedSet(
    id="general",
    title="General questions",
    path=str(Path(examples.__path__[0]) / "general.csv"),
    weight=0.0,
)
GENERAL_SHARE_MOST = 0.5
NOTICED_SHARE = 0.01
_ANSWERING: frozenset[Shape] = frozenset({"chat", "question_answer", "classes"})
_KINDS: dict[Shape, str] = {
    "chat": "conversations",
    "question_answer": "questions and answers",
    "classes": "texts with a class",
    "preference": "better and worse answers",
    "thumbs": "answers with a thumb",
    "text": "running text",
    "middle": "code with a gap",
}


@record
class MixedIn:
    """What is taken from one source."""

    source: MixedSet
    rows: int
    """Rows there."""
    numbers: frozenset[int]
    """Which of them, counted from 0 in the order of its file."""


def check_mixable(own: Shape, other: MixedSet, shape: Shape) -> None:
    """Raise when rows of two shapes cannot be learned together."""
    if own == shape or {own, shape} <= _ANSWERING:
        return
    if other is GENERAL and own == "text":
        # Whoever goes on reading texts forgets how to answer most of all.
        return
    raise UserError(
        title="These two cannot be learned together",
        detail=f"“{other.title}” holds {_KINDS[shape]}, your rows are {_KINDS[own]}.",
        fix="Choose a dataset of the same kind, or train on one after the other.",
    )


def choose_mixed(order: MapOrder, rows: Candidates, split: Split) -> tuple[MixedIn, ...]:
    """Which rows of other sources are learned as well."""
    if not order.mixed and not order.general_share:
        return ()
    train = total = len(rows) - len(split.held_out)
    taken = set(rows.numbers("whole").tolist())
    tested = _held_out_questions(rows, split)
    chosen = []
    for source in order.mixed:
        chosen.append(_choose(source, round(train * source.weight), taken, tested))
        total += len(chosen[-1].numbers)
    share = order.general_share
    if share:
        chosen.append(_choose(GENERAL, round(total * share / (1 - share)), taken, tested))
    return tuple(chosen)


def read_mixed(chosen: Iterable[MixedIn]) -> Iterator[MappedRow]:
    """The chosen rows, as they go into the file."""
    for one in chosen:
        for number, row in enumerate(_rows_of(one.source)):
            if number in one.numbers:
                yield row


def share_out(sources: Sequence[SourceCount]) -> tuple[SourceCount, ...]:
    """The same sources, with the share of each among all rows to learn from."""
    used = sum(one.used_rows for one in sources)
    return tuple(replace(one, share=one.used_rows / used if used else 0.0) for one in sources)


def check_mix(order: MapOrder, sources: Sequence[SourceCount]) -> Iterator[Finding]:
    """Whether there were fewer general questions than were asked for."""
    general = sources[-1] if order.general_share else None
    if general is not None and general.share + NOTICED_SHARE < order.general_share:
        yield Finding(
            level="note",
            title="Fewer general questions than you asked for",
            detail=f"You asked for {order.general_share:.0%} of all rows. Tailor brings "
            f"{count_words(general.rows, 'general question')}, which make {general.share:.1%}.",
            fix="If there are questions that the model must still answer, add them as a dataset "
            "of their own and mix that in.",
        )


def _choose(source: MixedSet, wanted: int, taken: set[int], tested: set[int]) -> MixedIn:
    """Choose rows by hash; they are taken from then on."""
    rows = 0
    met: set[int] = set()

    def fresh() -> Iterator[tuple[int, int]]:
        nonlocal rows
        for number, row in enumerate(_rows_of(source)):
            rows += 1
            what = identify(row.example)
            is_new = what.whole not in taken and what.whole not in met
            if is_new and what.question not in tested:
                met.add(what.whole)
                yield what.whole, number

    chosen = heapq.nsmallest(wanted, fresh())
    taken.update(whole for whole, _ in chosen)
    return MixedIn(source=source, rows=rows, numbers=frozenset(number for _, number in chosen))


def _rows_of(source: MixedSet) -> Iterator[MappedRow]:
    """The rows that another dataset learns itself: neither held out there nor mixed in there."""
    if source is GENERAL:
        yield from _read_general()
        return
    for row in read_mapped(Path(source.path)):
        if row.side == "train" and not row.source:
            yield replace(row, source=source.id)


def _read_general() -> Iterator[MappedRow]:
    with Path(GENERAL.path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            turns = (
                Message(role="user", content=row["question"]),
                Message(role="assistant", content=row["answer"]),
            )
            yield MappedRow(id=0, side="train", example=Example(messages=turns), source=GENERAL.id)


def _held_out_questions(rows: Candidates, split: Split) -> set[int]:
    """What is asked in the held-out rows: learned from another source it would be no test."""
    ids, questions = rows.numbers("id").tolist(), rows.numbers("question").tolist()
    return {
        question
        for row_id, question in zip(ids, questions, strict=True)
        if row_id in split.held_out
    }
