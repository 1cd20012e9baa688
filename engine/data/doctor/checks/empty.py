"""Rows whose question or answer is empty, or only says that it is: "nan", "N/A", "TODO", "-".

Spreadsheets and exports write such words into empty cells. "None" may be an honest class, so for
classes only those count that no person would choose. Cells with nothing at all make no example, so
their rows are left out already.
"""

from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Remedy, Scope
from tailor.engine.data.doctor.row import Row, plain
from tailor.engine.data.doctor.survey import Survey, shorten, snippet
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split

_NEVER_MEANT = frozenset({
    "nan", "null", "#n/a", "#na", "<na>", "todo", "tbd", "tba", "to do", "to be done", "fixme",
    "undefined", "#ref!", "#value!", "#name?", "#div/0!", "#null!", "xxx", "<empty>", "[empty]",
    "(empty)", "(blank)", "[blank]", "(null)", "[deleted]", "[removed]",
})  # fmt: skip
_SELDOM_MEANT = _NEVER_MEANT | {
    "none", "n/a", "na", "n.a.", "nil", "empty", "blank", "no answer", "not available", "missing",
    "k.a.", "keine angabe", "no aplica", "无", "暂无", "なし", "нет данных",
    "-", "--", "---", "–", "—", ".", "..", "...", "…", "?", "??", "???", "_", "/", "*", "x",
}  # fmt: skip
_EMPTY = "is empty"
"""How the reasons end for which a row makes no example because a part of it is empty."""
_LONGEST = max(map(len, _SELDOM_MEANT))


class Empty:
    """Looks at the first question and every answer."""

    def __init__(self, scope: Scope) -> None:
        is_classes = scope.mapping.shape == "classes"
        self._of_answers = _NEVER_MEANT if is_classes else _SELDOM_MEANT
        self._hits = Hits()
        self._marked: list[int] = []

    def see(self, row: Row) -> None:
        """Compare with the words."""
        if not row.damage and row.example.left_out.endswith(_EMPTY):
            self._hits.add(row, shorten(" | ".join(filter(None, row.cells.values()))))
        if not row.is_usable:
            return
        example = row.example
        is_empty = any(_is_in(text, self._of_answers) for text in (*row.answers, *example.rejected))
        asked = [turn.content for turn in example.messages if turn.role == "user"]
        if is_empty or any(_is_in(text, _SELDOM_MEANT) for text in asked):
            self._hits.add(row, snippet(row))
            self._marked.append(row.id)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows, to be left out."""
        if not self._hits:
            return ()
        number, marked = len(self._hits), len(self._marked)
        parts = [f"{number - marked:,} with nothing in it, left out already"] * (number > marked)
        parts += [f"{marked:,} with a mark such as “N/A”, “nan”, “TODO” or “-”"] * (marked > 0)
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn" if marked else "note",
                title=f"{count_words(number, 'row')} with an empty question or answer",
                detail=f"Of these rows: {'; '.join(parts)}.",
                effect="The model would learn to answer with nothing, or with that mark.",
                fix="Leave these rows out, or fill them in and drop the file again.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=self._remedies(),
            ),
        )

    def _remedies(self) -> tuple[Remedy, ...]:
        if not self._marked:
            return ()
        because = "its question or answer is only a mark for nothing"
        return (leave_out(self._marked, because, is_suggested=True),)


def _is_in(text: str, words: frozenset[str]) -> bool:
    return len(text) <= 2 * _LONGEST and plain(text) in words


CHECK = CheckKind(id="empty", order=50, make=Empty)
