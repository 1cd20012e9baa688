"""Numbers that states and banks give to people, known by their form and their check digits.

A form alone would take every order number for a person's; so each number has letters or separators
that are its own, or check digits that fit by chance once in ninety-seven. Asked by `personal`.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_CARD_BRANDS = re.compile(
    r"4\d{15}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|(?:35|60|62|64|65|81)\d{14}|5[06-8]\d{14}|6\d{15,18}"
)
_NIF_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_CHINA_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHINA_CHECKS = "10X98765432"


def is_card(text: str) -> bool:
    """A payment card: beginning and length of a brand, and the Luhn sum."""
    digits = _digits(text)
    return _CARD_BRANDS.fullmatch(digits) is not None and len(set(digits)) > 1 and _luhn(digits)


def is_iban(text: str) -> bool:
    """A bank account: country, check digits, 15 to 34 signs, remainder 1 by 97."""
    signs = re.sub(r"[\s-]", "", text).upper()
    if not 15 <= len(signs) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97 == 1


def _is_nif(text: str) -> bool:
    signs = re.sub(r"[\s.-]", "", text).upper()
    number = signs[:-1].translate(str.maketrans("XYZ", "012"))
    return _NIF_LETTERS[int(number) % 23] == signs[-1]


def _is_france(text: str) -> bool:
    signs = re.sub(r"\s", "", text).upper()
    number = signs[:-2].replace("2A", "19").replace("2B", "18")
    return 97 - int(number) % 97 == int(signs[-2:])


def _is_china(text: str) -> bool:
    total = sum(int(sign) * weight for sign, weight in zip(text, _CHINA_WEIGHTS, strict=False))
    return _CHINA_CHECKS[total % 11] == text[-1].upper()


def _is_brazil(text: str) -> bool:
    digits = [int(sign) for sign in _digits(text)]
    return len(set(digits)) > 1 and all(
        _brazil_check(digits[:end]) == digits[end] for end in (9, 10)
    )


def _brazil_check(digits: Sequence[int]) -> int:
    total = sum(
        digit * weight for digit, weight in zip(digits, range(len(digits) + 1, 1, -1), strict=True)
    )
    return total * 10 % 11 % 10


def _is_aadhaar(text: str) -> bool:
    check = 0
    for place, sign in enumerate(reversed(_digits(text))):
        check = _dihedral(check, _turned(place % 8, int(sign)))
    return check == 0


def _dihedral(one: int, other: int) -> int:
    """The product of two elements of the group of a pentagon's symmetries (Verhoeff's check)."""
    if one < 5:
        return (one + other) % 5 if other < 5 else 5 + (one + other - 5) % 5
    return 5 + (one - 5 - other) % 5 if other < 5 else (one - other) % 5


@lru_cache(maxsize=80)
def _turned(times: int, digit: int) -> int:
    return digit if times == 0 else (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[_turned(times - 1, digit)]


def _is_sweden(text: str) -> bool:
    return _luhn(_digits(text)[-10:])


def _always(text: str) -> bool:
    return True


def _digits(text: str) -> str:
    return "".join(sign for sign in text if sign.isdigit())


def _luhn(digits: str) -> bool:
    doubled = (int(sign) * (1 + place % 2) for place, sign in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


_FORMS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    # United States: no area 000, 666 or from 900 on.
    (r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", _always),
    # United Kingdom.
    (r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", _always),
    # Italy.
    (r"[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]", _always),
    # Spain.
    (r"(?:\d{8}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z]", _is_nif),
    # France.
    (r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", _is_france),
    # China.
    (r"[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]", _is_china),
    # Brazil.
    (r"\d{3}\.\d{3}\.\d{3}-\d{2}", _is_brazil),
    # India.
    (r"(?<!\d )[2-9]\d{3} \d{4} \d{4}(?! \d)", _is_aadhaar),
    (r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]", _always),
    # Korea.
    (r"\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}", _always),
    # Sweden.
    (r"(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-+]\d{4}", _is_sweden),
)
_PATTERNS = tuple((re.compile(rf"(?<![\w.-]){form}(?![\w-])"), check) for form, check in _FORMS)


def find_national_ids(text: str) -> list[tuple[int, int]]:
    """Begin and end of each."""
    return [
        match.span()
        for pattern, check in _PATTERNS
        for match in pattern.finditer(text)
        if check(match[0])
    ]
