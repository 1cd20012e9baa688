"""Personal data in a text by its form: e-mail, account, card, national number, telephone, address.

Names and postal addresses have no form and are not found; the finding says so. Every kind is found
by rules with check digits or by the tables of numbering plans, without a model: presidio, which was
weighed, loads spaCy and with it torch and transformers where they are installed (408 MB and 5 s,
measured), which must not be in the process that opens strangers' files. Asked by
`checks/personal_data`.
"""

import ipaddress
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tailor.engine.data.doctor.national_ids import find_national_ids, is_card, is_iban
from tailor.engine.data.doctor.phones import digits_of, find_phones

KINDS = {
    "EMAIL": "e-mail address",
    "IBAN": "bank account",
    "CARD": "payment card",
    "ID": "national number",
    "PHONE": "telephone number",
    "IP": "internet address",
}
_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%'-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}(?:[ -]?[A-Z0-9]{1,3})?(?!\w)")
_CARD = re.compile(r"(?<![\w.-])(?<!\d )\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)")
_ADDRESS = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)")
_LONG_NUMBER = re.compile(r"\d(?:[ ()./-]{0,3}\d){5}")
"""Without six digits near each other there is no account, card, or telephone number."""
_MARKED = re.compile(r"[A-Z]{2} ?\d")
"""Without letters before a digit there is none of the numbers that begin with letters."""


@dataclass(frozen=True, slots=True)
class Personal:
    """A place in a text."""

    begin: int
    end: int
    kind: str
    value: str
    """What it is without spacing and case: equal for two spellings of one."""


class StandIns:
    """Puts "[PHONE 2]" in place of a number, and the same for the same number everywhere."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}
        self._counts: Counter[str] = Counter()

    def replace(self, text: str) -> str:
        """The text without personal data."""
        parts, done = [], 0
        for place in find_personal(text):
            parts += [text[done : place.begin], self._name(place)]
            done = place.end
        return "".join((*parts, text[done:])) if parts else text

    def _name(self, place: Personal) -> str:
        key = place.kind, place.value
        if key not in self._known:
            self._counts[place.kind] += 1
            self._known[key] = f"[{place.kind} {self._counts[place.kind]}]"
        return self._known[key]


def find_personal(text: str) -> list[Personal]:
    """All places in order; where two overlap, the surer kind."""
    taken: list[Personal] = []
    for begin, end, kind in _find_all(text):
        if all(end <= other.begin or begin >= other.end for other in taken):
            taken.append(Personal(begin, end, kind, _value(kind, text[begin:end])))
    return sorted(taken, key=lambda place: place.begin)


def _find_all(text: str) -> Iterator[tuple[int, int, str]]:
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield *match.span(), "EMAIL"
    has_long = _LONG_NUMBER.search(text) is not None
    if has_long:
        yield from _find_accounts(text)
    if has_long or _MARKED.search(text):
        for begin, end in find_national_ids(text):
            yield begin, end, "ID"
    for match in _ADDRESS.finditer(text):
        if _is_public(match[0]):
            yield *match.span(), "IP"
    if has_long:
        for match in _CARD.finditer(text):
            if is_card(match[0]):
                yield *match.span(), "CARD"
        for begin, end in find_phones(text):
            yield begin, end, "PHONE"


def _find_accounts(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _IBAN.finditer(text):
        if (end := _iban_end(match[0])) is not None:
            yield match.start(), match.start() + end, "IBAN"


def _iban_end(text: str) -> int | None:
    """Where the account ends: the word behind it may look like a part of it."""
    ends = [match.start() for match in re.finditer(r"[ -]", text)]
    return next((end for end in [len(text), *reversed(ends)] if is_iban(text[:end])), None)


def _is_public(text: str) -> bool:
    try:
        return ipaddress.IPv4Address(text).is_global
    except ValueError:
        return False


def _value(kind: str, text: str) -> str:
    if kind == "PHONE":
        return digits_of(text).removeprefix("00")
    return re.sub(r"[\s-]", "", text).casefold() if kind != "EMAIL" else text.casefold()
