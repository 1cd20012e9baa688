"""How long a row may be, as the draft says it: one choice that Check and Plan both show.

Check raises it where answers would be cut, Plan lists all its values.
"""

from typing import Final

from tailor.engine.data_types import RenderReport
from tailor.engine.types import Draft
from tailor.recipes.limit_choices import LimitChoice
from tailor.recipes.row_length import AUTOMATIC, LONGEST_ROW

MOST_OFFERED: Final = 3


def read_row_limit(draft: Draft) -> int:
    """The chosen limit; 0 where the longest row decides."""
    chosen = dict(draft.knobs).get(LONGEST_ROW.id, AUTOMATIC)
    return int(chosen) if chosen.isdecimal() else 0


def higher_limits(report: RenderReport) -> tuple[LimitChoice, ...]:
    """Limits that each cut fewer rows than the one before, beginning with the present one."""
    found: list[LimitChoice] = []
    cut = report.cut_rows
    for one in sorted(report.limits, key=lambda one: one.tokens):
        if one.tokens > report.max_length_tokens and one.cut_rows < cut:
            found.append(one)
            cut = one.cut_rows
    return tuple(found[:MOST_OFFERED])


def added_memory_bytes(report: RenderReport, limit: LimitChoice) -> int:
    """What a limit needs more than the present one, by the estimator's high figure."""
    now = [one for one in report.limits if one.tokens <= report.max_length_tokens]
    before = max(now, key=lambda one: one.tokens) if now else None
    if before is None:
        return 0
    return max(0, limit.memory_high_bytes - before.memory_high_bytes)


def knob_value(limit: LimitChoice) -> str:
    """The value of the choice that sets this limit."""
    named = {choice.value for choice in LONGEST_ROW.choices}
    return str(limit.tokens) if str(limit.tokens) in named else AUTOMATIC


def with_row_limit(draft: Draft, value: str) -> tuple[tuple[str, str], ...]:
    """The draft's knobs with another limit."""
    return tuple(sorted((dict(draft.knobs) | {LONGEST_ROW.id: value}).items()))
