"""Whole conversations in one cell, as a list of turns or written down as a transcript."""

from collections import Counter
from collections.abc import Iterator

from tailor.engine.data.detectors.column_names import rank_name
from tailor.engine.data.detectors.part_words import HISTORY_WORDS, THREAD_WORDS
from tailor.engine.data.detectors.sampled_table import SampledTable
from tailor.engine.data.making.json_cell import decode_cell
from tailor.engine.data.making.speakers import find_role
from tailor.engine.data.making.turns import SPEAKER_KEYS
from tailor.engine.data_types import Mapping, ShapeGuess

LOOKED_AT = 50


def guess_chats(table: SampledTable) -> Iterator[ShapeGuess]:
    """A guess for each column of conversations."""
    for name in turn_columns(table):
        why = f"“{name}” holds whole conversations: who speaks, and what is said."
        answerer = _find_answerer(table, name)
        if answerer:
            why += f" “{answerer}” seems to give the answers; please look closely."
        mapping = Mapping(shape="chat", messages=name, answers_of=answerer)
        yield ShapeGuess(
            mapping=table.complete(mapping),
            confidence=0.8 if answerer else 0.98,
            why=why,
        )
    yield from _transcripts(table)
    for name in table.pick(("texts", "pairs")):
        if rank_name(name, THREAD_WORDS):
            yield ShapeGuess(
                mapping=table.complete(Mapping(shape="chat", messages=name)),
                confidence=0.75,
                why=f"“{name}” lists what is said in turn; whoever speaks first asks.",
            )


def turn_columns(table: SampledTable) -> list[str]:
    """Columns of conversations; earlier turns beside a question are none."""
    found = table.pick(("turns",))
    return [name for name in found if len(found) > 1 or not rank_name(name, HISTORY_WORDS)]


def _transcripts(table: SampledTable) -> Iterator[ShapeGuess]:
    found = table.pick(("transcript",))
    is_alone = len(found) == len(table.varied())
    for name in found:
        yield ShapeGuess(
            mapping=table.complete(Mapping(shape="chat", messages=name)),
            confidence=0.92 if is_alone else 0.5,
            why=f"“{name}” holds conversations that are written down line by line.",
        )


def _find_answerer(table: SampledTable, name: str) -> str:
    """Who gives the answers where speakers have names of their own; "" when roles say it."""
    openers: Counter[str] = Counter()
    speakers: Counter[str] = Counter()
    for cell in table.cells(name)[:LOOKED_AT]:
        value = decode_cell(cell)
        entries = value if isinstance(value, list) else []
        names = [speaker for entry in entries if (speaker := _speaker(entry))]
        openers.update(names[:1])
        speakers.update(set(names))
    return pick_answerer(openers, speakers)


def pick_answerer(openers: Counter[str], speakers: Counter[str]) -> str:
    """Among speakers with names of their own, the one in most threads who opens the fewest.

    `openers` and `speakers` count threads; "" when the names are roles.
    """
    roles = {find_role(name) for name in speakers}
    if "assistant" in roles or len(speakers) < 2:
        return ""
    unknown = [name for name in speakers if find_role(name) is None]
    return max(unknown, key=lambda name: speakers[name] - 2 * openers[name], default="")


def _speaker(entry: object) -> str:
    if not isinstance(entry, dict):
        return ""
    return next((entry[key] for key in SPEAKER_KEYS if isinstance(entry.get(key), str)), "")
