"""What the columns mean: guesses with a reason each, best first; the person decides.

Every detector is pure: a sample of rows in, guesses out. A guess is tried on the sample with the
function that makes the training rows, so that one that makes no finished example is not offered.
The reading child calls `guess_shapes` once.
"""

from collections.abc import Sequence
from dataclasses import replace

from tailor.engine.data.detectors.chats import guess_chats, turn_columns
from tailor.engine.data.detectors.classes import guess_classes
from tailor.engine.data.detectors.pairs import guess_pairs
from tailor.engine.data.detectors.plain_texts import guess_middles, guess_texts
from tailor.engine.data.detectors.preferences import guess_preferences
from tailor.engine.data.detectors.sampled_table import SampledTable, sample_table
from tailor.engine.data.detectors.spread_threads import guess_threads
from tailor.engine.data.detectors.thumbs import guess_thumbs
from tailor.engine.data.json.json_roots import FIRST_TEXT
from tailor.engine.data.making.mapping import build_example
from tailor.engine.data.making.threads import PART_OF_THREAD, join_threads
from tailor.engine.data_types import Mapping, ShapeGuess

SAMPLE_ROWS = 2_000
"""A hundred classes need as many rows before each can have come back."""
SAMPLE_CHARACTERS = 20_000_000
TRIED_ROWS = 200
OFFERED = 4
USABLE_SHARE = 0.5
"""A guess under which fewer sample rows make an example is less sure of itself."""

Sample = Sequence[Sequence[str]]


def guess_shapes(columns: Sequence[str], sample: Sample) -> tuple[ShapeGuess, ...]:
    """At most four guesses, best first; at least one whenever there is a row with text."""
    # The first text of a list stands in a column of its own, which says more than its JSON.
    plain = [name for name in columns if f"{name}{FIRST_TEXT}" not in columns]
    sample = _bounded(sample)
    rows = [dict(zip(columns, cells, strict=True)) for cells in sample]
    table = sample_table(plain, rows)
    weighed: dict[Mapping, ShapeGuess] = {}
    for guess in _guesses(table):
        weighed.setdefault(guess.mapping, _weigh(guess, columns, sample))
    best_first = sorted(weighed.values(), key=lambda guess: -guess.confidence)
    # A guess that makes no example is still better than none: its preview tells the reason.
    return tuple([one for one in best_first if one.confidence > 0][:OFFERED] or best_first[:1])


def _guesses(table: SampledTable) -> list[ShapeGuess]:
    whole = [*guess_preferences(table), *guess_thumbs(table), *guess_chats(table)]
    if turn_columns(table):
        # Beside a column of conversations every other reading is a wrong one.
        return whole
    return [
        *whole,
        *guess_threads(table),
        *guess_middles(table),
        *guess_classes(table),
        *guess_pairs(table),
        *guess_texts(table),
    ]


def _bounded(sample: Sample) -> Sample:
    """The first rows, as far as they hold a bounded amount of text."""
    characters = 0
    for number, cells in enumerate(sample):
        characters += sum(map(len, cells))
        if characters > SAMPLE_CHARACTERS:
            return sample[: max(1, number)]
    return sample


def _weigh(guess: ShapeGuess, columns: Sequence[str], sample: Sample) -> ShapeGuess:
    """The guess, less sure of itself when few rows of the sample make an example under it."""
    rows = list(enumerate(sample, start=1))
    threads = join_threads(guess.mapping, columns, rows, lambda row_id: sample[row_id - 1])
    tried = [
        build_example(guess.mapping, threads.cells(row_id, cells))
        for row_id, cells in rows[:TRIED_ROWS]
    ]
    told = [example for example in tried if example.left_out != PART_OF_THREAD]
    usable = sum(not example.left_out for example in told) / max(1, len(told))
    if usable >= USABLE_SHARE:
        return replace(guess, confidence=round(guess.confidence, 3))
    return replace(
        guess,
        confidence=round(guess.confidence * usable, 2),
        why=f"{guess.why} Only {usable:.0%} of the first rows make a finished example.",
    )
