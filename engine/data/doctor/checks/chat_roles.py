"""Conversations whose turns are out of order: empty, doubled, in the wrong place, or one-sided."""

from array import array
from collections import Counter
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Remedy, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.doctor.turn_order import find_disorder, put_in_order
from tailor.engine.data.split import Split
from tailor.engine.findings import Fix


class ChatRoles:
    """Looks at the conversation's own cell, also where the row is left out because of it."""

    def __init__(self, scope: Scope) -> None:
        self._column = scope.mapping.messages
        self._hits = Hits()
        self._kinds: Counter[str] = Counter()
        self._mended = 0
        self._usable = array("q")

    def see(self, row: Row) -> None:
        """Look at one conversation."""
        if row.damage or not self._column:
            return
        cell = row.cells[self._column]
        troubles = find_disorder(cell)
        if troubles:
            self._kinds.update(troubles)
            self._mended += put_in_order(cell) != cell
            self._hits.add(row, f"{troubles[0]}: {shorten(cell, 100)}")
            if row.is_usable:
                self._usable.append(row.id)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The conversations, and how their turns come in order."""
        number = len(self._hits)
        if not number:
            return ()
        kinds = ", ".join(f"{kind} ({rows:,})" for kind, rows in self._kinds.most_common())
        out = number - len(self._usable)
        already = f" {count_words(out, 'row')} of them cannot be used like this." if out else ""
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{count_words(number, 'conversation')} out of order",
                detail=f"Found: {kinds}.{already}",
                effect="The model would learn turns that never come like this when it is used.",
                fix="Put the turns in order; rows in which nobody asks or answers stay left out.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=tuple(self._remedies()),
            ),
        )

    def _remedies(self) -> list[Remedy]:
        remedies = []
        if self._mended:
            rows = count_words(self._mended, "row")
            mending = Fix(
                id="put_in_order",
                label="Put the turns in order",
                words="Empty turns go, turns of one side in a row are joined, instructions come "
                f"first, answers before the first question go, in {rows}.",
                is_suggested=True,
            )
            remedies.append(
                Remedy(
                    fix=mending,
                    told=lambda rows: f"In {count_words(rows, 'row')} turns were put in order.",
                    begin=lambda value: put_in_order,
                    column=self._column,
                )
            )
        if self._usable:
            remedies.append(leave_out(self._usable, "its turns are out of order"))
        return remedies


CHECK = CheckKind(id="chat_roles", order=48, make=ChatRoles, shapes=frozenset({"chat"}))
