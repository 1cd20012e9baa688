"""Rows out of something that has to be closed again, such as an unpacked copy or an archive.

A generator that was never begun does not run its `finally`, so a table that is refused before its
first row would leave the copy open. Readers that open something of their own hand its rows on
through here.
"""

from collections.abc import Generator
from contextlib import AbstractContextManager, closing
from typing import Any, cast

from tailor.engine.data.read_row import ReadRow


def hold_open(
    held: AbstractContextManager[Any], rows: Generator[ReadRow, None, None]
) -> Generator[ReadRow, None, None]:
    """The same rows; `held` is left when they end or are closed, even when none was taken."""
    holding = _hold(held, rows)
    next(holding)
    # What it yields from here on are rows only.
    return cast(Generator[ReadRow, None, None], holding)


def _hold(
    held: AbstractContextManager[Any], rows: Generator[ReadRow, None, None]
) -> Generator[ReadRow | None, None, None]:
    with held, closing(rows):
        yield None
        yield from rows
