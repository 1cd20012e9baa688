"""What an archive offers to read: its tables and documents, and which of them are ticked.

Members with the same columns are read together; where columns differ, the largest group is read
and the person can tick another. A README is offered and not ticked. `archive` asks here.
"""

import re
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Lookup
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from tailor.engine.data.archive.members import Member
from tailor.engine.data.archive.sorting import is_side_file
from tailor.engine.data.counted import count_words
from tailor.engine.data.table import Table
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError

OpenTable = Callable[[Member], AbstractContextManager[Table]]
PIECES = "pieces"
EACH = ("each", "As it fits each file")
"""No kind of document has this way, so every one is read as it was found."""
_COUNT = re.compile(r" \([\d,]+\)$")
OPTIONS_MOST = 500
"""Files named in the choice; a list of thousands helps nobody, and all of them are read."""


@dataclass(frozen=True)
class Offer:
    """A member that was looked at."""

    member: Member
    columns: tuple[str, ...] = ()
    entry_word: str = ""
    kind: str = ""
    words: str = ""
    choices: tuple[ReadChoice, ...] = ()
    problem: UserError | None = None
    """Why it cannot be read."""


@dataclass(frozen=True)
class Ticked:
    """The members that are read as one table, and the choice to tick others."""

    offers: tuple[Offer, ...]
    others: tuple[Offer, ...]
    """Tables and documents that could be read and are not."""
    problems: tuple[Offer, ...]
    choice: ReadChoice


def look_at(member: Member, open_table: OpenTable) -> Offer:
    """Open a member for a look at its columns."""
    try:
        with open_table(member) as table:
            return Offer(
                member=member,
                columns=table.columns,
                entry_word=table.entry_word,
                kind=table.kind,
                words=table.words,
                choices=table.choices,
            )
    except UserError as problem:
        return Offer(member=member, problem=problem)


def tick(
    members: Sequence[Member],
    choices: Lookup[str, str],
    open_table: OpenTable,
    names_pictures: Callable[[Member], bool],
) -> Ticked | tuple[Offer, ...]:
    """Which members are read; when none can be, the offers with the reason of each.

    `names_pictures`: whether a table speaks of the archive's pictures, which is then what is meant.
    """
    offers = [look_at(member, open_table) for member in members]
    good = [offer for offer in offers if offer.problem is None]
    asked = set(choices.get("members", "").split("\n"))
    chosen = [offer for offer in offers if offer.member.path in asked]
    if not good:
        return tuple(offers)
    if chosen:
        why = "You chose these files."
        _check_chosen(chosen)
    else:
        chosen, why = _largest_group(good, names_pictures)
    return Ticked(
        offers=tuple(chosen),
        others=tuple(offer for offer in good if offer not in chosen),
        problems=tuple(offer for offer in offers if offer.problem is not None),
        choice=_choice(chosen, good, why),
    )


def merge_choices(offers: Sequence[Offer]) -> tuple[ReadChoice, ...]:
    """What may be decided about all members alike: the choices of the first one.

    How text is cut is found out for each member, so several of them offer all ways together.
    """
    first = offers[0].choices
    found = [choice for offer in offers for choice in offer.choices if choice.id == PIECES]
    if len(offers) == 1 or not found:
        return first
    values = {choice.value for choice in found}
    # Numbers in a label speak of one document.
    options = {value: _COUNT.sub("", label) for one in found for value, label in one.options}
    pieces = replace(
        found[0],
        value=values.pop() if len(values) == 1 else EACH[0],
        options=(*options.items(), EACH),
        why="It is found out for each file by itself.",
    )
    return tuple(pieces if choice.id == PIECES else choice for choice in first)


def _largest_group(
    good: list[Offer], names_pictures: Callable[[Member], bool]
) -> tuple[list[Offer], str]:
    meant = [offer for offer in good if not is_side_file(offer.member.path)] or good
    groups: dict[frozenset[str], list[Offer]] = {}
    for offer in meant:
        groups.setdefault(frozenset(offer.columns), []).append(offer)
    by_size = sorted(groups.values(), key=lambda group: -sum(one.member.bytes for one in group))
    largest = by_size[0]
    if len(groups) == 1:
        same = "They have the same columns, so they are read as one table."
        return largest, same if len(largest) > 1 else "It is the only file with rows or text."
    naming = next((group for group in by_size if names_pictures(group[0].member)), None)
    if naming is not None:
        return naming, "What names the pictures in the archive is read."
    which = "the largest is" if len(largest) == 1 else f"the {len(largest):,} largest are"
    return largest, f"The files in the archive have different columns; {which} read."


def _check_chosen(chosen: list[Offer]) -> None:
    for offer in chosen:
        if offer.problem is not None:
            raise UserError(
                title=offer.problem.title,
                detail=f"This is about “{offer.member.path}”. {offer.problem.detail}",
                fix=offer.problem.fix,
            )
    first = chosen[0]
    for offer in chosen:
        if set(offer.columns) != set(first.columns):
            raise UserError(
                title="These files do not have the same columns",
                detail=f"“{first.member.path}” has {', '.join(first.columns[:8])}; "
                f"“{offer.member.path}” has {', '.join(offer.columns[:8])}.",
                fix="Tick files with the same columns only, or give their columns the same names.",
            )


def _choice(chosen: Sequence[Offer], good: Sequence[Offer], why: str) -> ReadChoice:
    shown = [*chosen, *(offer for offer in good if offer not in chosen)][:OPTIONS_MOST]
    return ReadChoice(
        id="members",
        title="Which files in the archive are read?",
        value="\n".join(offer.member.path for offer in chosen),
        options=tuple((offer.member.path, _label(offer)) for offer in shown),
        why=why,
        takes_many=True,
    )


def _label(offer: Offer) -> str:
    columns = count_words(len(offer.columns), "column")
    kilobytes = f"{offer.member.bytes / 1e3:,.0f} kB"
    return f"{offer.member.path} ({offer.kind}, {columns}, {kilobytes})"
