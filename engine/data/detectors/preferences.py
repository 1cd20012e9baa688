"""Better and worse answers side by side, ranked in a list, or compared by a rater."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tailor.engine.data.detectors.asking_side import find_asking_side
from tailor.engine.data.detectors.column_facts import Form
from tailor.engine.data.detectors.column_names import best_name, rank_name
from tailor.engine.data.detectors.part_words import BAD_WORDS, GOOD_WORDS, WINNER_WORDS, Words
from tailor.engine.data.detectors.sampled_table import WRITTEN, SampledTable
from tailor.engine.data.making.answers import read_answer
from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.mapping import columns_of
from tailor.engine.data.making.ratings import read_side
from tailor.engine.data_types import Mapping, ShapeGuess

COMPARED: tuple[Form, ...] = (*WRITTEN, "turns", "turn", "code", "texts", "json")
RANKED_WORDS: Words = (
    "ranked ranking ranks rangfolge classement",
    "responses answers completions candidates outputs output antworten reponses respuestas options",
)
SCORES_WORDS: Words = ("scores ratings ranks points labels punkte notes bewertungen",)
READABLE = 0.8
_SIDES = (
    ("a", "b"), ("1", "2"), ("j", "k"), ("left", "right"), ("links", "rechts"), ("first", "second"),
    ("gauche", "droite"), ("izquierda", "derecha"), ("0", "1"),
)  # fmt: skip
_ENDING = re.compile(r"(?P<stem>.*?)[\s_.:()-]*(?P<side>[^\W_\d]+|\d)[\s_.)]*")


def guess_preferences(table: SampledTable) -> Iterator[ShapeGuess]:
    """Every way to read the table as comparisons."""
    good = best_name(table.pick(COMPARED), GOOD_WORDS)
    bad = best_name(table.pick(COMPARED, without={good}), BAD_WORDS)
    if good and bad:
        is_sure = rank_name(good, GOOD_WORDS[:1]) or rank_name(bad, BAD_WORDS[:1])
        why = f"“{good}” is the better answer, “{bad}” the worse one"
        yield _guess(
            table,
            Mapping(shape="preference", chosen=good, rejected=bad),
            why,
            0.99 if is_sure else 0.9,
        )
    yield from _rated_sides(table)
    yield from _ranked(table)


def _rated_sides(table: SampledTable) -> Iterator[ShapeGuess]:
    """Two answers under like names, and a column in which a rater says which is better."""
    for first, second in _like_names(table):
        sides = Mapping(shape="preference", chosen=first, rejected=second)
        for rating in _winners(table, first, second):
            why = f"“{rating}” says row by row whether “{first}” or “{second}” is the better answer"
            yield _guess(table, replace(sides, rating=rating), why, 0.97)
        if first.casefold().endswith("j"):
            why = f"Of two answers the one called “{first}” is the better one by custom"
            yield _guess(table, sides, why, 0.9)


def _ranked(table: SampledTable) -> Iterator[ShapeGuess]:
    scores = table.named(SCORES_WORDS, ("numbers",))
    for name in table.pick(("scored", "texts")):
        rank = rank_name(name, RANKED_WORDS)
        is_scored = table.facts[name].form == "scored"
        # A bare list under a name such as "answers" holds answers that are all accepted.
        if not is_scored and not scores and not rank_name(name, RANKED_WORDS[:1]):
            continue
        if not rank and not is_scored:
            continue
        how = (
            f"in the order of “{scores}”"
            if scores
            else "by their scores"
            if is_scored
            else ("the best first")
        )
        mapping = Mapping(shape="preference", ranked=name, rating="" if is_scored else scores)
        yield _guess(table, mapping, f"“{name}” lists several answers, {how}", 0.96)


def _guess(table: SampledTable, mapping: Mapping, why: str, confidence: float) -> ShapeGuess:
    """The comparison with the question that belongs to it."""
    taken = set(columns_of(mapping).values())
    turns = next(iter(table.pick(("turns",), without=taken)), "")
    asking = find_asking_side(table, taken)
    if _holds_question(table, mapping.chosen):
        why += "; each begins with the question."
    elif turns:
        mapping = replace(mapping, messages=turns)
        why += f"; “{turns}” comes before them."
    elif asking is not None:
        mapping = replace(mapping, question=asking.question, context=asking.context)
        why += f"; “{asking.question}” asks.{asking.words}"
    return ShapeGuess(mapping=table.complete(mapping), confidence=confidence, why=why)


def _holds_question(table: SampledTable, name: str) -> bool:
    """Whether the answers of a column repeat the turns before them."""
    cells = table.cells(name)[:20] if name else []
    found = 0
    for cell in cells:
        try:
            found += any(turn.role == "user" for turn in read_answer(cell).asked)
        except NotTeachableError:
            continue
    return bool(cells) and found >= READABLE * len(cells)


def _like_names(table: SampledTable) -> Iterator[tuple[str, str]]:
    """Columns whose names differ in their ending alone: "answer_a" and "answer_b"."""
    endings: dict[tuple[str, str], str] = {}
    for name in table.pick(COMPARED):
        if match := _ENDING.fullmatch(name.casefold()):
            endings[match["stem"], match["side"]] = name
    for (stem, side), first in endings.items():
        for one, other in _SIDES:
            second = endings.get((stem, other)) if side == one else None
            if second:
                yield first, second


def _winners(table: SampledTable, first: str, second: str) -> Iterator[str]:
    for name in table.pick(("text", "code", "number"), without={first, second}):
        facts = table.facts[name]
        if facts.distinct > 8 or not facts.distinct >= 2:
            continue
        sides = []
        unread = 0
        for cell in table.cells(name):
            try:
                sides.append(read_side(cell, first, second))
            except NotTeachableError as reason:
                unread += "difference" not in str(reason)
        is_number = facts.form == "number"
        is_named = rank_name(name, WINNER_WORDS) > 0
        if (
            len(set(sides)) == 2
            and unread <= (1 - READABLE) * len(sides)
            and (is_named or not is_number)
        ):
            yield name
