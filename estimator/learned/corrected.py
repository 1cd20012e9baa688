"""From what the formulas say to what is promised: each number with its middle and its range.

A formula gives one number; calibration knows how far such numbers were off, here and elsewhere.
`estimate()` sends every number of a promise through here, and keeps the uncorrected one beside it.
"""

from tailor.estimator.calibration import Calibration
from tailor.estimator.learned.residual import Quantity, Residual, ResidualKey
from tailor.estimator.promise import MemoryPart, PartName, Range

EXACT: frozenset[PartName] = frozenset({"weights"})
"""Counted, not estimated: a correction is laid on the other parts."""


def correct(told: Range, residual: Residual) -> Range:
    """The promised range of a number whose likely value the formulas gave."""
    low, high = residual.factor(0.90)
    return Range(
        low=told.likely * low,
        likely=told.likely * residual.likely_factor,
        high=told.likely * high,
    )


def spread(calibration: Calibration, quantity: Quantity, key: ResidualKey, likely: float) -> Range:
    """A number with the range that measurements elsewhere give it."""
    low, high = calibration.residual(quantity, key).factor(0.90)
    return Range(low=likely * low, likely=likely, high=likely * high)


def shift(told: Range, by: float) -> Range:
    """The same range with something certain on top."""
    return Range(low=told.low + by, likely=told.likely + by, high=told.high + by)


def add(one: Range, other: Range) -> Range:
    """Both together, when what makes one long makes the other long too."""
    return Range(
        low=one.low + other.low, likely=one.likely + other.likely, high=one.high + other.high
    )


def times(told: Range, factor: float) -> Range:
    """So many of it."""
    return Range(low=told.low * factor, likely=told.likely * factor, high=told.high * factor)


def fit_parts(parts: tuple[MemoryPart, ...], total_bytes: float) -> tuple[MemoryPart, ...]:
    """Parts that add up to a corrected total. What can be counted stays as it is."""
    fixed = sum(part.bytes for part in parts if part.name in EXACT)
    moving = sum(part.bytes for part in parts if part.name not in EXACT)
    total = round(total_bytes)
    if fixed + moving == total:
        return parts
    if not moving or total <= fixed:
        return _scaled(parts, total, total / max(1, fixed + moving), frozenset())
    return _scaled(parts, total, (total - fixed) / moving, EXACT)


def _scaled(
    parts: tuple[MemoryPart, ...], total: int, factor: float, kept: frozenset[PartName]
) -> tuple[MemoryPart, ...]:
    scaled = [
        part if part.name in kept else MemoryPart(name=part.name, bytes=round(part.bytes * factor))
        for part in parts
    ]
    # Rounding may miss the total by a byte or two; the largest part that moved takes them.
    moved = [place for place, part in enumerate(scaled) if part.name not in kept]
    largest = max(moved, key=lambda place: scaled[place].bytes)
    missing = total - sum(part.bytes for part in scaled)
    scaled[largest] = MemoryPart(name=scaled[largest].name, bytes=scaled[largest].bytes + missing)
    return tuple(scaled)
