"""Which rows are held out: a tenth, by content and never by position.

Rows that ask the same thing stay on one side, or the score would praise memory; the same data gives
the same split in any order; small classes are seen on both sides. A split that came with the file
is kept. Pure; `mapped` calls it with what it knows of every usable row.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tailor.engine.data.column_names import split_words
from tailor.estimator.record import record

Side = Literal["train", "held_out"]

HELD_OUT_SHARE = 0.1
HELD_OUT_LEAST = 20
HELD_OUT_MOST = 200
CLASSES_MOST = 100
CLASS_ROWS_LEAST = 5

_SPLIT_NAMES = frozenset({"split", "set", "subset", "partition", "fold"})
_SIDES: dict[str, Side] = {
    "train": "train", "training": "train", "learn": "train",
    "test": "held_out", "testing": "held_out", "validation": "held_out", "valid": "held_out",
    "val": "held_out", "dev": "held_out", "eval": "held_out", "held_out": "held_out",
    "heldout": "held_out", "holdout": "held_out",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the split needs to know of a usable row."""

    id: int
    place: int
    """Its line or entry in the file."""
    question: bytes
    """Digest of what is asked, without case and spacing."""
    whole: bytes
    """Digest of the whole row, likewise."""
    label: str
    """The answer when it is short enough to be a class; else empty."""
    given: str
    """What the split column says; empty without one."""


@record
class Split:
    """The two sides."""

    held_out: frozenset[int]
    """Ids of the held-out rows; all others are learned from."""
    is_given: bool
    """Whether the file itself says it."""


def find_split_column(columns: Iterable[str]) -> str:
    """The column that may say on which side a row belongs; "" without one."""
    for name in columns:
        words = split_words(name)
        if len(words) == 1 and words[0] in _SPLIT_NAMES:
            return name
    return ""


def choose_split(rows: Sequence[Candidate]) -> Split:
    """Which rows are held out. Lean, because a table may have two million rows."""
    given = _given_split(rows)
    if given is not None:
        return given
    held_out = _hold_out(rows, lambda row: row.question)
    if len(held_out) * 2 < target_rows(len(rows)):
        # One question in most rows: it would take a third of the data along, or nothing at all.
        held_out = _hold_out(rows, lambda row: row.whole)
    return Split(held_out=frozenset(held_out), is_given=False)


def target_rows(rows: int) -> int:
    """How many rows are held out of so many."""
    wanted = round(HELD_OUT_SHARE * rows)
    return min(max(wanted, HELD_OUT_LEAST), HELD_OUT_MOST, rows // 3)


def is_classes(labels: Iterable[str]) -> bool:
    """Whether the answers are a few classes that come back often enough."""
    counts: Counter[str] = Counter()
    for label in labels:
        counts[label] += 1
        if not label or len(counts) > CLASSES_MOST:
            return False
    return len(counts) > 1 and counts.total() >= CLASS_ROWS_LEAST * len(counts)


def _given_split(rows: Sequence[Candidate]) -> Split | None:
    sides = {word: _SIDES.get(word.strip().casefold().replace("-", "_")) for word in _words(rows)}
    if set(sides.values()) != {"train", "held_out"}:
        return None
    held_out = frozenset(row.id for row in rows if sides[row.given] == "held_out")
    return Split(held_out=held_out, is_given=True)


def _words(rows: Sequence[Candidate]) -> set[str]:
    return {row.given for row in rows}


def _hold_out(rows: Sequence[Candidate], group_of: Callable[[Candidate], bytes]) -> set[int]:
    """Ids of the held-out rows, whole groups at a time."""
    target = target_rows(len(rows))
    most = min(len(rows) // 3, target + target // 4)
    # Groups that are too large are passed over, and of those there can be only so many.
    enough = target + len(rows) // (most + 1) + 1
    held: set[int] = set()
    for _, _, ids in heapq.nsmallest(enough, _ranked_groups(rows, group_of)):
        if len(held) >= target:
            break
        if len(held) + len(ids) <= most:
            held.update(ids)
    return held


def _ranked_groups(
    rows: Sequence[Candidate], group_of: Callable[[Candidate], bytes]
) -> Iterator[tuple[float, bytes, list[int]]]:
    """Rank, digest and row ids of every group: by hash, every class in its turn."""
    has_classes = is_classes(row.label for row in rows)
    order = sorted(rows, key=group_of)

    def groups() -> Iterator[tuple[str, bytes, list[int]]]:
        for digest, members in groupby(order, key=group_of):
            together = list(members)
            label = min(row.label for row in together) if has_classes else ""
            yield label, digest, [row.id for row in together]

    sizes = Counter(label for label, _, _ in groups())
    seen: Counter[str] = Counter()
    for label, digest, ids in groups():
        # A class with few rows needs all of them to be learned.
        is_small = has_classes and sizes[label] < CLASS_ROWS_LEAST
        yield seen[label] / sizes[label] + is_small, digest, ids
        seen[label] += 1
