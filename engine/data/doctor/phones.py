"""Telephone numbers in a text, judged by Google's tables of the world's numbering plans.

A number with its country's code is told by the tables alone. One without is a number of many kinds,
so it has to be written as people write telephone numbers, or stand behind a word for telephone.
The tables (`phonenumbers`) are loaded on first use, in the child process that checks rows.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

_INTERNATIONAL = re.compile(
    r"(?<![\w+.])(?<!\d[ -])(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){7,14}(?![\w]|[.-]\d)"
)
_NATIONAL = re.compile(
    r"(?<![\w+./-])(?<!\d[ -])(?:"
    r"\(\d{3}\) ?\d{3}[ .-]\d{4}"  # (555) 010-2030
    r"|\d{3}([ .-])\d{3}\1\d{4}"  # 555-010-2030
    r"|0\d{1,5}(?:[ /-]{1,3}\d{2,8}){1,4}"  # 030 / 123 456 78
    r"|\(0\d{1,5}\) ?\d{2,8}(?:[ -]\d{2,8}){0,3}"
    r"|1[3-9]\d{9}"  # China's mobiles
    r")(?![\w]|[.-]\d)"
)
_NAMED = re.compile(
    r"(?i)(?:\btel(?:efon\w*|ephone|éfono|efone|efono)?\b|\btél\w*|\bphone\b|\bmobile\b|\bcell\b|\bfax\b"
    r"|\bhandy\w*|\bmobil\w*|\bportable\b|\bmóvil\b|\bcelular\b|\bcellulare\b|\bwhatsapp\b|телефон\w*"
    r"|电话|電話|手机|手機|携帯|전화|휴대폰)"
    r"[^\d\n]{0,20}?(?P<number>\(?\d(?:[ ()./-]{0,2}\d){6,13})(?![\w]|[.-]\d)"
)
_REGIONS = (
    "DE", "AT", "CH", "FR", "ES", "IT", "GB", "NL", "BE", "PL", "SE", "PT", "IN", "JP", "KR", "CN",
    "BR", "AU", "ZA", "TR", "RU", "UA", "IL",
)  # fmt: skip
DIGITS = (7, 15)
NATIONAL_DIGITS = 9
"""Shorter ones are dates and times as a rule."""


def find_phones(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each number; they may overlap."""
    for match in _INTERNATIONAL.finditer(text):
        if _is_possible(match[0]):
            yield match.span()
    for match in _NATIONAL.finditer(text):
        is_long = len(digits_of(match[0])) >= NATIONAL_DIGITS
        if is_long and (_is_american(match[0]) or _is_valid_somewhere(match[0])):
            yield match.span()
    for match in _NAMED.finditer(text):
        if DIGITS[0] <= len(digits_of(match["number"])) <= DIGITS[1]:
            yield match.span("number")


def digits_of(number: str) -> str:
    """What makes two spellings one number."""
    return "".join(sign for sign in number if sign.isdigit())


def _is_american(number: str) -> bool:
    """Ten digits in the form that is written only there; 555 numbers are in no table."""
    digits = digits_of(number)
    return len(digits) == 10 and digits[0] in "23456789" and digits[3] in "0123456789"


def _is_possible(number: str) -> bool:
    tables = _read_tables()
    written = f"+{number[2:]}" if number.startswith("00") else number
    try:
        return bool(tables.is_possible_number(tables.parse(written, None)))
    except tables.NumberParseException:
        return False


def _is_valid_somewhere(number: str) -> bool:
    tables = _read_tables()
    for region in _REGIONS:
        try:
            if tables.is_valid_number(tables.parse(number, region)):
                return True
        except tables.NumberParseException:
            continue
    return False


@cache
def _read_tables() -> Any:
    # Only the child needs the tables, and only when the person asks for personal data.
    import phonenumbers  # noqa: PLC0415

    return phonenumbers
