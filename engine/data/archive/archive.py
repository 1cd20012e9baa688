"""A zip archive: what is in it, what of it is read, and that as one table.

People zip a folder because it is the only way to hand over many files. What lies in it decides
what it is: a program's sources, pictures with a table, tables with the same columns, or documents.
`read` opens an archive here and gives the function along that opens each member by its content.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Lookup
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from itertools import chain
from typing import BinaryIO

from tailor.engine.data.archive.joined import JoinedTables, Part
from tailor.engine.data.archive.members import Archive, Member, list_members
from tailor.engine.data.archive.offers import Offer, Ticked, merge_choices, tick
from tailor.engine.data.archive.pictures import (
    PictureIndex,
    find_picture_columns,
    with_pictures,
)
from tailor.engine.data.archive.repository import (
    AS_FILES,
    choose_way,
    is_repository,
    open_repository,
)
from tailor.engine.data.archive.sorting import Sorted, sort_members
from tailor.engine.data.counted import count_words, list_places
from tailor.engine.data.documents.pieces import COLUMNS
from tailor.engine.data.table import Open, Table
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

PICTURE_SAMPLE_ROWS = 200
DOCUMENT_KINDS = frozenset({"Text", "Markdown", "Word", "PDF"})

OpenTable = Callable[[Member], AbstractContextManager[Table]]


def open_archive(file: BinaryIO, name: str, choices: Lookup[str, str], open_member: Open) -> Table:
    """Open a zip archive as one table; a member is opened by `open_member`, by its content."""
    archive = list_members(file)
    found = sort_members(archive)
    ways: tuple[ReadChoice, ...] = ()
    if is_repository(found.others):
        way = choose_way(choices)
        if way.value != AS_FILES:
            return open_repository(archive, found.others, way, _count_aside(found))
        ways = (way,)
    open_table: OpenTable = partial(_open_table, archive, choices, open_member)
    index = PictureIndex(found)

    def find_columns(member: Member) -> tuple[str, ...]:
        with open_table(member) as sample:
            return find_picture_columns(sample, index, PICTURE_SAMPLE_ROWS)

    def names_pictures(member: Member) -> bool:
        try:
            return bool(found.pictures) and bool(find_columns(member))
        except UserError:
            # A table that breaks off is not preferred; when it is read, its reader says why.
            return False

    ticked = tick(found.others, choices, open_table, names_pictures)
    if isinstance(ticked, tuple):
        raise _nothing_to_read(found, ticked, name)
    table = _join(ticked, found, ways, open_table)
    if not found.pictures or _are_documents(ticked):
        return table
    return with_pictures(table, find_columns(ticked.offers[0].member), index)


@contextmanager
def _open_table(
    archive: Archive, choices: Lookup[str, str], open_member: Open, member: Member
) -> Iterator[Table]:
    with archive.as_file(member) as file:
        table = open_member(file, member.path, choices)
        with closing(table.rows):
            yield table


def _join(
    ticked: Ticked, found: Sorted, ways: tuple[ReadChoice, ...], open_table: OpenTable
) -> Table:
    parts = [
        Part(
            path=offer.member.path,
            open=partial(open_table, offer.member),
            entry_word=offer.entry_word,
        )
        for offer in ticked.offers
    ]
    first = ticked.offers[0]
    are_documents = len(parts) > 1 and _are_documents(ticked)
    joined = JoinedTables(parts, first.columns, are_documents=are_documents)
    kinds = Counter(offer.kind for offer in ticked.offers)
    aside = _count_aside(found)
    if _are_documents(ticked):
        aside["picture"] = len(found.pictures)

    return Table(
        kind=f"Zip of {' and '.join(kind for kind, _ in kinds.most_common(2))}",
        words=f"Zip archive, {count_words(len(parts), 'file')} of it, {first.words}",
        columns=joined.columns,
        rows=joined.rows(),
        tally=joined.tally,
        entry_word=joined.entry_word,
        findings=lambda: chain(joined.findings(), _find_in_archive(ticked, found)),
        choices=(ticked.choice, *ways, *merge_choices(ticked.offers)),
        left_aside=tuple((+aside).most_common()),
        done=joined.done,
    )


def _are_documents(ticked: Ticked) -> bool:
    """Whether what is read is running text, which has no rows and no pictures of its own."""
    return all(one.kind in DOCUMENT_KINDS and one.columns == COLUMNS for one in ticked.offers)


def _count_aside(found: Sorted) -> Counter[str]:
    return Counter(reason for reason, _ in found.aside)


def _find_in_archive(ticked: Ticked, found: Sorted) -> Iterator[Finding]:
    """What is in the archive and is not read."""
    if ticked.others:
        yield _about_others(ticked)
    if ticked.problems:
        yield _about_problems(ticked.problems)
    if found.aside:
        yield _about_aside(found)


def _about_others(ticked: Ticked) -> Finding:
    paths = [offer.member.path for offer in ticked.others]
    files = count_words(len(paths), "more file")
    return Finding(
        level="note",
        title=f"{files} can be read",
        detail=f"{ticked.choice.why} Not ticked, but with rows or text in it: {files}.",
        fix="Tick other files if these are the wrong ones.",
        where=list_places(paths, len(paths)),
    )


def _about_problems(problems: tuple[Offer, ...]) -> Finding:
    files = count_words(len(problems), "file")
    first = problems[0]
    return Finding(
        level="note",
        title=f"{files} in the archive cannot be read",
        detail=f"“{first.member.path}”: {first.problem}",
        fix="Nothing to do if they are no examples.",
        where=list_places([offer.member.path for offer in problems], len(problems)),
    )


def _about_aside(found: Sorted) -> Finding:
    paths = [member.path for _, member in found.aside]
    reasons = _reasons(found)
    return Finding(
        level="note",
        title=f"{count_words(len(paths), 'file')} in the archive not opened",
        detail=f"{reasons}. Links and packed files are never opened, hidden and empty files hold "
        "no examples.",
        fix="If something is missing, put it into the archive as a plain file.",
        where=list_places(paths, len(paths)),
    )


def _nothing_to_read(found: Sorted, problems: tuple[Offer, ...], name: str) -> UserError:
    if found.pictures and not problems:
        pictures = count_words(len(found.pictures), "picture")
        return UserError(
            title="There are pictures, but no table that speaks of them",
            detail=f"The archive holds {pictures} and no file with rows.",
            fix="Add a table with a column for the picture's file name and a column for what the "
            "model should answer, and pack both together.",
        )
    if len(problems) == 1 and problems[0].problem is not None:
        problem = problems[0].problem
        return UserError(
            title=problem.title,
            detail=f"This is about “{problems[0].member.path}” in the archive. {problem.detail}",
            fix=problem.fix,
        )
    seen = _reasons(found) if found.aside else "no files at all"
    cannot = f"{count_words(len(problems), 'file')} that cannot be read" if problems else ""
    return UserError(
        title="There is nothing to read in this archive",
        detail=f"“{name[:80]}” holds {' and '.join(part for part in (cannot, seen) if part)}.",
        fix="Pack tables, documents or code as plain files, without archives inside the archive.",
    )


def _reasons(found: Sorted) -> str:
    return ", ".join(
        count_words(number, reason) for reason, number in _count_aside(found).most_common()
    )
