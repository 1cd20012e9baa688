"""Conversations that are spread over rows: one turn a row, or one question with its answer a row.

A column of speakers beside a column of text, tied by the id of a conversation, of the row before,
or by the day of a time stamp.
"""

from collections import Counter
from collections.abc import Iterator

from tailor.engine.data.detectors.chats import pick_answerer
from tailor.engine.data.detectors.column_facts import Form
from tailor.engine.data.detectors.column_names import is_aside, rank_name, split_words
from tailor.engine.data.detectors.part_words import (
    ANSWER_WORDS,
    PARENT_WORDS,
    QUESTION_WORDS,
    SPEAKER_WORDS,
    THREAD_WORDS,
    TURN_NUMBER_WORDS,
    TURN_WORDS,
)
from tailor.engine.data.detectors.sampled_table import SampledTable
from tailor.engine.data.making.speakers import find_role
from tailor.engine.data.making.thread_cells import can_sort, is_time_stamp, thread_key
from tailor.engine.data_types import Mapping, ShapeGuess

ID_FORMS: tuple[Form, ...] = ("index", "code", "number", "text")
SPEAKS_IN = 0.6
"""Share of the conversations in which a person speaks who gives the answers."""
PARENT_SHARE = 0.8
"""Share of the named parents that must be there among the ids."""


def guess_threads(table: SampledTable) -> Iterator[ShapeGuess]:
    """At most one guess for turns and one for pairs."""
    own, parent = _find_parent(table)
    yield from _turns(table, own, parent)
    if parent:
        yield from _pairs(table, own, parent)


def _turns(table: SampledTable, own: str, parent: str) -> Iterator[ShapeGuess]:
    speaker = _find_speaker(table, {own, parent})
    text = table.named(TURN_WORDS, without={own, parent, speaker})
    if not speaker or not text:
        return
    thread = own if parent else _find_thread(table, {speaker, text})
    if not thread:
        return
    is_day = not parent and is_time_stamp(table.cells(thread)[0])
    has_roles = {"user", "assistant"} <= _roles(table, speaker)
    answerer = "" if has_roles or parent else _find_answerer(table, speaker, thread)
    if not (has_roles or answerer):
        return
    tied = f"“{parent}” says what a row answers" if parent else f"“{thread}” ties them together"
    if is_day:
        tied = f"each day in “{thread}” is a conversation"
    asked = f" “{answerer}” seems to give the answers; please look closely." if answerer else ""
    taken = {speaker, text} if is_day else {speaker, text, thread, parent}
    yield ShapeGuess(
        mapping=Mapping(
            shape="chat",
            speaker=speaker,
            text=text,
            thread=thread,
            parent=parent,
            order="" if parent else _find_order(table, taken),
            answers_of=answerer,
        ),
        confidence=0.97 if has_roles else 0.88,
        why=f"Each row is one turn: “{speaker}” says who speaks, {tied}.{asked}",
    )


def _pairs(table: SampledTable, own: str, parent: str) -> Iterator[ShapeGuess]:
    without = {own, parent}
    answer = table.named(ANSWER_WORDS, without=without)
    question = table.named(QUESTION_WORDS, without={*without, answer})
    if question and answer:
        yield ShapeGuess(
            mapping=table.complete(
                Mapping(
                    shape="question_answer",
                    question=question,
                    answer=answer,
                    thread=own,
                    parent=parent,
                )
            ),
            confidence=0.97,
            why=f"“{question}” asks, “{answer}” answers; “{parent}” says which row came before.",
        )


def _find_parent(table: SampledTable) -> tuple[str, str]:
    """The column of ids and the one that names the id of the row before; ("", "") without."""
    for parent in table.columns:
        named = {cell.strip() for cell in table.cells(parent)} if _is_parent_name(parent) else set()
        if not named:
            continue
        for own in table.pick(ID_FORMS, without={parent}, least_filled=0.99):
            ids = {cell.strip() for cell in table.cells(own)}
            is_unique = table.facts[own].distinct == len(table.rows)
            if is_unique and len(named & ids) >= PARENT_SHARE * len(named):
                return own, parent
    return "", ""


def _is_parent_name(name: str) -> bool:
    parts = split_words(name)
    is_reply = {"reply", "to"} <= set(parts) or {"antwort", "auf"} <= set(parts)
    return is_reply or rank_name(name, PARENT_WORDS, with_asides=True) > 0


def _find_speaker(table: SampledTable, without: set[str]) -> str:
    names = [
        name
        for name in table.pick(("text", "code"), without=without, least_filled=0.9)
        if table.facts[name].longest <= 60 and table.facts[name].repeats >= 1.5
    ]
    ranked = [name for name in names if rank_name(name, SPEAKER_WORDS, with_asides=True)]
    return max(
        ranked, key=lambda name: rank_name(name, SPEAKER_WORDS, with_asides=True), default=""
    )


def _find_thread(table: SampledTable, without: set[str]) -> str:
    """The column that ties turns: an id that comes back, or a time stamp with its day."""
    forms: tuple[Form, ...] = ("index", "code", "number", "text", "date")
    tying = [
        name
        for name in table.pick(forms, without=without, least_filled=0.9)
        if table.facts[name].repeats >= 1.5
    ]
    named = [name for name in tying if rank_name(name, THREAD_WORDS, with_asides=True)]
    ids = [name for name in tying if is_aside(name) and table.facts[name].form != "date"]
    stamped = [
        name
        for name in table.pick(("date",), without=without)
        if all(map(is_time_stamp, table.cells(name)[:20]))
    ]
    return next(iter([*named, *ids, *stamped]), "")


def _find_order(table: SampledTable, taken: set[str]) -> str:
    """The column that counts turns or says when; "" when the file's order is all there is."""
    names = [
        name
        for name in table.pick(("date", "number", "index"), without=taken, least_filled=0.99)
        if all(map(can_sort, table.cells(name)[:50]))
    ]
    dated = [name for name in names if table.facts[name].form == "date"]
    counted = [name for name in names if rank_name(name, TURN_NUMBER_WORDS, with_asides=True)]
    return next(iter([*counted, *dated]), "")


def _roles(table: SampledTable, speaker: str) -> set[str | None]:
    from_names = {cell.strip() for cell in table.cells(speaker)}
    return {find_role(name) for name in from_names}


def _find_answerer(table: SampledTable, speaker: str, thread: str) -> str:
    openers: Counter[str] = Counter()
    speakers: Counter[str] = Counter()
    seen: dict[str, set[str]] = {}
    for row in table.rows:
        key, name = thread_key(row[thread]), row[speaker].strip()
        if not name:
            continue
        if key not in seen:
            openers[name] += 1
        if name not in seen.setdefault(key, set()):
            speakers[name] += 1
        seen[key].add(name)
    answerer = pick_answerer(openers, speakers)
    # Reviews and articles have authors too, but none of them speaks everywhere.
    is_everywhere = speakers[answerer] >= SPEAKS_IN * len(seen)
    return answerer if is_everywhere and len(speakers) > 1 else ""
