"""Which rows say nearly the same: MinHash to find pairs that may, the sets themselves to be sure.

Comparing each row with each takes days for a large table. Rows that share most of their runs of
five words also share a few small numbers (MinHash), which are sorted in bands; only pairs that meet
in a band are compared. Twelve bands of five find 99 of 100 pairs at a Jaccard of 0.8 (eight bands
of eight would find 77; derived). Filled by `survey`, row by row.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tailor.engine.data.doctor.shingles import (
    KEPT_RUNS,
    Hashes,
    Indexes,
    TokenReader,
    make_gapped,
    make_runs,
)

ALIKE = 0.8
"""Jaccard from which two rows are called alike."""
BANDS, BAND_HASHES = 12, 5
HOPELESS = 0.55
"""Pairs whose estimate is below are not compared; 60 numbers estimate 0.8 within 0.15."""
COMMON_SHARE, COMMON_ROWS = 0.2, 20
"""A run in more rows than this is an instruction or a form, and says nothing of likeness."""
RUNS_LEAST = 3
SHORT_WORDS = (8, 64)
"""One word changed in 49 leaves just 0.8, and less where common runs are put aside; so in short
texts it is looked for by itself."""
ALIKE_WORDS = 20
"""Texts that differ in one word of so many say nearly the same; in fewer it may say all."""
FORM_ROWS = 8
"""When more texts than this differ in the same one word, it is a form that was filled in."""
MOST_WORDS = 20_000
"""Of longer texts only the beginning is compared."""
_BATCH_TOKENS = 50_000
_CHUNK_RUNS = 500_000


class Likeness:
    """The rows of a table, ready to be compared."""

    def __init__(self) -> None:
        self._ids, self._wholes = array("q"), array("Q")
        self._seen: set[int] = set()
        self._reader = TokenReader()
        self._runs, self._run_counts = array("I"), array("i")
        self._gapped, self._gapped_counts = array("Q"), array("i")

    def add(self, row_id: int, whole: int, words: Sequence[str]) -> None:
        """Add a row; of rows that are quite equal (`whole`) the first stands for all."""
        if whole in self._seen:
            return
        self._seen.add(whole)
        self._ids.append(row_id)
        self._wholes.append(whole)
        self._reader.add(words[:MOST_WORDS])
        if len(self._reader) > _BATCH_TOKENS:
            self._take_in()

    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Rows that are alike, by id; each cluster in order, the clusters by their first row."""
        return self._named([*self._alike, *self._one_word_apart(ALIKE_WORDS)])

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The same, and still shorter rows that differ in one word only."""
        return self._named([*self._alike, *self._one_word_apart(SHORT_WORDS[0])])

    def name_of(self, row_ids: Sequence[int]) -> int:
        """The smallest digest of these rows: equal for the same texts in any order."""
        return min(self._wholes[bisect_left(self._ids, one)] for one in row_ids)

    @cached_property
    def _alike(self) -> list[tuple[int, int]]:
        """Pairs of rows, by place, that together join all rows that are alike."""
        self._take_in()
        runs, counts = _without_common(
            np.frombuffer(self._runs, np.uint32), np.array(self._run_counts, np.int64)
        )
        rows = np.flatnonzero(counts >= RUNS_LEAST)
        if len(rows) < 2:
            return []
        starts = np.cumsum(counts) - counts
        prints = _fingerprints(runs, starts[rows], counts[rows])
        joined = _Joined(len(rows))
        pairs = []
        for one, other in _candidates(prints, joined):
            sets = [runs[starts[row] : starts[row] + counts[row]] for row in rows[[one, other]]]
            if _jaccard(*sets) >= ALIKE and joined.join(one, other):
                pairs.append((int(rows[one]), int(rows[other])))
        return pairs

    def _one_word_apart(self, least: int) -> Iterator[tuple[int, int]]:
        self._take_in()
        counts = np.array(self._gapped_counts, np.int64)
        row_of = np.repeat(np.arange(len(counts)), counts)
        is_long = np.repeat(counts >= least, counts)
        gapped, row_of = np.array(self._gapped, np.uint64)[is_long], row_of[is_long]
        order = np.argsort(gapped, kind="stable")
        for places in _equal_stretches(gapped[order]):
            if len(places) <= FORM_ROWS:
                rows = row_of[order[places]].tolist()
                yield from zip(rows, rows[1:], strict=False)

    def _named(self, pairs: list[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
        joined = _Joined(len(self._ids))
        for one, other in pairs:
            joined.join(one, other)
        members: dict[int, list[int]] = {}
        for row in sorted({row for pair in pairs for row in pair}):
            members.setdefault(joined.root(row), []).append(self._ids[row])
        return tuple(tuple(ids) for ids in members.values() if len(ids) > 1)

    def _take_in(self) -> None:
        tokens = self._reader.take()
        runs, counts = make_runs(tokens)
        self._runs.frombytes(runs.tobytes())
        self._run_counts.extend(counts.tolist())
        gapped, counts = make_gapped(tokens, *SHORT_WORDS)
        self._gapped.frombytes(gapped.tobytes())
        self._gapped_counts.extend(counts.tolist())


class _Joined:
    """Which of many things were joined, directly or by others (union and find)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def root(self, one: int) -> int:
        """The first of all that are joined with it."""
        while self._parent[one] != one:
            self._parent[one] = self._parent[self._parent[one]]
            one = self._parent[one]
        return one

    def join(self, one: int, other: int) -> bool:
        """Join two; whether they were apart."""
        first, second = sorted((self.root(one), self.root(other)))
        self._parent[second] = first
        return first != second


def _without_common(runs: NDArray[np.uint32], counts: Indexes) -> tuple[NDArray[Any], Indexes]:
    """The runs that are not in very many rows, and how many of these each row has."""
    limit = max(COMMON_ROWS, COMMON_SHARE * len(counts))
    # Few can be common, so only those are counted one by one that share a busy bin; in pieces,
    # because counting takes eight bytes a run.
    bins = np.zeros(1 << 20, np.int64)
    pieces = np.array_split(runs, max(1, len(runs) // _CHUNK_RUNS))
    for piece in pieces:
        bins += np.bincount(piece >> np.uint32(12), minlength=len(bins))
    busy = bins > limit
    suspects = np.concatenate([piece[busy[piece >> np.uint32(12)]] for piece in pieces])
    values, often = np.unique(suspects, return_counts=True)
    common = values[often > limit]
    if not len(common):
        return runs, counts
    is_kept = ~np.isin(runs, common)
    row_of = np.repeat(np.arange(len(counts)), counts)
    return runs[is_kept], np.bincount(row_of[is_kept], minlength=len(counts))


def _fingerprints(runs: NDArray[np.uint32], starts: Indexes, counts: Indexes) -> NDArray[np.uint32]:
    """For every row its smallest number under each of many orders (MinHash)."""
    draw = np.random.default_rng(20_260_101)
    factors = draw.integers(1, 2**32, BANDS * BAND_HASHES, dtype=np.uint32) | np.uint32(1)
    prints = np.empty((len(starts), len(factors)), np.uint32)
    sizes = np.cumsum(counts)
    begin = 0
    while begin < len(starts):
        done = sizes[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(sizes, done + _CHUNK_RUNS, side="right")))
        lengths = counts[begin:end]
        inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        chunk = runs[np.repeat(starts[begin:end], lengths) + inside]
        edges = np.cumsum(lengths) - lengths
        for number, factor in enumerate(factors):
            prints[begin:end, number] = np.minimum.reduceat(chunk * factor, edges)
        begin = end
    return prints


def _candidates(prints: NDArray[np.uint32], joined: _Joined) -> Iterator[tuple[int, int]]:
    """Pairs of rows that share a band, unless they are joined already."""
    for band in range(BANDS):
        part = np.ascontiguousarray(prints[:, band * BAND_HASHES : (band + 1) * BAND_HASHES])
        keys = _row_keys(part)
        order = np.argsort(keys, kind="stable")
        for places in _equal_stretches(keys[order]):
            rows = order[places]
            # With its neighbour, and with the first: enough to join all that are alike.
            near = np.stack((rows[:-1], rows[1:]), axis=1)
            first = np.stack((np.full(len(rows) - 2, rows[0]), rows[2:]), axis=1)
            pairs = np.concatenate((near, first))
            hope = (prints[pairs[:, 0]] == prints[pairs[:, 1]]).mean(axis=1) >= HOPELESS
            for one, other in pairs[hope].tolist():
                if joined.root(one) != joined.root(other):
                    yield one, other


def _row_keys(part: NDArray[np.uint32]) -> Hashes:
    keys = np.zeros(len(part), np.uint64)
    for column in range(part.shape[1]):
        keys = (keys ^ part[:, column]) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(32)
    return keys


def _equal_stretches(ordered: Hashes) -> Iterator[Indexes]:
    """Places of equal values in an ordered array, for each value that is there more than once."""
    is_same = np.concatenate(([False], ordered[1:] == ordered[:-1], [False]))
    edges = np.flatnonzero(is_same[1:] != is_same[:-1])
    for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield np.arange(begin, end + 1)


def _jaccard(one: NDArray[Any], other: NDArray[Any]) -> float:
    """What two ordered sets share; for long texts estimated from their smallest numbers."""
    union = np.union1d(one, other)
    if KEPT_RUNS in (len(one), len(other)):
        union = union[:KEPT_RUNS]
    return len(np.intersect1d(np.intersect1d(one, other), union)) / len(union)
