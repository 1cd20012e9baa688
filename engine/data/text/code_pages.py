"""Code pages: which one the bytes of an old text file are in, and how it reads in the others.

Nothing in such a file says so. A detector is asked only for scripts on which it was measured to be
right; for Latin letters both detectors were wrong on French and German, so there the letters
themselves are looked at. Whatever is chosen, `encoding` shows the same lines in three readings.
"""

import re
from collections.abc import Iterator, Sequence

from charset_normalizer import from_bytes

from tailor.engine.data_types import ReadChoice

READINGS = 3
TRUSTED_FROM_BYTES = 200
"""Letters outside ASCII from which the detector was right on every non-Latin page (measured)."""
TRUSTED_IN_WORDS_FROM_BYTES = 20
"""The same where these letters stand in whole words, as in no Latin script."""
WORDS_SHARE = 0.7
DOUBTED_SHARE, FITTING_SHARE = 0.3, 0.05
"""Another Latin page is taken when more than this share of letters is impossible in the usual one,
and less than that in the other."""
_SHOWN_LETTERS = 14

WORDS = {
    "utf-8": "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16 (big endian)",
    "utf-32": "UTF-32",
    "cp1252": "Western European (Windows)", "mac_roman": "Western European (Mac)",
    "cp850": "Western European (DOS)", "cp1250": "Central European (Windows)",
    "iso8859_2": "Central European (ISO)", "cp852": "Central European (DOS)",
    "cp1254": "Turkish (Windows)", "cp1257": "Baltic (Windows)", "cp1258": "Vietnamese (Windows)",
    "cp1251": "Cyrillic (Windows)", "koi8_r": "Cyrillic (KOI8-R)", "koi8_u": "Cyrillic (KOI8-U)",
    "cp866": "Cyrillic (DOS)", "cp1125": "Cyrillic (DOS)", "iso8859_5": "Cyrillic (ISO)",
    "mac_cyrillic": "Cyrillic (Mac)", "gb18030": "Chinese (GB18030)", "gbk": "Chinese (GBK)",
    "gb2312": "Chinese (GB2312)", "big5": "Chinese (Big5)", "big5hkscs": "Chinese (Big5)",
    "cp950": "Chinese (Big5)", "cp932": "Japanese (Windows)", "shift_jis": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC)", "cp949": "Korean (Windows)", "euc_kr": "Korean (EUC)",
    "cp1256": "Arabic (Windows)", "iso8859_6": "Arabic (ISO)", "cp1255": "Hebrew (Windows)",
    "iso8859_8": "Hebrew (ISO)", "cp1253": "Greek (Windows)", "iso8859_7": "Greek (ISO)",
    "cp874": "Thai (Windows)", "tis_620": "Thai",
}  # fmt: skip
"""Every encoding that can be asked for, in words."""
LATIN = ("cp1252", "cp1250", "mac_roman", "cp850", "cp852", "cp1254", "cp1257")
_USUAL = LATIN[0]
_NON_LATIN = tuple(WORDS)[tuple(WORDS).index("cp1251") :]
_CYRILLIC = ("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic")
_READING_ORDER = ("utf-8", *LATIN[:4], "cp1251", "gb18030", "cp932", "cp1256")

_FOREIGN = re.compile(rb"[\x80-\xff]")
_FOREIGN_RUN = re.compile(rb"[\x80-\xff]{3,}")
# Marks that stand between letters in any Latin text: quotes, dashes, the ellipsis.
_BETWEEN_LETTERS = frozenset("‘’‚“”„…–—·«»\u00ad\u00a0")


def find_non_latin(sample: bytes, foreign_bytes: int) -> str:
    """The code page of a script that is not Latin; empty when the sample does not speak for one."""
    in_words = sum(map(len, _FOREIGN_RUN.findall(sample)))
    is_in_words = in_words >= WORDS_SHARE * len(_FOREIGN.findall(sample))
    needed = TRUSTED_IN_WORDS_FROM_BYTES if is_in_words else TRUSTED_FROM_BYTES
    if foreign_bytes < needed:
        return ""
    if not is_in_words:
        return _detect(sample, None)
    # Asked for these scripts only, the detector was right on 18 of 18 pages with a single line;
    # where codes and numbers confuse it, the words alone speak for themselves (measured).
    words = b" ".join(_FOREIGN_RUN.findall(sample))
    found = _detect(sample, _NON_LATIN) or _detect(words, _NON_LATIN)
    if found not in _CYRILLIC:
        return found
    # In the wrong one of these, small letters are capitals and the other way round.
    return min((found, *_CYRILLIC), key=lambda codec: round(_doubt(words, codec), 2))


def _detect(sample: bytes, among: Sequence[str] | None) -> str:
    match = from_bytes(sample, cp_isolation=list(among) if among else None).best()
    return match.encoding if match is not None and match.encoding in _NON_LATIN else ""


def order_latin(sample: bytes) -> tuple[str, ...]:
    """Latin code pages, likeliest first: the usual one unless its letters are impossible."""
    doubts = {codec: _doubt(sample, codec) for codec in LATIN}
    ordered = sorted(LATIN, key=lambda codec: doubts[codec])
    is_doubted = doubts[_USUAL] > DOUBTED_SHARE and doubts[ordered[0]] < FITTING_SHARE
    if is_doubted:
        return tuple(ordered)
    return (_USUAL, *(codec for codec in ordered if codec != _USUAL))


def offer_readings(
    codec: str, lines: Sequence[bytes], others: Sequence[str], why: str
) -> ReadChoice:
    """The choice of the encoding: the same lines in the used reading and the next likeliest."""
    used = _show(lines, codec)
    shown = {used: codec}
    for other in (*others, *_READING_ORDER):
        reading = _show(lines, other)
        if len(shown) < READINGS and "\ufffd" not in reading:
            shown.setdefault(reading, other)
    return ReadChoice(
        id="encoding",
        title="How its letters are read",
        value=codec,
        options=tuple((one, f"{WORDS[one]}: {reading}") for reading, one in shown.items()),
        why=why,
    )


def _show(lines: Sequence[bytes], codec: str) -> str:
    """The surroundings of the first letter outside ASCII in each line."""
    return ", ".join(f"“{_cut(line.decode(codec, 'replace'))}”" for line in lines)


def _cut(line: str) -> str:
    place = next((at for at, letter in enumerate(line) if ord(letter) > 127), 0)
    begin = max(0, place - _SHOWN_LETTERS)
    return " ".join(line[begin : place + _SHOWN_LETTERS].split())


def _doubt(sample: bytes, codec: str) -> float:
    """Share of letters outside ASCII that no word would hold where they stand."""
    text = sample.decode(codec, "replace")
    judged = list(_judge(text))
    return sum(judged) / len(judged) if judged else 0.0


def _judge(text: str) -> Iterator[bool]:
    """For each letter outside ASCII whether it is impossible at its place."""
    for at, letter in enumerate(text):
        if ord(letter) < 128 or letter in _BETWEEN_LETTERS:
            continue
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        is_inside = before.isalpha() and after.isalpha()
        is_capital_inside = letter.isupper() and before.islower()
        yield letter == "\ufffd" or (is_inside and not letter.isalpha()) or is_capital_inside
