"""A finding put together from rows, and the remedies that most checks offer.

Each check has its own words for what it found; how many rows, where they stand, that a large table
was only sampled, and what "leave out" does are told alike by all. Used by the files in `checks/`.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Literal

from tailor.engine.data.counted import LISTED, count_words
from tailor.engine.data.doctor.check import Found, Mend, Remedy
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.secret_forms import hide_secrets
from tailor.engine.data.doctor.survey import EXAMPLES, Survey
from tailor.engine.findings import Finding, Fix


class Hits:
    """Rows in which something was found, and how the first of them look."""

    def __init__(self) -> None:
        self.ids = array("q")
        self.examples: list[str] = []

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.ids)

    def add(self, row: Row, example: str) -> None:
        """Count a row; the example is asked for only by the first ones."""
        self.ids.append(row.id)
        if len(self.examples) < EXAMPLES:
            self.examples.append(example)


def tell(
    survey: Survey,
    *,
    check: str,
    level: Literal["stop", "warn", "note"],
    title: str,
    detail: str,
    effect: str,
    fix: str,
    row_ids: Sequence[int] = (),
    examples: Iterable[str] = (),
    remedies: tuple[Remedy, ...] = (),
    unoffered: tuple[Remedy, ...] = (),
) -> Found:
    """A finding about these rows, in their order; `unoffered` remedies have no button."""
    finding = Finding(
        level=level,
        title=title,
        detail=f"{detail} {_of_a_sample(survey)}".strip(),
        fix=fix,
        where=survey.places(row_ids),
        check=check,
        count=len(row_ids),
        row_ids=tuple(row_ids[:LISTED]),
        examples=tuple(map(hide_secrets, islice(examples, EXAMPLES))),
        effect=effect,
        fixes=tuple(remedy.fix for remedy in remedies),
    )
    return Found(finding=finding, row_ids=row_ids, remedies=(*remedies, *unoffered))


def leave_out(
    row_ids: Sequence[int],
    because: str,
    *,
    id: str = "leave_out",
    label: str = "Leave these rows out",
    is_suggested: bool = False,
) -> Remedy:
    """Leave rows out; `because` completes "you left it out: ..."."""
    number = len(row_ids)
    return Remedy(
        fix=Fix(
            id=id,
            label=label,
            words=f"{count_words(number, 'row')} {'is' if number == 1 else 'are'} left out.",
            is_suggested=is_suggested,
        ),
        told=told_left_out,
        left_out=row_ids,
        because=because,
    )


def change_texts(
    begin: Callable[[str], Mend],
    *,
    id: str,
    label: str,
    words: str,
    told: str,
    asks: str = "",
    is_suggested: bool = False,
) -> Remedy:
    """Change texts in place; `told` completes "In 12 rows ..."."""
    return Remedy(
        fix=Fix(id=id, label=label, words=words, is_suggested=is_suggested, asks=asks),
        told=lambda rows: f"In {count_words(rows, 'row')} {told}",
        begin=begin,
    )


def told_left_out(rows: int) -> str:
    """What was done to so many rows that were left out."""
    return f"{count_words(rows, 'row')} {'was' if rows == 1 else 'were'} left out."


def _of_a_sample(survey: Survey) -> str:
    if survey.looked_at >= survey.used:
        return ""
    return (
        f"The table is large: {survey.looked_at:,} of {survey.used:,} rows were looked at, "
        "so there are likely more."
    )
