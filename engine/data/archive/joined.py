"""Several tables with the same columns as one: rows in order, counts added, remarks put together.

A folder of exports, or three hundred letters, is one set of examples. The tables are opened one
after another, so that two thousand files need no more memory than one. `archive` joins the members
of an archive here.
"""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, fields, replace

from tailor.engine.data.counted import count_words, list_places
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.findings import Finding

MIXED_WORD = "piece"
"""How places are told when files are parted differently: into lines, paragraphs and pages."""
DOCUMENT = "document id"
"""Column with the file of each text; by its name it groups rows and is nobody's question."""
_NUMBER = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Part:
    """One of the tables."""

    path: str
    """The name that its rows carry."""
    open: Callable[[], AbstractContextManager[Table]]
    entry_word: str


class JoinedTables:
    """Rows of all parts, once; counts and remarks fill while rows are taken."""

    def __init__(
        self, parts: Sequence[Part], columns: tuple[str, ...], *, are_documents: bool = False
    ) -> None:
        """`columns`: in which order cells are handed on.

        `are_documents`: the parts are texts of their own, and each row names its own in one column
        more, so that a text stays on one side of the split.
        """
        self._parts = parts
        self._read_columns = columns
        self._are_documents = are_documents
        self.columns = (*columns, DOCUMENT) if are_documents else columns
        self._findings: list[tuple[str, Finding]] = []
        words = {part.entry_word for part in parts}
        self.entry_word = words.pop() if len(words) == 1 else MIXED_WORD
        self.tally = Tally()
        self._read_parts = 0

    def done(self) -> float:
        """Share of the parts that was read."""
        return self._read_parts / len(self._parts)

    def rows(self) -> Generator[ReadRow, None, None]:
        """Every row, with the file that it stands in."""
        for part in self._parts:
            with part.open() as table, closing(table.rows) as rows:
                places = [table.columns.index(name) for name in self._read_columns]
                for number, row in enumerate(rows, start=1):
                    yield self._placed(row, number, part, places)
                self._findings += [(part.path, finding) for finding in table.findings()]
                _add(self.tally, table.tally)
            self._read_parts += 1

    def findings(self) -> Iterator[Finding]:
        """What the parts have to tell; the same remark on several files is told once."""
        alike: dict[tuple[str, str], list[tuple[str, Finding]]] = {}
        for path, finding in self._findings:
            key = (finding.level, _NUMBER.sub("#", finding.title))
            alike.setdefault(key, []).append((path, finding))
        for told in alike.values():
            path, first = told[0]
            if len(told) == 1:
                where = ", ".join(place for place in (path, first.where) if place)
                yield replace(first, where=where)
                continue
            if all(finding.detail == first.detail for _, finding in told):
                yield replace(first, where=count_words(len(told), "file"))
                continue
            paths = [path for path, _ in told]
            more = count_words(len(told) - 1, "more file")
            yield replace(
                first,
                title=f"{first.title}, and the like in {more}",
                detail=f"In “{path}”: {first.detail}",
                where=list_places(paths, len(paths)),
            )

    def _placed(self, row: ReadRow, number: int, part: Part, places: list[int]) -> ReadRow:
        is_mixed = self.entry_word == MIXED_WORD
        own = (part.path,) if self._are_documents else ()
        return ReadRow(
            cells=(*(row.cells[place] for place in places), *own),
            first_line=number if is_mixed else row.first_line,
            last_line=number if is_mixed else row.last_line,
            damage=row.damage,
            part=", ".join(word for word in (part.path, row.part) if word),
        )


def _add(total: Tally, part: Tally) -> None:
    """Add the numbers of a part, and its places behind those that are there."""
    for one in fields(Tally):
        setattr(total, one.name, getattr(total, one.name) + getattr(part, one.name))
