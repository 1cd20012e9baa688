"""Which thread a row belongs to and where it stands in it, as its cells say.

A time stamp in place of a thread means its day, so that the export of an endless chat falls into
conversations. Turns are sorted by number or by time; what is neither keeps the order of the file.
`threads` asks here, and hands what it found to the makers under keys that are no column's name.
"""

import re

EARLIER = "\0earlier"
"""Key of the questions and answers of the same thread, from rows before this one."""
WHOLE = "\0whole"
"""Key of the turns of the thread that ends in this row."""
NOT_TOLD = "\0not told"
"""Key of why a row of a thread makes no example of its own."""

_DAY = re.compile(
    r"\s*(?P<day>\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})[ T,]+\d{1,2}[:.]\d{2}.*",
    re.DOTALL,
)
_GERMAN = re.compile(r"\s*(\d{1,2})\.(\d{1,2})\.(\d{2,4})(.*)", re.DOTALL)
_SHORT_HOUR = re.compile(r"(^|[ T,])(\d)(?=:\d)")
_NUMBER = re.compile(r"\s*-?\d+(?:\.\d+)?\s*")
_ISO = re.compile(r"\s*\d{4}-\d{2}-\d{2}.*", re.DOTALL)


def thread_key(cell: str) -> str:
    """What rows of one thread have in common: the cell, or the day of a time stamp."""
    stamp = _DAY.fullmatch(cell)
    return stamp["day"] if stamp else cell.strip()


def order_key(cell: str) -> tuple[float, str]:
    """The place among others; equal for all cells that are neither numbers nor times."""
    if _NUMBER.fullmatch(cell):
        return (float(cell), "")
    cell = _SHORT_HOUR.sub(r"\g<1>0\2", cell)
    if _ISO.fullmatch(cell):
        return (0.0, cell.strip())
    if german := _GERMAN.fullmatch(cell):
        day, month, year, rest = german.groups()
        return (0.0, f"{int(year) % 2000 + 2000:04}-{int(month):02}-{int(day):02}{rest}")
    return (0.0, "")


def is_time_stamp(cell: str) -> bool:
    """Whether a cell is a day with a time of day."""
    return _DAY.fullmatch(cell) is not None


def can_sort(cell: str) -> bool:
    """Whether a cell has a place of its own among others."""
    return order_key(cell) != (0.0, "")
