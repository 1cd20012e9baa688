"""Which rows are held out: a tenth, by content and never by position.

Rows that belong together stay on one side, or the score would praise memory; the same data gives
the same split in any order; every class is seen on both sides. A split that came with the data is
kept. Pure; `mapped` calls it with what it knows of every usable row.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tailor.engine.data.candidates import CLASSES_MOST, NONE, Candidates, Numbers
from tailor.engine.data.given_split import Side, sides_of_parts, sides_of_words
from tailor.engine.data.together import Indexes, join_rows
from tailor.estimator.record import record

__all__ = ["Side", "Split", "choose_split", "is_classes", "target_rows"]

HELD_OUT_SHARE = 0.1
HELD_OUT_LEAST = 20
HELD_OUT_MOST = 200
ROWS_TO_SPLIT = 25
"""Below, no honest score is possible: too few rows would be left on either side."""
MOST_OF_THE_ROWS = 5
"""At most a fifth is held out."""
WORTH_HOLDING_OUT = 5
CLASS_ROWS_LEAST = 5


@record
class Split:
    """The two sides."""

    held_out: frozenset[int]
    """Ids of the held-out rows; all others are learned from."""
    is_given: bool
    """Whether the data itself says it."""


def choose_split(rows: Candidates, clusters: Mapping[int, bytes] | None = None) -> Split:
    """Which rows are held out. `clusters` names the near-duplicates of a row, by its id."""
    given = _given_split(rows)
    if given is not None:
        return given
    target = target_rows(len(rows), _classes_to_show(rows))
    if not target:
        return Split(held_out=frozenset(), is_given=False)
    fixed = [rows.numbers("whole"), rows.numbers("kept"), _cluster_keys(rows, clusters or {})]
    passage, question = rows.numbers("passage"), rows.numbers("question")
    best: list[int] = []
    # One passage or one question in most rows would take a third of the data along, or nothing at
    # all; then it says nothing about what belongs together. Near-duplicates and groups always do.
    for loose in ([passage, question], [question], [passage], []):
        held = _hold_out(rows, [*fixed, *loose], target)
        best = held if len(held) > len(best) else best
        if len(best) * 2 >= target:
            break
    is_worth_it = len(best) >= WORTH_HOLDING_OUT
    return Split(held_out=frozenset(best if is_worth_it else ()), is_given=False)


def target_rows(rows: int, classes: int = 0) -> int:
    """How many of so many rows are held out, with a row for each class that can spare one."""
    if rows < ROWS_TO_SPLIT:
        return 0
    wanted = max(round(HELD_OUT_SHARE * rows), HELD_OUT_LEAST, classes)
    return min(wanted, HELD_OUT_MOST, rows // MOST_OF_THE_ROWS)


def is_classes(labels: Iterable[str]) -> bool:
    """Whether the answers are a few classes that come back often enough."""
    counts: Counter[str] = Counter()
    for label in labels:
        counts[label] += 1
        if not label or len(counts) > CLASSES_MOST:
            return False
    return len(counts) > 1 and counts.total() >= CLASS_ROWS_LEAST * len(counts)


def _given_split(rows: Candidates) -> Split | None:
    for words, read in ((rows.given, sides_of_words), (rows.parts, sides_of_parts)):
        sides = read(set(words))
        if sides is not None:
            ids = rows.numbers("id").tolist()
            held = (
                row_id for row_id, word in zip(ids, words, strict=True) if sides[word] != "train"
            )
            return Split(held_out=frozenset(held), is_given=True)
    return None


def _classes_to_show(rows: Candidates) -> int:
    if not is_classes(rows.labels):
        return 0
    return sum(number >= CLASS_ROWS_LEAST for number in Counter(rows.labels).values())


def _cluster_keys(rows: Candidates, clusters: Mapping[int, bytes]) -> Numbers:
    keys = [
        int.from_bytes(clusters[row_id][:8]) or 1 if row_id in clusters else NONE
        for row_id in rows.numbers("id").tolist()
    ]
    return np.array(keys, dtype=np.uint64)


def _hold_out(rows: Candidates, keys: Sequence[Numbers], target: int) -> list[int]:
    """Ids of the held-out rows, whole groups at a time."""
    groups = join_rows(keys)
    sizes = np.bincount(groups)
    most = min(len(rows) // MOST_OF_THE_ROWS, HELD_OUT_MOST, target + target // 4)
    held: list[int] = []
    total = 0
    for group in _in_turn(rows, groups).tolist():
        if total >= target:
            break
        if total + sizes[group] <= most:
            held.append(group)
            total += int(sizes[group])
    ids: list[int] = rows.numbers("id")[np.isin(groups, held)].tolist()
    return ids


def _in_turn(rows: Candidates, groups: Indexes) -> Indexes:
    """The groups in the order in which they are asked: by hash, every class in its turn."""
    hashes = _scramble(_least(groups, rows.numbers("whole")))
    labels, counts = _labels(rows, groups)
    order = np.lexsort((hashes, labels))
    starts = np.cumsum(counts) - counts
    place = np.empty(len(order))
    place[order] = np.arange(len(order)) - starts[labels[order]]
    # A class with few rows needs all of them to be learned.
    is_small = (counts < CLASS_ROWS_LEAST) & (len(counts) > 1)
    ranks = place / counts[labels] + is_small[labels]
    return np.lexsort((hashes, ranks))


def _labels(rows: Candidates, groups: Indexes) -> tuple[Indexes, Indexes]:
    """The label of each group as a number, and how many groups have it; one label when no class."""
    words = rows.labels if is_classes(rows.labels) else [""] * len(rows)
    number = {word: place for place, word in enumerate(sorted(set(words)))}
    of_rows = np.array([number[word] for word in words], dtype=np.uint64)
    labels = _least(groups, of_rows).astype(np.intp)
    return labels, np.bincount(labels, minlength=len(number)).astype(np.intp)


def _least(groups: Indexes, values: Numbers) -> Numbers:
    """The least value of each group."""
    least = np.full(int(groups.max()) + 1, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(least, groups, values)
    return least


def _scramble(values: NDArray[np.uint64]) -> Numbers:
    """The values hashed once more (splitmix64): the least of many is small, and large groups would
    always come first."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
