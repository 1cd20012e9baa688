"""Which script a text is written in: Latin, Cyrillic, Han and so on, by its letters.

Unlike a language, a script can be told from one word. Japanese is written in three at once and
Korean borrows from Han, so these count as one each. Asked by the checks of scripts and languages.
"""

from bisect import bisect_right
from collections import Counter

OTHER, LATIN = "", "Latin"
_RANGES = (
    (0x0041, 0x024F, LATIN), (0x0370, 0x03FF, "Greek"), (0x0400, 0x052F, "Cyrillic"),
    (0x0530, 0x058F, "Armenian"), (0x0590, 0x05FF, "Hebrew"), (0x0600, 0x06FF, "Arabic"),
    (0x0750, 0x077F, "Arabic"), (0x0900, 0x097F, "Devanagari"), (0x0980, 0x09FF, "Bengali"),
    (0x0A00, 0x0A7F, "Gurmukhi"), (0x0A80, 0x0AFF, "Gujarati"), (0x0B80, 0x0BFF, "Tamil"),
    (0x0C00, 0x0C7F, "Telugu"), (0x0C80, 0x0CFF, "Kannada"), (0x0D00, 0x0D7F, "Malayalam"),
    (0x0D80, 0x0DFF, "Sinhala"), (0x0E00, 0x0E7F, "Thai"), (0x0E80, 0x0EFF, "Lao"),
    (0x1000, 0x109F, "Burmese"), (0x10A0, 0x10FF, "Georgian"), (0x1200, 0x137F, "Ethiopic"),
    (0x1780, 0x17FF, "Khmer"), (0x1E00, 0x1EFF, LATIN), (0x1F00, 0x1FFF, "Greek"),
    (0x3040, 0x30FF, "Kana"), (0x3400, 0x4DBF, "Chinese"), (0x4E00, 0x9FFF, "Chinese"),
    (0xA960, 0xA97F, "Hangul"), (0xAC00, 0xD7FF, "Hangul"), (0xF900, 0xFAFF, "Chinese"),
    (0xFB1D, 0xFB4F, "Hebrew"), (0xFB50, 0xFDFF, "Arabic"), (0xFE70, 0xFEFE, "Arabic"),
    (0x20000, 0x3FFFF, "Chinese"),
)  # fmt: skip
_STARTS = [first for first, _, _ in _RANGES]
_TOGETHER = (("Kana", "Japanese"), ("Hangul", "Korean"))
DENSE = frozenset({"Chinese", "Japanese", "Korean", "Thai", "Khmer", "Lao", "Burmese"})
"""Scripts in which a letter is a syllable or a word, or words stand close together."""
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
SAMPLE_CHARACTERS = 400
"""The beginning of a text tells its script."""


def count_scripts(text: str) -> dict[str, int]:
    """Letters of each script at the beginning of a text."""
    part = text[:SAMPLE_CHARACTERS]
    if part.isascii():
        letters = len(part.encode().translate(None, _NO_LETTERS))
        return {LATIN: letters} if letters else {}
    signs = Counter(part)
    counts: dict[str, int] = {}
    for sign, number in signs.items():
        if sign.isalpha():
            script = script_of(sign)
            counts[script] = counts.get(script, 0) + number
    for part_of, whole in _TOGETHER:
        if part_of in counts:
            counts[whole] = counts.pop(part_of) + counts.pop("Chinese", 0)
    return counts


def script_of(letter: str) -> str:
    """The script of one letter."""
    code = ord(letter)
    place = bisect_right(_STARTS, code) - 1
    if place < 0 or code > _RANGES[place][1]:
        return OTHER
    return _RANGES[place][2]
