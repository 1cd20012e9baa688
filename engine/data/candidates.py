"""What the split has to know of every usable row, in a few bytes each.

A table may have two million rows, so a row is a handful of numbers here: digests say what is equal
without keeping a word of it. `mapped` fills this on its first way through the rows; `split` and
`mixing` compare by it.
"""

import hashlib
import unicodedata
from array import array

import numpy as np
from numpy.typing import NDArray

from tailor.engine.data.making.mapping import Example
from tailor.estimator.record import record

Numbers = NDArray[np.uint64]

CLASSES_MOST = 100
LABEL_CHARACTERS = 60
NONE = 0
"""The digest of nothing: what has none is equal to nobody."""


@record
class Identity:
    """What an example is, without case, spacing and the many ways to write a letter."""

    question: int
    """Digest of everything before the answer."""
    whole: int
    label: str = ""
    """The answer when it is short enough to be a class; else empty."""


@record
class Candidate:
    """A usable row."""

    id: int
    question: int
    whole: int
    label: str = ""
    given: str = ""
    """What the split column says; empty without one."""
    part: str = ""
    """What the name of its file says about the side (`given_split.name_part`)."""
    kept: int = NONE
    """Digest of what holds rows together whatever happens: a group, a conversation, a code file."""
    passage: int = NONE
    """Digest of a passage that several rows ask about."""


class Candidates:
    """All usable rows of a table, in its order."""

    def __init__(self) -> None:
        self._columns = {name: array("Q") for name in ("id", "question", "whole", "kept")}
        self._columns["passage"] = array("Q")
        self._labels, self._given, self._parts = _Words(), _Words(), _Words()

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._columns["id"])

    def add(self, row: Candidate) -> None:
        """Add a row."""
        for name, column in self._columns.items():
            column.append(getattr(row, name))
        self._labels.add(row.label)
        self._given.add(row.given)
        self._parts.add(row.part)

    def numbers(self, name: str) -> Numbers:
        """Ids or digests of all rows."""
        return np.array(self._columns[name], dtype=np.uint64)

    @property
    def labels(self) -> list[str]:
        """The label of each row; all empty when there are too many to be classes."""
        return self._labels.words

    @property
    def given(self) -> list[str]:
        """What the split column says of each row."""
        return self._given.words

    @property
    def parts(self) -> list[str]:
        """What the name of each row's file says."""
        return self._parts.words


class _Words:
    """A few words that come back often, each kept once; when they become many, none is kept."""

    def __init__(self) -> None:
        self._all: list[str] = []
        self._known: dict[str, str] = {}

    def add(self, word: str) -> None:
        """Add the word of the next row."""
        if len(self._known) <= CLASSES_MOST:
            self._all.append(self._known.setdefault(word, word))
        else:
            self._all.append("")

    @property
    def words(self) -> list[str]:
        """The words of all rows, or as many empty ones."""
        return self._all if len(self._known) <= CLASSES_MOST else [""] * len(self._all)


def identify(example: Example) -> Identity:
    """What an example is."""
    if example.messages:
        asked = "\n".join(
            f"{turn.role}: {turn.content}{turn.tool_calls}" for turn in example.messages[:-1]
        )
        last = example.messages[-1]
        answer = "\n".join((last.content + last.tool_calls, *example.rejected, example.rating))
        label = last.content.strip() if len(last.content) <= LABEL_CHARACTERS else ""
    else:
        asked = "\n".join((example.before, example.after))
        answer, label = example.text, ""
        if not asked.strip():
            whole = digest(answer)
            return Identity(question=whole, whole=whole)
    question = digest(asked)
    return Identity(question=question, whole=digest(f"{question} {answer}"), label=label)


def digest(text: str) -> int:
    """A number that equal texts share; case and spacing do not count. Never `NONE`."""
    same = text if text.isascii() else unicodedata.normalize("NFKC", text)
    plain = " ".join(same.casefold().split()).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(plain, digest_size=8).digest()) or 1
