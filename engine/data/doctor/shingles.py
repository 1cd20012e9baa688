"""Texts as sets of numbers: runs of five words, or of five signs where no spaces are written.

Two texts that share most of these say nearly the same. A hundred thousand texts have twenty million
runs, so all of it is done on flat arrays, for many texts at a time. The numbers are the same on
every machine and in every process. Used by `likeness`; the texts are in lower case with single
spaces.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tailor.engine.data.doctor.row import digest

Hashes = NDArray[np.uint64]
Indexes = NDArray[np.int64]

RUN = 5
"""Words, or signs, in a run."""
KEPT_RUNS = 256
"""Of a long text only the runs with the smallest numbers are kept: a fair sample of them."""
KNOWN_WORDS = 200_000
# Thai and Lao; Myanmar; Khmer; kana and ideographs; their rarer blocks.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff]"
)
_PLACE = np.uint64(0x9E3779B97F4A7C15)
_MIXER = np.uint64(0xBF58476D1CE4E5B9)
_STEP = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words and lone signs of many texts, one after another."""

    hashes: Hashes
    counts: Indexes
    """How many each text has."""

    @property
    def starts(self) -> Indexes:
        """Where each text's begin."""
        return np.cumsum(self.counts) - self.counts

    @property
    def places(self) -> Indexes:
        """The place of each in its own text, from 0."""
        return np.arange(len(self.hashes)) - np.repeat(self.starts, self.counts)


class TokenReader:
    """Turns the words of texts into tokens; words that come back are looked up, not made again."""

    def __init__(self) -> None:
        self._known = _Numbers()
        self._numbers, self._counts = array("Q"), array("q")

    def __len__(self) -> int:
        """How many tokens were read."""
        return len(self._numbers)

    def add(self, words: Sequence[str]) -> None:
        """Read one text: its words, and each sign by itself where no spaces are written."""
        before = len(self._numbers)
        self._numbers.extend(map(self._known.__getitem__, _cut_unspaced(words)))
        self._counts.append(len(self._numbers) - before)

    def take(self) -> Tokens:
        """The tokens of all texts that were read since it was asked last."""
        tokens = Tokens(np.array(self._numbers, np.uint64), np.array(self._counts, np.int64))
        self._numbers, self._counts = array("Q"), array("q")
        if len(self._known) > KNOWN_WORDS:
            self._known.clear()
        return tokens


class _Numbers(dict[str, int]):
    """The number of a word, made when it is first asked for."""

    def __missing__(self, word: str) -> int:
        number = self[word] = digest(word)
        return number


def _cut_unspaced(words: Sequence[str]) -> Sequence[str]:
    if all(map(str.isascii, words)):
        return words
    text = " ".join(words)
    return _UNSPACED.sub(r" \g<0> ", text).split() if _UNSPACED.search(text) else words


def make_runs(tokens: Tokens) -> tuple[NDArray[np.uint32], Indexes]:
    """The runs of each text, each once and in order, and how many each text has."""
    of_text = np.repeat(np.arange(len(tokens.counts)), tokens.counts)
    last = len(tokens.hashes) - RUN + 1
    if last < 1:
        return np.empty(0, np.uint32), np.zeros(len(tokens.counts), np.int64)
    powers = _powers(_STEP, RUN)
    runs = np.zeros(last, np.uint64)
    for step in range(RUN):
        runs += tokens.hashes[step : last + step] * powers[step]
    is_whole = of_text[:last] == of_text[RUN - 1 :]
    small = _mix(runs[is_whole]) >> np.uint64(32)
    keys = (of_text[:last][is_whole].astype(np.uint64) << np.uint64(32)) | small
    keys.sort()
    keys = keys[np.diff(keys, prepend=np.uint64(2**64 - 1)) != 0]
    owner = (keys >> np.uint64(32)).astype(np.int64)
    counts = np.bincount(owner, minlength=len(tokens.counts))
    rank = np.arange(len(keys)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = keys[rank < KEPT_RUNS]
    return kept.astype(np.uint32), np.minimum(counts, KEPT_RUNS)


def make_gapped(tokens: Tokens, least: int, most: int) -> tuple[Hashes, Indexes]:
    """For each word of a short text a number for the text without it, and how many of these.

    Two texts that differ in one word share such a number. Only texts of `least` to `most` words.
    """
    has_length = (tokens.counts >= least) & (tokens.counts <= most)
    is_kept = np.repeat(has_length, tokens.counts)
    counts = np.where(has_length, tokens.counts, 0)
    if not is_kept.any():
        return np.empty(0, np.uint64), counts
    hashes, places = tokens.hashes[is_kept], tokens.places[is_kept]
    weighed = hashes * _powers(_PLACE, most)[places]
    lengths = counts[counts > 0]
    whole = np.add.reduceat(weighed, np.cumsum(lengths) - lengths)
    named = np.repeat(whole + lengths.astype(np.uint64) * _MIXER, lengths)
    return _mix(named - weighed + places.astype(np.uint64) * _STEP), counts


def _powers(number: np.uint64, count: int) -> Hashes:
    factors = np.full(count, number)
    factors[0] = 1
    return np.multiply.accumulate(factors)


def _mix(hashes: Any) -> Hashes:
    """Spread numbers evenly, so that their order says nothing about the text."""
    mixed: Hashes = hashes ^ (hashes >> np.uint64(33))
    mixed = mixed * _MIXER
    return mixed ^ (mixed >> np.uint64(29))
