"""Cells of a spreadsheet as text: what a person sees there, with dates and times made plain.

A spreadsheet stores 45000 and shows a day, stores 7 and shows 007. The text is what the number
format says, in forms that mean the same everywhere: ISO dates, times as HH:MM. `sheet_rows` turns
each cell into text with it.
"""

import re
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal

from tailor.estimator.record import record

DIGITS_KEPT = 15
"""Spreadsheet programs keep so many digits of a number and put zeros for the rest."""
LARGEST_EXPONENT = 400
"""Spreadsheet numbers end at 1E+308; longer ones would be written out digit by digit."""
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_LEAP_BUG_DAYS = 60
"""Serial days before this one are off by one: 29 February 1900 is counted and never was."""
_LAST_SERIAL = 2_958_466
"""Day after 31 December 9999."""

BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: "m/d/yy h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 49: "@",
    **{number: "yyyy-mm-dd" for number in (*range(27, 32), 36, *range(50, 55), 57, 58)},
    **{number: "h:mm" for number in (32, 33, 34, 35, 55, 56)},
}  # fmt: skip
"""Number formats that a workbook names by number only (ECMA-376, 18.8.30)."""

_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.')
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_BRACKETS = re.compile(r"\[[^\]]*\]")
_ZEROS = re.compile(r"[0\-/ ().]*")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")

Kind = Literal["plain", "percent", "zeros", "date", "time", "both", "elapsed"]


@record
class NumberFormat:
    """What a number format does to a number, as far as the text is concerned."""

    kind: Kind = "plain"
    decimals: int = 0
    """Digits behind the point of a percentage."""
    pattern: str = ""
    """Places for digits, such as "000" or "000-00"."""
    has_seconds: bool = False


@lru_cache(maxsize=1_000)
def read_format(code: str) -> NumberFormat:
    """The format by its code, of which the part for positive numbers counts."""
    shown = _QUOTED.sub(lambda found: _literal(found[0]), code.split(";", maxsplit=1)[0])
    plain = _BRACKETS.sub("", shown)
    letters = plain.lower().replace("general", "").replace("am/pm", "").replace("a/p", "")
    has_day, has_clock = "y" in letters or "d" in letters, "h" in letters or "s" in letters
    form = NumberFormat()
    if _ELAPSED.search(shown):
        form = NumberFormat(kind="elapsed", has_seconds="s" in shown.lower())
    elif has_clock:
        form = NumberFormat(kind="both" if has_day else "time", has_seconds="s" in letters)
    elif has_day or "m" in letters:
        form = NumberFormat(kind="date")
    elif "%" in plain:
        _, _, behind = plain.partition(".")
        form = NumberFormat(kind="percent", decimals=behind.count("0") + behind.count("#"))
    elif plain.count("0") > 1 and _ZEROS.fullmatch(plain) and not _has_decimals(plain):
        form = NumberFormat(kind="zeros", pattern=plain)
    return form


def number_text(stored: str, form: NumberFormat, *, is_1904: bool) -> str:
    """A stored number as it is shown."""
    if form.kind == "plain" and len(stored) <= DIGITS_KEPT and stored.isdigit():
        return stored.lstrip("0") or "0"
    number = _number(stored)
    if number is None:
        return stored
    shown = ""
    match form.kind:
        case "percent":
            shown = f"{_rounded(number * 100):.{form.decimals}f}%"
        case "zeros" if number == number.to_integral_value() and number >= 0:
            shown = _fill(format(number, ".0f"), form.pattern)
        case "elapsed":
            shown = _elapsed(number, has_seconds=form.has_seconds)
        case "date" | "time" | "both":
            shown = _moment(number, form, is_1904=is_1904)
    return shown or _plain(number)


def has_lost_digits(stored: str) -> bool:
    """Whether a whole number has more digits than spreadsheet programs keep."""
    digits = stored.lstrip("-")
    if digits.isdigit():
        return len(digits.rstrip("0")) >= DIGITS_KEPT and len(digits) > DIGITS_KEPT
    number = _number(stored)
    if number is None or number != number.to_integral_value():
        return False
    return DIGITS_KEPT <= number.adjusted() <= 20 and _precision(number) >= DIGITS_KEPT


def date_text(stored: str) -> str:
    """A date that is stored as ISO text, in the form of all others."""
    day, _, clock = stored.replace("T", " ").rstrip("Z").partition(" ")
    if not clock or clock.startswith("00:00:00"):
        return day
    return f"{day} {clock[:5] if clock[5:] in ('', ':00', ':00.000') else clock}"


def unescape(text: str) -> str:
    """Letters that XML cannot hold are stored as _x000D_; line ends become line feeds."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
        # Letters beyond 65,535 are stored as two halves, of which one alone is no letter.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _number(stored: str) -> Decimal | None:
    """What is stored as a number; None when it is none."""
    try:
        number = Decimal(stored)
    except InvalidOperation:
        return None
    return number if number.is_finite() and number.adjusted() < LARGEST_EXPONENT else None


def _literal(found: str) -> str:
    """Of quoted letters only those that stand between digits are kept, as in 000\\-00."""
    kept = found[1:] if found[0] == "\\" else found.strip('"') if found[0] == '"' else ""
    return kept if all(letter in "-/ ()." for letter in kept) else ""


def _has_decimals(pattern: str) -> bool:
    """Whether a point in it is a decimal point: one alone, with digits behind it."""
    return pattern.count(".") == 1 and not any(mark in pattern for mark in "-/ ()")


def _rounded(number: Decimal) -> Decimal:
    """The number with the digits that a spreadsheet program shows; more are noise of binary."""
    return Decimal(f"{number:.{DIGITS_KEPT}g}")


def _precision(number: Decimal) -> int:
    return len(number.normalize().as_tuple().digits)


def _plain(number: Decimal) -> str:
    if number == number.to_integral_value() and number.adjusted() <= 20:
        return format(number, ".0f") if number else "0"
    shown = _rounded(number).normalize()
    if -7 <= shown.adjusted() <= 20:
        return format(shown, "f")
    return format(shown, "E").replace("E+", "E")


def _fill(digits: str, pattern: str) -> str:
    """Digits put into the zeros of a pattern from the right; more digits go in front."""
    shown: list[str] = []
    left = list(digits)
    for mark in reversed(pattern):
        if mark == "0":
            shown.append(left.pop() if left else "0")
        else:
            shown.append(mark)
    return "".join(left) + "".join(reversed(shown))


def _moment(number: Decimal, form: NumberFormat, *, is_1904: bool) -> str:
    """A serial day as ISO date, time or both; empty when it is no day."""
    if number < 0 or number >= _LAST_SERIAL:
        return ""
    days = int(number)
    seconds = round((number - days) * 86_400)
    clock = _clock(timedelta(seconds=seconds), has_seconds=form.has_seconds)
    if form.kind == "time" and days == 0:
        return clock
    if is_1904:
        start = _EPOCH_1904
    else:
        start = _EPOCH_1900 + timedelta(days=1 if days < _LEAP_BUG_DAYS else 0)
        if days == 0:
            return clock
    try:
        moment = start + timedelta(days=days, seconds=seconds)
    except OverflowError:
        return ""
    if form.kind == "date" and not seconds % 86_400:
        return moment.date().isoformat()
    clock = _clock(
        timedelta(hours=moment.hour, minutes=moment.minute, seconds=moment.second),
        has_seconds=form.has_seconds,
    )
    return f"{moment.date().isoformat()} {clock}"


def _clock(time: timedelta, *, has_seconds: bool) -> str:
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    shown = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{shown}:{seconds:02d}" if seconds or has_seconds else shown


def _elapsed(number: Decimal, *, has_seconds: bool) -> str:
    sign = "-" if number < 0 else ""
    return sign + _clock(timedelta(seconds=round(abs(number) * 86_400)), has_seconds=has_seconds)
