"""How findings about rows name them: a few numbers, and how many there are in all."""

from collections.abc import Sequence

NAMED_ROWS = 5
KEPT_IDS = 20


def name_rows(ids: Sequence[int]) -> str:
    """The first few by their numbers."""
    named = ", ".join(str(row_id) for row_id in ids[:NAMED_ROWS])
    return f"rows {named}" + (", ..." if len(ids) > NAMED_ROWS else "")


def shown_ids(ids: Sequence[int]) -> tuple[int, ...]:
    """Those that a finding keeps, to be looked at."""
    return tuple(ids[:KEPT_IDS])


def these_rows(count: int) -> str:
    """The number in words that fit into a sentence."""
    return "1 row" if count == 1 else f"{count:,} rows"
