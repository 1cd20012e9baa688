"""The exam: ten held-out rows that are as different from one another as possible.

They are answered before, during and after training, so ten variants of one question would say
little. Pure; called by `mapped` with a pool of held-out rows.
"""

import heapq
from collections.abc import Sequence

from tailor.engine.data.candidates import Candidates
from tailor.engine.data.mapped_file import MappedRow
from tailor.engine.data.split import Split
from tailor.recipes.spec import ExamQuestion

QUESTIONS = 10
POOL_ROWS = 400
SHORT_ENOUGH_CHARACTERS = 2_000
"""Longer rows are asked only where shorter ones are too few: each is answered many times."""


def pool_ids(rows: Candidates, split: Split) -> frozenset[int]:
    """The held-out rows to pick from: all, or by hash where somebody has held out very many."""
    if len(split.held_out) <= POOL_ROWS:
        return split.held_out
    ids, hashes = rows.numbers("id").tolist(), rows.numbers("whole").tolist()
    held = ((hashed, one) for hashed, one in zip(hashes, ids, strict=True) if one in split.held_out)
    return frozenset(one for _, one in heapq.nsmallest(POOL_ROWS, held))


def pick_exam(pool: Sequence[MappedRow]) -> tuple[ExamQuestion, ...]:
    """At most ten questions out of a pool; none where nobody asks, as in raw text."""
    candidates = _short_ones(_askable(pool))
    if not candidates:
        return ()
    pieces = [_pieces(one) for one in candidates]
    by_length = sorted(range(len(candidates)), key=lambda i: (_length(candidates[i]), i))
    picked = [by_length[len(by_length) // 2]]
    distance = [_difference(pieces[picked[0]], other) for other in pieces]
    while len(picked) < min(QUESTIONS, len(candidates)):
        rest = [i for i in range(len(candidates)) if i not in picked]
        farthest = max(rest, key=lambda i: (distance[i], -i))
        picked.append(farthest)
        distance = [
            min(known, _difference(pieces[farthest], other))
            for known, other in zip(distance, pieces, strict=True)
        ]
    return tuple(_question(candidates[i]) for i in sorted(picked))


def _askable(pool: Sequence[MappedRow]) -> Sequence[MappedRow]:
    """Rows with a good answer in words. An exam shows neither pictures nor tools.

    Conversations with tools are asked only where there are no others: without seeing its tools a
    model has little to go by.
    """
    asked = [
        row
        for row in pool
        if row.example.messages
        and row.example.messages[-1].content.strip()
        and row.example.rating != "bad"
        and not row.example.pictures
    ]
    return [row for row in asked if not row.example.tools] or asked


def _short_ones(asked: Sequence[MappedRow]) -> Sequence[MappedRow]:
    """The rows that are short enough; where they are too few, the ten shortest."""
    short = [one for one in asked if _length(one) <= SHORT_ENOUGH_CHARACTERS]
    if len(short) >= QUESTIONS:
        return short
    kept = sorted(range(len(asked)), key=lambda i: (_length(asked[i]), i))[:QUESTIONS]
    return [asked[i] for i in sorted(kept)]


def _question(row: MappedRow) -> ExamQuestion:
    turns = row.example.messages
    return ExamQuestion(id=f"row-{row.id}", messages=turns[:-1], expected=turns[-1].content)


def _length(row: MappedRow) -> int:
    return sum(len(turn.content) for turn in row.example.messages)


def _pieces(row: MappedRow) -> frozenset[str]:
    """Words of the last question and its answer; pairs of letters where no spaces are written."""
    text = " ".join(turn.content for turn in row.example.messages[-2:]).casefold()[:4_000]
    words = text.split()
    if len(words) * 20 < len(text):
        return frozenset(text[i : i + 2] for i in range(len(text) - 1))
    return frozenset(words)


def _difference(one: frozenset[str], other: frozenset[str]) -> float:
    """1 - Jaccard: 0 for equal sets, 1 for sets with nothing in common."""
    union = len(one | other)
    return 1 - len(one & other) / union if union else 0.0
