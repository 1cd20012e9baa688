"""Gaps in a source file: places where a whole statement or a whole body can be taken out.

A model that completes code learns from a file with a piece missing. Pieces that begin in the middle
of an expression teach it to write halves, so a gap begins and ends at the borders of lines where
every bracket is closed. The same file always gets the same gaps. Pure; `repository` asks here.
"""

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LINES_FOR_A_GAP = 12
GAPS_MOST = 20
MIDDLE_LINES_MOST = 25
MIDDLE_CHARACTERS_MOST = 1_000
MIDDLE_LETTERS_LEAST = 10
MIDDLE_SHARE_MOST = 0.5
BEFORE_CHARACTERS = 4_000
AFTER_CHARACTERS = 1_500
"""With the middle about 2,000 tokens: what small models and cards can read (a token of code holds
about three letters)."""
TAB_WIDTH = 4

_QUOTED = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
_REMARK = re.compile(r"(?://|#).*")
_ONLY_REMARK = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%|<!--|\"\"\"|''')")
_CLOSING = re.compile(r"\s*(?:[)\]}]|end\b|fi\b|done\b|esac\b)")
_LETTERS = re.compile(r"[^\W_]")
_LONG_TEXTS = (('"""', '"""'), ("'''", "'''"), ("/*", "*/"))
_OPENERS, _CLOSERS = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Gap:
    """A file with a piece taken out."""

    before: str
    middle: str
    after: str
    first_line: int
    last_line: int


def cut_gaps(text: str, path: str) -> Iterator[Gap]:
    """Gaps that do not overlap, in the order of the file; none in a file without whole pieces."""
    lines = text.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    listing = _Listing(
        lines=lines,
        indents=[_indent(line) for line in lines],
        is_inside=_inside_long_texts(lines),
        written=sum(bool(line.strip()) for line in lines),
    )
    wanted = min(GAPS_MOST, max(1, listing.written // LINES_FOR_A_GAP))
    digest = hashlib.sha256(f"{path}\0{text}".encode()).digest()
    for start, end in _pick(listing, wanted, random.Random(digest)):
        yield Gap(
            before=_last_lines(lines[:start], BEFORE_CHARACTERS),
            middle="".join(lines[start:end]),
            after=_first_lines(lines[end:], AFTER_CHARACTERS),
            first_line=start + 1,
            last_line=end,
        )


Piece = tuple[int, int]
"""First line and the line behind the last one, from 0."""


@dataclass(frozen=True)
class _Listing:
    """A file's lines and what is known of each."""

    lines: Sequence[str]
    indents: Sequence[int]
    """How far a line is indented; -1 for a blank one."""
    is_inside: Sequence[bool]
    """Whether a line begins inside a text or a remark that spans lines."""
    written: int
    """Lines that are not blank."""


def _find_pieces(listing: _Listing) -> tuple[list[Piece], ...]:
    """Bodies, single lines and whole blocks."""
    indents = listing.indents
    bodies, singles, blocks = [], [], []
    for start in range(len(indents)):
        if indents[start] < 0 or listing.is_inside[start]:
            continue
        body_end = _body_end(indents, start)
        if body_end == start + 1:
            singles.append((start, body_end))
            continue
        bodies.append((start + 1, body_end))
        closes = body_end < len(indents) and indents[body_end] == indents[start]
        has_closing = closes and _CLOSING.match(listing.lines[body_end])
        blocks.append((start, body_end + 1 if has_closing else body_end))
    return bodies, singles, blocks


def _pick(listing: _Listing, wanted: int, chance: random.Random) -> list[Piece]:
    """Pieces of all kinds in turn, as long as there are good ones."""
    turns = []
    for pieces in _find_pieces(listing):
        chance.shuffle(pieces)
        turns.append(iter(pieces))
    picked: list[Piece] = []
    while len(picked) < wanted and turns:
        for pieces_left in tuple(turns):
            good = (one for one in pieces_left if _is_free(one, picked) and _is_good(listing, one))
            piece = next(good, None)
            if piece is None:
                turns.remove(pieces_left)
            elif len(picked) < wanted:
                picked.append(piece)
    return sorted(picked)


def _is_free(piece: Piece, picked: list[Piece]) -> bool:
    return all(piece[1] <= start or end <= piece[0] for start, end in picked)


def _is_good(listing: _Listing, piece: Piece) -> bool:
    """Whether a piece is code that says something, not too long, with every bracket closed."""
    start, end = piece
    if end - start > min(MIDDLE_LINES_MOST, MIDDLE_SHARE_MOST * listing.written):
        return False
    if end < len(listing.lines) and listing.is_inside[end]:
        return False
    taken = listing.lines[start:end]
    middle = "".join(taken)
    is_code = not all(_ONLY_REMARK.match(line) for line in taken if line.strip())
    letters = len(_LETTERS.findall(middle[: MIDDLE_CHARACTERS_MOST + 1]))
    fits = len(middle) <= MIDDLE_CHARACTERS_MOST and letters >= MIDDLE_LETTERS_LEAST
    return is_code and fits and _is_closed(taken)


def _is_closed(lines: Sequence[str]) -> bool:
    """Whether every bracket that is opened is closed again, in this order."""
    opened: list[str] = []
    for line in lines:
        for letter in _REMARK.sub("", _QUOTED.sub("", line)):
            if letter in _OPENERS:
                opened.append(_CLOSERS[_OPENERS.index(letter)])
            elif letter in _CLOSERS and (not opened or opened.pop() != letter):
                return False
    return not opened


def _inside_long_texts(lines: Sequence[str]) -> list[bool]:
    """For each line whether it begins inside a text or a remark that spans lines."""
    inside: list[bool] = []
    end = ""
    for line in lines:
        inside.append(bool(end))
        at = 0
        while True:
            if end:
                at = line.find(end, at)
                if at < 0:
                    break
                at, end = at + len(end), ""
            found = [(line.find(mark, at), mark, close) for mark, close in _LONG_TEXTS]
            opening = min((one for one in found if one[0] >= 0), default=None)
            if opening is None:
                break
            at, end = opening[0] + len(opening[1]), opening[2]
    return inside


def _body_end(indents: Sequence[int], start: int) -> int:
    """Behind the last line that is indented deeper than `start`."""
    end = start + 1
    for place in range(start + 1, min(len(indents), start + 2 + MIDDLE_LINES_MOST)):
        if indents[place] < 0:
            continue
        if indents[place] <= indents[start]:
            break
        end = place + 1
    return end


def _indent(line: str) -> int:
    """How far a line is indented; -1 for a blank one."""
    text = line.lstrip(" \t")
    if not text.strip():
        return -1
    return sum(TAB_WIDTH if letter == "\t" else 1 for letter in line[: len(line) - len(text)])


def _last_lines(lines: Sequence[str], characters: int) -> str:
    start, left = len(lines), characters
    while start > 0 and len(lines[start - 1]) <= left:
        start -= 1
        left -= len(lines[start])
    return "".join(lines[start:])


def _first_lines(lines: Sequence[str], characters: int) -> str:
    end, left = 0, characters
    while end < len(lines) and len(lines[end]) <= left:
        left -= len(lines[end])
        end += 1
    return "".join(lines[:end])
