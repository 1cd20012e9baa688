"""What the doctor remembers of all rows: where they stand, a piece of their text, who is alike.

Checks keep row ids only; what it takes to tell about a row comes from here. Rows are many, so all
of it is kept in flat arrays. Filled by `doctor` row by row, asked by the checks at the end.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

from tailor.engine.data.counted import LISTED, list_places
from tailor.engine.data.doctor.likeness import Likeness
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.rows_file import StoredRow

SNIPPET_CHARACTERS = 120
EXAMPLES = 3


class Survey:
    """Everything that is known of the rows that were seen."""

    def __init__(self, entry_word: str, *, has_likeness: bool) -> None:
        self.ids = array("q")
        self.used = 0
        """How many rows a model would learn from."""
        self.looked_at = 0
        """How many of these the costly checks have seen; fewer for very large tables."""
        self._entry_word = entry_word
        self._numbers = array("q")
        self._parts = array("i")
        self._part_names: dict[str, int] = {}
        self._snippets = bytearray()
        self._snippet_ids = array("q")
        self._snippet_ends = array("q")
        self._has_likeness = has_likeness
        self._likeness = Likeness()

    def add(self, stored: StoredRow, row: Row, *, is_sampled: bool) -> None:
        """Remember a row."""
        self.ids.append(stored.id)
        is_entry = self._entry_word == "entry"
        self._numbers.append(stored.id if is_entry else stored.first_line)
        part = self._part_names.setdefault(stored.part, len(self._part_names))
        self._parts.append(part)
        if not row.is_usable:
            return
        self.used += 1
        if not is_sampled:
            return
        self.looked_at += 1
        if self._has_likeness:
            self._likeness.add(stored.id, row.whole_digest, row.subject)
            self._snippet_ids.append(stored.id)
            self._snippets += snippet(row).encode("utf-8", "replace")
            self._snippet_ends.append(len(self._snippets))

    def where(self, row_id: int) -> str:
        """Where a row stands, in words."""
        index = bisect_left(self.ids, row_id)
        place = f"{self._entry_word} {self._numbers[index]:,}"
        part = list(self._part_names)[self._parts[index]]
        return f"{part}, {place}" if part else place

    def places(self, row_ids: Sequence[int]) -> str:
        """Where the first of these rows stand and how many more there are."""
        return list_places([self.where(one) for one in row_ids[:LISTED]], len(row_ids))

    def text_of(self, row_id: int) -> str:
        """The beginning of a row's text; only where likeness was asked for."""
        index = bisect_left(self._snippet_ids, row_id)
        begin = self._snippet_ends[index - 1] if index else 0
        return self._snippets[begin : self._snippet_ends[index]].decode()

    @cached_property
    def clusters(self) -> tuple[tuple[int, ...], ...]:
        """Rows that say nearly the same, though not the same; ids in order."""
        return self._likeness.clusters()

    def name_of(self, row_ids: Sequence[int]) -> int:
        """A name for a group of rows out of what they say, whatever their order."""
        return self._likeness.name_of(row_ids)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """These, and short rows that differ in one word: a split must not tear them apart."""
        return self._likeness.groups()


def snippet(row: Row) -> str:
    """A short piece of a row as plain text: what is asked, and how the answer begins."""
    half = SNIPPET_CHARACTERS // 2
    if not row.question:
        return shorten(row.answer, SNIPPET_CHARACTERS)
    return f"{shorten(row.question, half)} → {shorten(row.answer, half)}"


def shorten(text: str, most: int = SNIPPET_CHARACTERS) -> str:
    """The beginning of a text on one line."""
    words = " ".join(text[: most + most // 2].split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def around(text: str, start: int, end: int, most: int = SNIPPET_CHARACTERS) -> str:
    """A place in a text with a little before and after it."""
    end = min(end, start + most)
    room = (most - (end - start)) // 2
    begin, stop = max(0, start - room), min(len(text), end + room)
    words = " ".join(text[begin:stop].split())
    return f"{'…' if begin else ''}{words}{'…' if stop < len(text) else ''}"


def first_examples(examples: Iterable[str]) -> tuple[str, ...]:
    """At most three that differ."""
    return tuple(dict.fromkeys(examples))[:EXAMPLES]
