"""Gaps that nobody filled in: {{name}}, <COMPANY>, [INSERT DATE], [Your Name], lorem ipsum.

Each kind of gap can be filled in once for all rows. In code such signs mean something else, so code
is left alone, and so are the stand-ins that hide personal data ("[PHONE 2]").
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import (
    ALL_SHAPES,
    CheckKind,
    Found,
    Mend,
    Remedy,
    Scope,
)
from tailor.engine.data.doctor.codelike import without_code
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, around
from tailor.engine.data.doctor.telling import Hits, change_texts, leave_out, tell
from tailor.engine.data.split import Split

OFFERED = 5
"""Kinds of gaps that can be filled in with a click; rarer ones are told of."""
FEW = 0.1
"""When so few rows have gaps, leaving them out is suggested."""
_BRACES = re.compile(
    r"(?<!\$)\{\{\s*[^\W\d][\w .-]{0,40}\}\}|\$\{[A-Za-z_][\w.]{0,40}\}|%%[A-Z_]{3,40}%%"
)
_ANGLES = re.compile(r"<(?:[A-Z][A-Z_ -]{2,40}|(?:insert|your|enter)[ _][\w _-]{2,40})>")
_SQUARES = re.compile(
    r"\[(?:insert|your|(?:enter|add) (?:your|the|a|name|date)|fill in|placeholder"
    r"|recipient|company|customer|employee|sender"
    r"|name of|ihr(?:e|en)?|name des|votre|nom de|su|nombre de|tu|seu|nome d[aeo])\b"
    r"(?: ?[\w'’/ -]{1,40})?\](?!\()"
    r"|\[(?:PLACEHOLDER|INSERT)\w*\]",
    re.IGNORECASE,
)
_LOREM = re.compile(r"lorem ipsum(?: dolor)?(?: sit)?(?: amet)?", re.IGNORECASE)
_TAGS = frozenset({
    "BR", "HR", "TD", "TR", "TH", "UL", "OL", "LI", "DIV", "SPAN", "TABLE", "HTML", "HEAD", "BODY",
    "FONT", "IMG", "STRONG", "CENTER", "TITLE", "META", "LINK", "SCRIPT", "STYLE", "FORM", "INPUT",
    "PRE", "CODE", "SUP", "SUB", "BIG", "SMALL", "TBODY", "THEAD", "BLOCKQUOTE",
    "PAD", "EOS", "BOS", "UNK", "MASK", "SEP", "CLS", "SOS", "EOT", "FIM_PREFIX", "FIM_SUFFIX",
    "EMAIL", "PHONE", "URL", "IBAN", "ENTER", "ESC", "TAB", "CTRL", "ALT", "SHIFT", "DEL",
    "IMAGE", "AUDIO", "VIDEO", "THINK", "TOOL_CALL", "ANSWER", "REASONING",
})  # fmt: skip
"""In angle brackets: markup, tokens of models, keys and stand-ins, not gaps."""
_PATTERNS = (
    (("{", "%%"), _BRACES),
    (("<",), _ANGLES),
    (("[",), _SQUARES),
    (("orem ipsum", "OREM IPSUM"), _LOREM),
)
"""Each pattern with what must stand in a text before it is tried."""


class Placeholders:
    """Looks for gaps in all texts."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()
        self._kinds: Counter[str] = Counter()

    def see(self, row: Row) -> None:
        """Find the gaps of one row."""
        if not row.is_usable:
            return
        kinds: set[str] = set()
        example = ""
        for text in row.texts:
            for match in find_gaps(text):
                kinds.add(match[0])
                example = example or around(text, match.start(), match.end())
        if kinds:
            self._kinds.update(sorted(kinds))
            self._hits.add(row, example)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows with gaps, and a way to fill in each frequent kind."""
        if not self._hits:
            return ()
        rows = count_words(len(self._hits), "row")
        ranked = sorted(self._kinds.items(), key=lambda kind: (-kind[1], kind[0]))
        listed = ", ".join(f"{kind} ({number:,})" for kind, number in ranked[:OFFERED])
        more = f" and {len(ranked) - OFFERED:,} other kinds" if len(ranked) > OFFERED else ""
        is_few = len(self._hits) <= FEW * survey.looked_at
        return (
            tell(
                survey,
                check=CHECK.id,
                level="stop",
                title=f"{rows} with a gap that was never filled in",
                detail=f"These stand in {rows}: {listed}{more}.",
                effect="The model would say these marks to people instead of a name or a date.",
                fix="Fill each gap in once for all rows, or leave the rows out.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                unoffered=tuple(_fill_ins(ranked[OFFERED:], is_suggested=False)),
                remedies=(
                    *_fill_ins(ranked[:OFFERED], is_suggested=not is_few),
                    leave_out(
                        self._hits.ids, "it has a gap that was never filled in", is_suggested=is_few
                    ),
                ),
            ),
        )


def find_gaps(text: str) -> Iterator[re.Match[str]]:
    """All gaps in a text that is no code."""
    bare = None
    for signs, pattern in _PATTERNS:
        for match in pattern.finditer(text) if any(sign in text for sign in signs) else ():
            # Only now and once, because most texts hold no such signs at all.
            bare = without_code(text) if bare is None else bare
            if match[0][1:-1].strip().upper() not in _TAGS and match[0] in bare:
                yield match


def _fill_ins(ranked: Sequence[tuple[str, int]], *, is_suggested: bool) -> Iterator[Remedy]:
    for place, (kind, number) in enumerate(ranked):
        yield change_texts(
            partial(_filling, kind),
            id=f"fill_in:{kind}",
            label=f"Fill in {kind}",
            words=f"{kind} becomes what you type, in {count_words(number, 'row')}.",
            told=f"{kind} was filled in.",
            asks=f"Text for {kind}",
            is_suggested=is_suggested and place == 0,
        )


def _filling(kind: str, value: str) -> Mend:
    def fill(text: str) -> str:
        # A text that is code as a whole keeps its signs, as the check does.
        return text.replace(kind, value) if kind in text and kind in without_code(text) else text

    return fill


CHECK = CheckKind(id="placeholders", order=30, make=Placeholders, shapes=ALL_SHAPES - {"middle"})
