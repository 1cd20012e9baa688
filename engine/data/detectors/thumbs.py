"""Answers with a thumb: a column that says whether the answer beside it was good."""

from collections.abc import Collection, Iterator

from tailor.engine.data.detectors.asking_side import find_asking_side
from tailor.engine.data.detectors.chats import turn_columns
from tailor.engine.data.detectors.column_names import rank_name
from tailor.engine.data.detectors.pairs import ANSWER_FORMS
from tailor.engine.data.detectors.part_words import ANSWER_WORDS, RATING_WORDS
from tailor.engine.data.detectors.sampled_table import SampledTable
from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.ratings import read_points, read_thumb
from tailor.engine.data_types import Mapping, ShapeGuess
from tailor.estimator.record import record

READABLE = 0.95
SCALES = (3, 4, 5, 6, 7, 10, 100)
"""The most points that scales of stars, school marks and percent give."""


@record
class RatingColumn:
    """A column that can be read as thumbs."""

    name: str
    stars: int
    """0 when it says yes or no."""
    good: int
    bad: int


def guess_thumbs(table: SampledTable) -> Iterator[ShapeGuess]:
    """At most one guess, by the rating whose name fits best."""
    rating = _find_rating(table)
    if rating is None:
        return
    scale = f" of {rating.stars} points" if rating.stars else ""
    told = f"“{rating.name}” says{scale} whether the answer was good ({rating.good} good, "
    told += f"{rating.bad} bad among the first rows)"
    for name in turn_columns(table):
        yield ShapeGuess(
            mapping=table.complete(
                Mapping(shape="thumbs", messages=name, rating=rating.name, stars=rating.stars)
            ),
            confidence=0.985,
            why=f"{told}; “{name}” holds the conversations.",
        )
    answer = table.named(ANSWERED_WORDS, ANSWER_FORMS, without={rating.name})
    if not answer or table.facts[answer].is_class:
        return
    asking = find_asking_side(table, {rating.name, answer})
    if asking is None or turn_columns(table):
        return
    yield ShapeGuess(
        mapping=table.complete(
            Mapping(
                shape="thumbs",
                question=asking.question,
                context=asking.context,
                answer=answer,
                rating=rating.name,
                stars=rating.stars,
            )
        ),
        confidence=0.96 if asking.fit else 0.8,
        why=f"{told}; “{asking.question}” asks, “{answer}” answers.{asking.words}",
    )


def read_scale(cells: Collection[str]) -> int:
    """The most points that a column of numbers gives; 0 when it is no scale."""
    points = [read_points(cell) for cell in cells]
    known = {value for value in points if value is not None}
    if len(known) < 2 or len(points) != sum(value is not None for value in points):
        return 0
    if known <= {0.0, 1.0} or known <= {-1.0, 0.0, 1.0} or min(known) < 0:
        return 0
    if max(known) <= 1:
        return 0
    return next((most for most in SCALES if max(known) <= most), 0)


def _find_rating(table: SampledTable) -> RatingColumn | None:
    ranked = sorted(
        table.pick(("text", "number", "code")), key=lambda name: -rank_name(name, RATING_WORDS)
    )
    for name in ranked:
        found = _read_rating(table, name)
        is_unmistakable = found is not None and _is_thumb(table.cells(name)[0])
        if found is not None and (rank_name(name, RATING_WORDS) or is_unmistakable):
            return found
    return None


def _read_rating(table: SampledTable, name: str) -> RatingColumn | None:
    """The column as thumbs; None when it does not say both good and bad."""
    cells = table.cells(name)
    if table.facts[name].longest > 40 or table.facts[name].distinct > 101:
        return None
    stars = read_scale(cells)
    counts = {"good": 0, "bad": 0, "neither": 0, "unread": 0}
    for cell in cells:
        try:
            counts[read_thumb(cell, stars)] += 1
        except NotTeachableError as reason:
            counts["neither" if "neither" in str(reason) else "unread"] += 1
    if not counts["good"] or not counts["bad"] or counts["unread"] > (1 - READABLE) * len(cells):
        return None
    return RatingColumn(name=name, stars=stars, good=counts["good"], bad=counts["bad"])


def _is_thumb(cell: str) -> bool:
    plain = cell.strip().casefold().replace("_", " ")
    return plain[:1] in "👍👎★☆" or plain in ("up", "down", "thumbs up", "thumbs down")


ANSWERED_WORDS = ANSWER_WORDS[:3]
"""Names of written answers; a class beside a thumb is the thumb itself."""
