"""HTML tags, Markdown tables and web addresses in many rows of a table of prose."""

import re
from collections.abc import Iterator, Sequence
from html import unescape

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import ALL_SHAPES, CheckKind, Found, Scope
from tailor.engine.data.doctor.codelike import is_code, without_code
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, around
from tailor.engine.data.doctor.telling import Hits, change_texts, leave_out, tell
from tailor.engine.data.split import Split

MANY_SHARE = 0.05
ROWS_LEAST = 3
_TAG = re.compile(
    r"</?(?:p|br|div|span|a|b|i|u|s|em|strong|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|h[1-6]"
    r"|img|font|html|body|head|hr|sup|sub|small|big|center|blockquote|section|article|script|style"
    r"|iframe|button|form|label|nav|footer|header)(?:\s[^<>]{0,400})?/?>|<!--.{0,400}?-->|&(?:nbsp|amp|lt|gt|quot|#\d{2,5});",
    re.IGNORECASE | re.DOTALL,
)
_BREAKING = re.compile(r"</?(?:p|br|div|li|tr|h[1-6]|ul|ol|table)\b[^<>]*>", re.IGNORECASE)
_TABLE = re.compile(r"^\s*\|?[ :]*-{3,}[ :]*(?:\|[ :]*-{3,}[ :]*)+\|?\s*$", re.MULTILINE)
_ADDRESS = re.compile(r"\bhttps?://\S+|\bwww\.\S+\.\S+")
_KINDS = (
    ("html", "HTML tags", ("<", "&"), _TAG),
    ("markdown_tables", "Markdown tables", ("|",), _TABLE),
    ("web_addresses", "web addresses", ("://", "www."), _ADDRESS),
)


class Markup:
    """Counts the rows of each kind."""

    def __init__(self, scope: Scope) -> None:
        self._hits = tuple(Hits() for _ in _KINDS)

    def see(self, row: Row) -> None:
        """Look at one row."""
        if not row.is_usable:
            return
        for (_, _, signs, pattern), hits in zip(_KINDS, self._hits, strict=True):
            for text in row.texts:
                found = pattern.search(text) if any(sign in text for sign in signs) else None
                if found and found[0] in without_code(text):
                    hits.add(row, around(text, *found.span()))
                    break

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """One finding for each kind that stands in many rows."""
        return tuple(self._tell_all(survey))

    def _tell_all(self, survey: Survey) -> Iterator[Found]:
        for (check, kind, _, pattern), hits in zip(_KINDS, self._hits, strict=True):
            number = len(hits)
            if number < ROWS_LEAST or number <= MANY_SHARE * survey.looked_at:
                continue
            rows = count_words(number, "row")
            stripping = change_texts(
                lambda value: strip_tags,
                id="strip",
                label="Take the tags out",
                words=f"Tags go and their text stays, in {rows}.",
                told="HTML tags were taken out.",
            )
            yield tell(
                survey,
                check=check,
                level="note",
                title=f"{rows} with {kind}",
                detail=f"{kind[0].upper()}{kind[1:]} stand in {number / survey.looked_at:.0%} "
                "of the rows.",
                effect="The model will write them too, also where nobody can show them.",
                fix="Keep them if answers are shown where they work.",
                row_ids=hits.ids,
                examples=hits.examples,
                remedies=(
                    *([stripping] if pattern is _TAG else []),
                    leave_out(hits.ids, f"it has {kind}"),
                ),
            )


def strip_tags(text: str) -> str:
    """The text without HTML tags; paragraphs stay apart. Code stays as it is."""
    if not _TAG.search(text) or is_code(text):
        return text
    broken = _BREAKING.sub("\n", text)
    bare = unescape(_TAG.sub(lambda match: match[0] if match[0][0] == "&" else "", broken))
    lines = (" ".join(line.split(" ")).strip() for line in bare.replace("\xa0", " ").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


CHECK = CheckKind(
    id="markup",
    order=95,
    make=Markup,
    shapes=ALL_SHAPES - {"middle"},
    tells=tuple(check for check, *_ in _KINDS),
)
