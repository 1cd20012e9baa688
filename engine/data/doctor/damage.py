"""Letters that were damaged before the file came here, and how they are put right.

UTF-8 that was once read as a Western code page shows as "Ã©" or "â€™"; invisible signs come from
web pages; U+FFFD marks a letter that is lost. Only what can be undone for sure is put right. Asked
by `checks/damaged_characters`.
"""

import re
import unicodedata

_CONTINUED = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_GARBLED = re.compile(
    f"(?:[ÂÃÄÅÆÇÈÉÊËÎÏÐÑÒÓÔÕÖ×ØÙÚÛ][{_CONTINUED}]|[àáâãäåæçèéêëìíîï][{_CONTINUED}]{{2}}"
    f"|ð[{_CONTINUED}]{{3}})+"
)
_WESTERN = re.compile("[\u0080-\u009f]")
_CONTROL = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]")
# Zero-width space and no-break space, word joiner, overrides of direction. The joiners U+200C and
# U+200D belong to letters of many scripts and to emoji; the marks U+200E and U+200F are honest.
_INVISIBLE = re.compile("[\u200b\u2060\u2061-\u2064\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]")
_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Scripts in which a zero-width space stands between words."""
_LOST = "\ufffd"

GARBLED, CONTROL, INVISIBLE, LOST = (
    "garbled letters",
    "control characters",
    "invisible characters",
    "lost letters",
)


def find_damage(text: str) -> dict[str, tuple[int, int]]:
    """Kind of damage and where it first stands."""
    found: dict[str, tuple[int, int]] = {}
    # Most texts are told in two microseconds to have nothing of the kind.
    is_printable = text.isprintable() or _without_breaks(text).isprintable()
    if not is_printable and (match := _CONTROL.search(text)):
        found[CONTROL] = match.span()
    if text.isascii():
        return found
    if (at := text.find(_LOST)) >= 0:
        found[LOST] = at, at + 1
    if match := _WESTERN.search(text):
        found[GARBLED] = match.span()
    for match in _GARBLED.finditer(text):
        if _ungarble(match) != match[0]:
            found[GARBLED] = match.span()
            break
    for match in _INVISIBLE.finditer(text):
        if not _is_honest(match, text):
            found[INVISIBLE] = match.span()
            break
    return found


def _without_breaks(text: str) -> str:
    return text.replace("\n", "").replace("\r", "").replace("\t", "")


def repair(text: str) -> str:
    """The text with garbled letters put right and invisible signs taken out."""
    bare = _CONTROL.sub("", text)
    if bare.isascii():
        return bare
    bare = _WESTERN.sub(_read_western, _GARBLED.sub(_ungarble, bare))
    return _INVISIBLE.sub(lambda match: match[0] if _is_honest(match, bare) else "", bare)


def _ungarble(match: re.Match[str]) -> str:
    """The letters that were meant; the same signs when they were no UTF-8."""
    try:
        meant = bytes(map(_western_byte, match[0])).decode()
    except ValueError:
        return match[0]
    return (
        meant
        if all(unicodedata.category(sign) not in ("Cc", "Cn", "Co") for sign in meant)
        else match[0]
    )


def _western_byte(sign: str) -> int:
    if ord(sign) < 0x100:
        return ord(sign)
    return sign.encode("cp1252")[0]


def _read_western(match: re.Match[str]) -> str:
    """A control sign of the upper half is a letter of the Western code page."""
    return match[0].encode("latin-1").decode("cp1252", "ignore")


def _is_honest(match: re.Match[str], text: str) -> bool:
    return match[0] == "\u200b" and _SPACELESS.search(text) is not None
