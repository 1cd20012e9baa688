"""How long a row may be before it is cut, and how many rows that would cut.

Cutting takes away the end of a row, which is its answer, and an answer that would break off is not
learned at all. So the automatic choice cuts nothing that the model can read. A shorter limit is for
memory, and says what it costs.
"""

from tailor.estimator.record import record
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.spec import Choice, Knob

AUTOMATIC = "auto"

LONGEST_ROW = Knob(
    id="longest_row",
    title="How long may a row be?",
    why="Long rows need more memory. An answer that does not fit whole is not learned.",
    expert_name="max_length, in tokens",
    choices=(
        Choice(value=AUTOMATIC, title="Automatic", notice="As long as your longest row."),
        Choice(value="256", title="Very short", notice="About 190 English words."),
        Choice(value="512", title="Short", notice="About 380 English words."),
        Choice(value="1024", title="Medium", notice="About 770 English words."),
        Choice(value="2048", title="Long", notice="About 1,500 English words."),
        Choice(value="4096", title="Very long", notice="About 3,000 English words."),
    ),
    default=AUTOMATIC,
)

STEP_TOKENS = 64
"""Limits are multiples of this, so that memory comes in even pieces."""


@record
class RowLength:
    """The limit, and why."""

    limit_tokens: int
    words: str


def choose_row_length(value: str, lengths: LengthHistogram, max_positions: int) -> RowLength:
    """The limit in tokens, never above what the model was made for."""
    longest = lengths.longest_tokens
    wanted = int(value) if value != AUTOMATIC else -(-max(1, longest) // STEP_TOKENS) * STEP_TOKENS
    limit = max(1, min(wanted, max_positions))
    if longest <= limit:
        words = f"Your longest row has {longest:,} tokens, so nothing is cut."
        return RowLength(limit_tokens=limit, words=words)
    why = (
        f"This model reads {max_positions:,} tokens at most"
        if limit == max_positions
        else f"You chose {limit:,} tokens"
    )
    return RowLength(
        limit_tokens=limit,
        words=f"{why}; your longest row has {longest:,}. Up to {_longer(lengths, limit):,} of "
        f"{lengths.rows:,} rows lose their end, and answers that do not fit whole are not learned.",
    )


def _longer(lengths: LengthHistogram, limit: int) -> int:
    """Rows in buckets that reach beyond the limit."""
    pairs = zip(lengths.edges_tokens, lengths.counts, strict=True)
    return sum(count for edge, count in pairs if edge > limit)
