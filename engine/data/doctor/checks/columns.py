"""Columns that say nothing: the same in every row, or only counting the rows.

A column that is learned from and says nothing was probably chosen by mistake. One that is not used
does no harm; it is told, so that nobody wonders where it went.
"""

from collections.abc import Sequence

from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import tell
from tailor.engine.data.split import Split

ROWS_LEAST = 10
_LEARNED_PARTS = ("question", "answer", "text", "chosen", "rejected")
_USED_PARTS = (
    *_LEARNED_PARTS, "context", "system", "messages", "history", "ranked", "rating", "tools",
    "pictures", "before", "after", "group", "thread", "parent", "speaker", "order",
)  # fmt: skip


class Columns:
    """Follows each column until it says something."""

    def __init__(self, scope: Scope) -> None:
        self._columns = tuple(scope.columns)
        self._learned = {getattr(scope.mapping, part) for part in _LEARNED_PARTS}
        self._used = {getattr(scope.mapping, part) for part in _USED_PARTS}
        # Beside an instruction, an input that is empty in every row is usual.
        self._can_be_empty = scope.mapping.question if scope.mapping.context else ""
        self._constant: dict[str, str] = {}
        self._counting: dict[str, int] = {}
        self._rows = 0

    def see(self, row: Row) -> None:
        """Compare with the rows before."""
        if row.damage:
            return
        cells = row.cells
        if self._rows == 0:
            self._constant = {name: cells[name] for name in self._columns}
            firsts = {name: _number(cells[name]) for name in self._columns}
            self._counting = {name: first for name, first in firsts.items() if first is not None}
        else:
            for name in [name for name, value in self._constant.items() if cells[name] != value]:
                del self._constant[name]
            for name, before in list(self._counting.items()):
                if _number(cells[name]) == before + 1:
                    self._counting[name] = before + 1
                else:
                    del self._counting[name]
        self._rows += 1

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The columns that say nothing."""
        if self._rows < ROWS_LEAST:
            return ()
        says = {
            name: f"says “{shorten(value, 40)}” in every row"
            for name, value in self._constant.items()
        }
        says |= {name: "is empty" for name, value in self._constant.items() if not value.strip()}
        says |= {name: "only counts the rows" for name in self._counting}
        chosen = {name: words for name, words in says.items() if name in self._learned}
        if self._can_be_empty and not self._constant.get(self._can_be_empty, "full").strip():
            del chosen[self._can_be_empty]
        if chosen:
            return (_tell(survey, "warn", chosen, "Choose another column for it."),)
        unused = {name: words for name, words in says.items() if name not in self._used}
        return (_tell(survey, "note", unused, "Nothing to do: it is not used."),) if unused else ()


def _tell(survey: Survey, level: str, says: dict[str, str], fix: str) -> Found:
    number = len(says)
    listed = "; ".join(f"“{shorten(name, 40)}” {words}" for name, words in list(says.items())[:5])
    effect = (
        "The model would learn to say the same whatever it is asked."
        if level == "warn"
        else "None: the model never sees it."
    )
    return tell(
        survey,
        check=CHECK.id,
        level="warn" if level == "warn" else "note",
        title="1 column says nothing" if number == 1 else f"{number:,} columns say nothing",
        detail=f"{listed}{f' and {number - 5:,} more' if number > 5 else ''}.",
        effect=effect,
        fix=fix,
        examples=list(says)[:3],
    )


def _number(cell: str) -> int | None:
    text = cell.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


CHECK = CheckKind(id="columns", order=98, make=Columns, needs_all_rows=True)
