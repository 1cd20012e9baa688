"""Numbers in words: memory, durations, clock times, with no more digits than they deserve.

A figure without a unit, or with digits that the estimate cannot know, is a false promise. Every
screen that shows a figure says it through this file.
"""

import math
import time
from typing import Final

KIB: Final = 1024
UNITS: Final = ("bytes", "KB", "MB", "GB", "TB")
MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86400
MONTH: Final = 2_629_800
YEAR: Final = 12 * MONTH
SHORT_MINUTES: Final = 10
"""Below this a duration in minutes is told to the half minute."""
NEAR: Final = 0.08
"""Ends of a range that are this close are told as one figure."""
TEN: Final = 10
ORDINALS: Final = ("Next", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")


def bytes_words(count: float) -> str:
    """1503238553 becomes "1.4 GB": binary multiples, as drivers and memory makers count them."""
    value, unit = _scaled(count)
    return f"{_short(value)} {unit}"


def bytes_range_words(low: float, high: float) -> str:
    """ "1.4-1.9 GB", or one figure when both ends look the same."""
    _, unit = _scaled(high)
    divisor = KIB ** UNITS.index(unit)
    first, last = _short(low / divisor), _short(high / divisor)
    return f"{last} {unit}" if first == last else f"{first}-{last} {unit}"


def count_words(number: float) -> str:
    """2841 becomes "2,841"."""
    return f"{number:,.0f}"


def duration_words(seconds: float) -> str:
    """One duration: "40 s", "12 min", "1 h 20 min", "2 days 3 h"."""
    if seconds < MINUTE:
        return f"{max(1, round(seconds))} s"
    if seconds < SHORT_MINUTES * MINUTE and round(seconds) % MINUTE:
        whole, rest = divmod(round(seconds), MINUTE)
        return f"{whole} min {rest} s"
    minutes = round(seconds / MINUTE)
    if minutes < MINUTE:
        return f"{minutes} min"
    if seconds < DAY:
        hours, rest = divmod(minutes, MINUTE)
        return f"{hours} h {rest} min" if rest else f"{hours} h"
    days, rest = divmod(round(seconds / HOUR), 24)
    told = f"{days} days" if days > 1 else f"{days} day"
    return f"{told} {rest} h" if rest else told


def duration_range_words(low: float, high: float) -> str:
    """A range: "20-40 seconds", "2-3.5 hours", "10 minutes to 3 hours"."""
    divisor, unit = _time_unit(high)
    if low < divisor and (high - low) >= NEAR * high and unit != "seconds":
        return f"{_time_told(low)} to {_time_told(high)}"
    first, last = _time_figure(low / divisor, unit), _time_figure(high / divisor, unit)
    if first == last or (high - low) < NEAR * high:
        return f"about {_time_told((low + high) / 2)}"
    return f"{first}-{last} {unit}"


def clock_words(at: float, *, now: float) -> str:
    """A clock time of this computer: "14:05", "tomorrow 01:50", "Thu 01:50"."""
    then, today = time.localtime(at), time.localtime(now)
    clock = time.strftime("%H:%M", then)
    days = _day_number(at) - _day_number(now)
    if days == 0 or then[:3] == today[:3]:
        return clock
    return f"tomorrow {clock}" if days == 1 else f"{time.strftime('%a', then)} {clock}"


def clock_range_words(low: float, high: float, *, now: float) -> str:
    """ "between 01:50 and 02:20", or "about 01:50" when both fall into one minute."""
    first, last = clock_words(low, now=now), clock_words(high, now=now)
    if first == last:
        return f"about {first}"
    return f"between {first} and {last}"


def place_words(position: int) -> str:
    """Place in a queue: 1 becomes "Next", 2 "Second", 12 "12th"."""
    if 1 <= position <= len(ORDINALS):
        return ORDINALS[position - 1]
    return f"{position}th"


def percent_words(share: float) -> str:
    """0.4231 becomes "42%"; never 100% before it is whole."""
    return f"{math.floor(share * 100)}%"


def _scaled(count: float) -> tuple[float, str]:
    value, unit = float(count), 0
    while value >= 1000 and unit < len(UNITS) - 1:  # noqa: PLR2004 - "0.98 GB" reads better than "1003 MB"
        value, unit = value / KIB, unit + 1
    return value, UNITS[unit]


def _short(value: float) -> str:
    rounded = f"{value:.1f}" if value < TEN else f"{value:.0f}"
    return rounded.removesuffix(".0")


def _time_unit(seconds: float) -> tuple[int, str]:
    if seconds < 1.5 * MINUTE:
        return 1, "seconds"
    if seconds < 1.5 * HOUR:
        return MINUTE, "minutes"
    if seconds < 2 * DAY:
        return HOUR, "hours"
    if seconds < 3 * MONTH:
        return DAY, "days"
    return (MONTH, "months") if seconds < 2 * YEAR else (YEAR, "years")


def _time_told(seconds: float) -> str:
    divisor, unit = _time_unit(seconds)
    figure = _time_figure(seconds / divisor, unit)
    return f"{figure} {unit if figure != '1' else unit[:-1]}"


def _time_figure(value: float, unit: str) -> str:
    if unit == "seconds":
        step = 5 if value > TEN else 1
        return str(max(1, round(value / step) * step))
    if unit == "minutes":
        return str(max(1, round(value)))
    return _short(max(0.5, round(value * 2) / 2))


def _day_number(at: float) -> int:
    local = time.localtime(at)
    return (int(at) + local.tm_gmtoff) // DAY
