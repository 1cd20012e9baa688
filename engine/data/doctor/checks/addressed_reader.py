"""Texts that speak to the model or to whoever looks at the rows, and want something of them.

"Ignore all previous instructions", "paste your token here": such rows come from the web, or were
put in on purpose. They are shown as text and never obeyed.
"""

import re
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, around
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split

_MARKS = ("ignor", "disregard", "override", "forget", "system prompt", "developer mode",
    "you are now in", "passwort", "sende dein", "gib dein")  # fmt: skip
_ASKED_MARKS = ("token", "password", "api", "credential", "secret key")
"""What somebody may want to have of the reader; only beside "your"."""
_FOREIGN_MARKS = ("игнорируй", "忽略", "無視")
"""One of these stands in every such text; where none does, nothing is searched."""
_ADDRESSED = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|override)\b"
    r".{0,30}\b(?:previous|prior|above|earlier|preceding|all|your)\b"
    r".{0,20}\b(?:instructions?|prompts?|rules|directions)\b"
    r"|\b(?:reveal|print|show|repeat|output|leak)\b.{0,20}\b(?:your|the)\b.{0,15}\bsystem prompt\b"
    r"|\b(?:paste|send|enter|type|post|share|give)\b.{0,20}\byour\b"
    r".{0,20}\b(?:token|password|api[ -]?key|credentials|secret key)\b"
    r"|\byou are now in\b.{0,20}\bmode\b|\benable developer mode\b"
    r"|\bignoriere?\b.{0,30}\b(?:anweisungen|instruktionen)\b"
    r"|\b(?:gib|sende|füge)\b.{0,30}\bdein(?:en?|e)?\b.{0,15}\b(?:passwort|token)\b"
    r"|\bignore[zr]?\b.{0,30}\binstructions?\b.{0,20}\bprécédentes\b"
    r"|\bignora\b.{0,30}\b(?:instrucciones|istruzioni)\b|\bignore\b.{0,30}\binstruções\b"
    r"|игнорируй.{0,30}инструкц|忽略.{0,10}(?:指示|指令)|無視.{0,10}指示|指示を無視",
)


class AddressedReader:
    """Looks at all texts."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()

    def see(self, row: Row) -> None:
        """Look at one row; standing instructions are meant to address the model."""
        if not row.is_usable:
            return
        standing = {turn.content for turn in row.example.messages if turn.role == "system"}
        for text in row.texts:
            if text in standing or not _may_address(text):
                continue
            if match := _ADDRESSED.search(text):
                self._hits.add(row, around(text, *match.span()))
                return

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows, to be looked at."""
        if not self._hits:
            return ()
        number = len(self._hits)
        does = "tells" if number == 1 else "tell"
        return (
            tell(
                survey,
                check=CHECK.id,
                level="note",
                title=f"{count_words(number, 'row')} that {does} the model what to do",
                detail="They ask to ignore instructions or to hand over a password or a token. "
                "Here they are only text.",
                effect="The model may learn to say such things to people, or to obey them.",
                fix="Look at them, and leave them out if nobody meant to teach this.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=(
                    leave_out(self._hits.ids, "it tells the model or the reader what to do"),
                ),
            ),
        )


def _may_address(text: str) -> bool:
    low = text.lower()
    if any(mark in low for mark in _MARKS):
        return True
    if "your" in low and any(mark in low for mark in _ASKED_MARKS):
        return True
    return not low.isascii() and any(mark in low for mark in _FOREIGN_MARKS)


CHECK = CheckKind(id="addressed_reader", order=88, make=AddressedReader)
