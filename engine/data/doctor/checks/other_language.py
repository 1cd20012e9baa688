"""Rows in another language than the table's, where both are written in the same letters.

Questions and answers are weighed apart: a table of translations has two languages by nature. A row
that asks for a translation, or names a language, is left alone.
"""

from array import array
from collections import Counter
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import ALL_SHAPES, CheckKind, Found, Scope
from tailor.engine.data.doctor.codelike import without_code
from tailor.engine.data.doctor.languages import (
    NAMES,
    UNKNOWN,
    are_alike,
    asks_for_language,
    find_language,
)
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.scripts import count_scripts
from tailor.engine.data.doctor.survey import EXAMPLES, Survey, snippet
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import Split

MAIN_SHARE = 0.8
SAMPLE_CHARACTERS = 300
LEARNED_ROWS = 400
"""After so many texts the table's own language is known by its frequent words."""
FREQUENT_WORDS = 150
OWN_SHARE = 0.35
"""A text with so many of these words is in the table's language; other languages share few."""
OWN_WORDS_LEAST = 8
ROWS_LEAST = 10


class OtherLanguage:
    """Tells the language of every question and answer that is long enough."""

    def __init__(self, scope: Scope) -> None:
        self._sides = (_Side(), _Side())

    def see(self, row: Row) -> None:
        """Look at question and answer of one row."""
        if row.is_usable:
            asked, answered = self._sides
            asked.add(row, row.question)
            answered.add(row, row.answer)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows whose question or answer is in another language."""
        strange: dict[int, str] = {}
        for side in self._sides:
            strange.update(side.strange())
        if not strange:
            return ()
        ids = sorted(strange)
        rows = count_words(len(ids), "row")
        main = " and ".join(sorted({NAMES[side.main] for side in self._sides if side.main}))
        counts = Counter(NAMES[code] for code in strange.values()).most_common(4)
        others = ", ".join(f"{name} ({number:,})" for name, number in counts)
        texts = {one: text for side in self._sides for one, text in side.examples.items()}
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{rows} in another language",
                detail=f"The table is in {main}; these rows look like {others}.",
                effect="The model may answer in a language that nobody asked for.",
                fix="Leave them out, unless the model should speak both.",
                row_ids=ids,
                examples=[texts[one] for one in ids if one in texts],
                remedies=(leave_out(ids, "it is in another language"),),
            ),
        )


class _Side:
    """Questions or answers."""

    def __init__(self) -> None:
        self.main = ""
        self.examples: dict[int, str] = {}
        self._counts: Counter[str] = Counter()
        self._rows: dict[str, array[int]] = {}
        self._scripts: dict[str, str] = {}
        self._seen: Counter[str] = Counter()
        self._own: frozenset[str] = frozenset()

    def add(self, row: Row, text: str) -> None:
        """Tell the language of one text."""
        words = _words(text[:SAMPLE_CHARACTERS].lower())
        if self._own and len(words) >= OWN_WORDS_LEAST:
            own = sum(map(self._own.__contains__, words))
            if own >= OWN_SHARE * len(words):
                self._counts[self.main] += 1
                return
        part = without_code(text[:2_000])
        scripts = count_scripts(part)
        code = find_language(part, scripts)
        if code == UNKNOWN:
            return
        self._counts[code] += 1
        self._scripts[code] = max(scripts, key=lambda script: (scripts[script], script))
        if self.main and code == self.main:
            return
        if not self.main:
            self._learn(code, words)
        is_usual = code == self._counts.most_common(1)[0][0]
        if is_usual or not asks_for_language(row.asked):
            ids = self._rows.setdefault(code, array("q"))
            ids.append(row.id)
            if len(ids) <= EXAMPLES:
                self.examples[row.id] = snippet(row)

    def strange(self) -> dict[int, str]:
        """Row id and language of the rows in another language than the main one."""
        if not self._counts:
            return {}
        main, number = self._counts.most_common(1)[0]
        total = self._counts.total()
        if number < MAIN_SHARE * total or total < ROWS_LEAST:
            self.main = ""
            return {}
        self.main = main
        return {
            one: code
            for code, ids in self._rows.items()
            # Other letters are told of by the check of scripts, and once is enough.
            if not are_alike(code, main) and self._scripts[code] == self._scripts[main]
            for one in ids
        }

    def _learn(self, code: str, words: Sequence[str]) -> None:
        """Remember the words, and which language is the table's once enough texts were seen."""
        self._seen.update(words)
        if self._counts.total() < LEARNED_ROWS:
            return
        main, number = self._counts.most_common(1)[0]
        if number >= MAIN_SHARE * self._counts.total():
            self.main = main
            self._own = frozenset(word for word, _ in self._seen.most_common(FREQUENT_WORDS))


def _words(text: str) -> list[str]:
    """The words of a text; its signs where no spaces are written."""
    words = text.split()
    return words if len(words) * 20 >= len(text) or text.isascii() else list(text)


CHECK = CheckKind(id="other_language", order=70, make=OtherLanguage, shapes=ALL_SHAPES - {"middle"})
