"""What the columns mean: guesses with a reason each, best first; the person decides.

Every detector is pure: columns and a sample of rows in, guesses out. A guess that makes no finished
example on the sample is not offered. The reading child calls `guess_shapes` once.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tailor.engine.data.column_names import (
    ANSWER_WORDS,
    CONTEXT_WORDS,
    DETAILS_WORDS,
    QUESTION_WORDS,
    SYSTEM_WORDS,
    TEXT_WORDS,
    rank_name,
    split_words,
)
from tailor.engine.data.json_roots import FIRST_TEXT
from tailor.engine.data.mapping import build_example
from tailor.engine.data_types import Mapping, ShapeGuess

SAMPLE_ROWS = 200
OFFERED = 4
USABLE_SHARE = 0.5
"""A guess under which fewer sample rows make an example is not offered, unless nothing else is."""
_SPEAKER_KEYS = frozenset({"role", "from"})

Sample = Sequence[Sequence[str]]


def guess_shapes(columns: Sequence[str], sample: Sample) -> tuple[ShapeGuess, ...]:
    """At most four guesses, best first; at least one whenever there is a row with text."""
    rows = [dict(zip(columns, cells, strict=True)) for cells in sample]
    chats = [name for name in columns if _is_chat(name, rows)]
    # Beside a column of conversations every other reading is a wrong one.
    guesses = list(_chat_guesses(columns, chats)) or _table_guesses(columns, rows)
    weighed: dict[Mapping, ShapeGuess] = {}
    for guess in guesses:
        weighed.setdefault(guess.mapping, _weigh(guess, rows))
    best_first = sorted(weighed.values(), key=lambda guess: -guess.confidence)
    # A guess that makes no example is still better than none: its preview tells the reason.
    return tuple([one for one in best_first if one.confidence > 0][:OFFERED] or best_first[:1])


def _table_guesses(columns: Sequence[str], rows: list[dict[str, str]]) -> list[ShapeGuess]:
    plain = [name for name in columns if not _has_first(name, columns)]
    return [
        *_alpaca_guesses(plain),
        *_named_pair_guesses(plain),
        *_pair_by_content_guesses(plain, rows),
        *_text_guesses(plain, rows),
    ]


def _weigh(guess: ShapeGuess, rows: list[dict[str, str]]) -> ShapeGuess:
    """The guess, less sure of itself when few rows of the sample make an example under it."""
    good = sum(not build_example(guess.mapping, row).left_out for row in rows)
    usable = good / len(rows) if rows else 0.0
    if usable >= USABLE_SHARE:
        return replace(guess, confidence=round(guess.confidence, 2))
    return replace(
        guess,
        confidence=round(guess.confidence * usable, 2),
        why=f"{guess.why} Only {usable:.0%} of the first rows make a finished example.",
    )


def _has_first(name: str, columns: Sequence[str]) -> bool:
    """Whether the first text of a list stands in a column of its own, which says more than JSON."""
    return f"{name}{FIRST_TEXT}" in columns


def _is_chat(name: str, rows: list[dict[str, str]]) -> bool:
    cells = [row[name] for row in rows if row[name].strip()]
    return bool(cells) and sum(map(_holds_turns, cells)) >= 0.8 * len(cells)


def _chat_guesses(columns: Sequence[str], chats: Sequence[str]) -> Iterator[ShapeGuess]:
    for name in chats:
        others = [other for other in columns if other != name]
        yield ShapeGuess(
            mapping=Mapping(shape="chat", messages=name, system=_best_name(others, SYSTEM_WORDS)),
            confidence=0.98,
            why=f"“{name}” holds whole conversations: who speaks, and what is said.",
        )


def _alpaca_guesses(columns: Sequence[str]) -> Iterator[ShapeGuess]:
    """Instruction, input, output: the instruction comes first, the input is often empty."""
    instruction = _column(columns, "instruction")
    others = [name for name in columns if name != instruction]
    details, answer = _best_name(others, DETAILS_WORDS), _best_name(others, ANSWER_WORDS)
    if not instruction or not details or not answer or details == answer:
        return
    yield ShapeGuess(
        mapping=Mapping(
            shape="question_answer",
            question=details,
            answer=answer,
            context=instruction,
            system=_best_name(others, SYSTEM_WORDS),
        ),
        confidence=0.96,
        why=f"“{instruction}” comes first, then “{details}” where there is any; "
        f"“{answer}” is the answer.",
    )


def _named_pair_guesses(columns: Sequence[str]) -> Iterator[ShapeGuess]:
    answer = _best_name(columns, ANSWER_WORDS)
    others = [name for name in columns if name != answer]
    context = _best_name(others, CONTEXT_WORDS)
    question = _best_name([name for name in others if name != context], QUESTION_WORDS)
    if not question and context:
        question, context = context, ""
    if not question or not answer:
        return
    fit = min(rank_name(question, QUESTION_WORDS), rank_name(answer, ANSWER_WORDS))
    before = f" “{context}” is put before the question." if context else ""
    yield ShapeGuess(
        mapping=Mapping(
            shape="question_answer",
            question=question,
            answer=answer,
            context=context,
            system=_best_name(others, SYSTEM_WORDS),
        ),
        confidence=0.6 + 0.34 * fit,
        why=f"The names say it: “{question}” asks, “{answer}” answers.{before}",
    )


def _pair_by_content_guesses(
    columns: Sequence[str], rows: list[dict[str, str]]
) -> Iterator[ShapeGuess]:
    """The two columns with the most text; the one that asks or stands first is the question.

    Length says nothing: an answer may be a label, a short form or a whole letter.
    """
    by_length = sorted(columns, key=lambda name: -_mean_length(name, rows))
    written = [name for name in by_length if _has_varied_text(name, rows)][:2]
    if len(written) < 2:
        return
    asks = {name: sum("?" in row[name] or "？" in row[name] for row in rows) for name in written}
    first, second = sorted(written, key=columns.index)
    question, answer = (second, first) if asks[second] > asks[first] else (first, second)
    reason = "has the question marks" if asks[question] > asks[answer] else "stands first"
    yield ShapeGuess(
        mapping=Mapping(shape="question_answer", question=question, answer=answer),
        confidence=0.5 if len(columns) == 2 else 0.35,
        why=f"These two hold the most text; “{question}” {reason}. Please look closely.",
    )


def _text_guesses(columns: Sequence[str], rows: list[dict[str, str]]) -> Iterator[ShapeGuess]:
    name = max(columns, key=lambda name: (_mean_length(name, rows), rank_name(name, TEXT_WORDS)))
    is_alone = len(columns) == 1
    yield ShapeGuess(
        mapping=Mapping(shape="text", text=name),
        confidence=0.9 if is_alone else 0.2,
        why=f"“{name}” is the only column." if is_alone else f"“{name}” alone, as running text.",
    )


def _holds_turns(cell: str) -> bool:
    if not cell.lstrip().startswith("["):
        return False
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(turn, dict) and not _SPEAKER_KEYS.isdisjoint(turn) for turn in value)
    )


def _best_name(columns: Sequence[str], words: tuple[str, ...]) -> str:
    best = max(columns, key=lambda name: rank_name(name, words), default="")
    return best if best and rank_name(best, words) > 0 else ""


def _column(columns: Sequence[str], word: str) -> str:
    return next((name for name in columns if split_words(name) == (word,)), "")


def _mean_length(name: str, rows: list[dict[str, str]]) -> float:
    return sum(len(row[name]) for row in rows) / max(1, len(rows))


def _has_varied_text(name: str, rows: list[dict[str, str]]) -> bool:
    """Whether a column is more than an index, a constant or numbers."""
    cells = {row[name].strip() for row in rows} - {""}
    wordy = sum(any(letter.isalpha() for letter in cell) and cell[0] not in "[{" for cell in cells)
    return wordy * 2 > len(cells) > 0 and (len(cells) > 1 or len(rows) < 3)
