"""The plans beside each other as points: memory per card against time. Pure.

`plan_chart` draws what is worked out here, and `plan_table` shows the same plans as a table for
whoever uses no mouse. Sentences and numbers are made here, so that a test reads them.
"""

from typing import TypedDict

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import Technique
from tailor.ui.plan.comparison import Compared, Comparison
from tailor.ui.text_compare import ChartText
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    duration_range_words,
    duration_words,
)

GIB = 2**30
UNITS = ((90.0, 1.0, "seconds"), (5400.0, 60.0, "minutes"), (172_800.0, 3600.0, "hours"))
"""Up to how many seconds, divided by what, in which unit."""
DAYS = (86_400.0, "days")
WIDE = 15.0
"""Where the longest plan takes so many times the shortest, equal steps would press the short ones
into one line."""
MARKS = (
    1, 3, 10, 30, 60, 180, 600, 1800, 3600, 10_800, 36_000, 86_400, 259_200, 864_000, 2_592_000,
)  # fmt: skip
"""Seconds that are round in some unit, each about three times the one before."""
SHAPES: dict[Technique, tuple[str, str]] = {
    "lora": ("circle", ChartText.ADAPTER),
    "qlora": ("square", ChartText.PACKED),
    "full": ("diamond", ChartText.WHOLE),
}
"""The chart library's name of a sign, and what it stands for."""


class Point(TypedDict):
    """One plan."""

    x: float
    x_less: float
    x_more: float
    y: float
    y_less: float
    y_more: float
    shape: str
    words: str
    """What the pointer shows: the difference from the chosen plan, and its figures."""
    sent: str
    is_chosen: bool
    is_best: bool
    """Nothing beats it in both memory and time."""


class Line(TypedDict):
    """Something upright: the memory that is free."""

    x: float
    words: str


class PlanChartValue(TypedDict):
    """What the chart draws."""

    points: list[Point]
    free: Line
    x: str
    y: str
    ticks: list[tuple[float, str]]
    """Marks of a time axis in equal ratios; empty for an axis in equal steps."""
    shapes: list[tuple[str, str]]
    """Sign and what it stands for, of those that are drawn."""
    yours: str
    label: str
    sentence: str


def chart_value(comparison: Comparison, hardware: HardwareSpec) -> PlanChartValue:
    """Points, the free line and the sentence beneath."""
    spans = [one.variant.estimate.seconds for one in comparison.plans]
    divisor, unit = _time_unit(max(span.high for span in spans))
    ticks = _ratio_ticks(min(span.low for span in spans), max(span.high for span in spans))
    free = comparison.plans[0].variant.estimate.capacity_bytes
    drawn = dict.fromkeys(one.technique for one in comparison.plans)
    return PlanChartValue(
        points=[_point(one, divisor) for one in comparison.plans],
        free=Line(x=free / GIB, words=ChartText.FREE.format(free=bytes_words(free))),
        x=ChartText.X_CARD if hardware.cards else ChartText.X,
        y=ChartText.Y_RATIO if ticks else ChartText.Y.format(unit=unit),
        ticks=[(seconds / divisor, words) for seconds, words in ticks],
        shapes=[SHAPES[name] for name in drawn],
        yours=ChartText.YOUR_PLAN,
        label=ChartText.LABEL,
        sentence=ChartText.SENTENCE,
    )


def _point(one: Compared, divisor: float) -> Point:
    memory, seconds = one.variant.estimate.memory_bytes, one.variant.estimate.seconds
    return Point(
        x=memory.likely / GIB,
        x_less=(memory.likely - memory.low) / GIB,
        x_more=(memory.high - memory.likely) / GIB,
        y=seconds.likely / divisor,
        y_less=(seconds.likely - seconds.low) / divisor,
        y_more=(seconds.high - seconds.likely) / divisor,
        shape=SHAPES[one.technique][0],
        words=ChartText.HOVER.format(
            words=one.variant.words,
            memory=bytes_range_words(memory.low, memory.high),
            time=duration_range_words(seconds.low, seconds.high),
            difference=one.difference,
        ),
        sent=one.variant.sent,
        is_chosen=one.is_chosen,
        is_best=one.is_best,
    )


def _ratio_ticks(shortest: float, longest: float) -> list[tuple[float, str]]:
    """Marks in seconds; none where equal steps show every plan well."""
    if longest < WIDE * max(1.0, shortest):
        return []
    inside = [mark for mark in MARKS if shortest / 2 <= mark <= longest * 2]
    return [(mark, duration_words(mark)) for mark in inside]


def _time_unit(seconds: float) -> tuple[float, str]:
    for most, divisor, unit in UNITS:
        if seconds < most:
            return divisor, unit
    return DAYS
