"""Numbers and places in sentences: "1 row", "2,310 rows", "line 3, line 9 and 12 more".

Every finding names what it counts and where; a list of thousands of places helps nobody.
"""

from collections.abc import Sequence

LISTED = 20
"""How many places a finding names; the rest is a number."""


def count_words(number: int, word: str) -> str:
    """ "1 row" or "2,310 rows"."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def list_places(places: Sequence[str], total: int) -> str:
    """The first places and how many more there are."""
    listed = ", ".join(places[:LISTED])
    return f"{listed} and {total - LISTED:,} more" if total > LISTED else listed
