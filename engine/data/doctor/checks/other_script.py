"""Rows in another script than the table's, such as a Russian answer among English ones.

Questions and answers are weighed apart, since a table of translations has two scripts by nature; a
row that asks for a translation, or names a language, is left alone.
"""

from array import array
from collections import Counter
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.codelike import without_code
from tailor.engine.data.doctor.languages import asks_for_language
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.scripts import DENSE, LATIN, OTHER, count_scripts
from tailor.engine.data.doctor.survey import EXAMPLES, Survey, snippet
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import Split

MAIN_SHARE = 0.8
"""Where no script is in so many rows, the table has several and none is another."""
OTHER_SHARE = 0.3
"""Letters of other scripts from which a row counts; below, it is a name or a quotation."""
WORTH = 3
"""A sign that is a syllable or a word weighs as much as so many letters."""
LOOKED_AT_CHARACTERS = 2_000
LETTERS_LEAST, DENSE_LEAST = 12, 4
"""Fewer letters are a name; where a letter is a syllable or a word, fewer say something."""


class OtherScript:
    """Counts scripts, and notes the rows of each."""

    def __init__(self, scope: Scope) -> None:
        self._sides = (_Side(), _Side())

    def see(self, row: Row) -> None:
        """Look at question and answer of one row."""
        if row.is_usable:
            asked, answered = self._sides
            asked.add(row, row.question)
            answered.add(row, row.answer)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows whose question or answer is in another script."""
        strange: dict[int, str] = {}
        for side in self._sides:
            strange.update(side.strange())
        if not strange:
            return ()
        ids = sorted(strange)
        rows = count_words(len(ids), "row")
        main = " and ".join(sorted({side.main for side in self._sides if side.main}))
        counts = Counter(strange.values()).most_common(4)
        others = ", ".join(f"{script} ({number:,})" for script, number in counts)
        texts = {one: text for side in self._sides for one, text in side.examples.items()}
        return (
            tell(
                survey,
                check=CHECK.id,
                level="note",
                title=f"{rows} in another script",
                detail=f"The table is written in {main}; these rows are in {others}.",
                effect="The model may change the script in the middle of an answer.",
                fix="Leave them out, unless the model should know both.",
                row_ids=ids,
                examples=[texts[one] for one in ids if one in texts],
                remedies=(leave_out(ids, "it is written in another script"),),
            ),
        )


class _Side:
    """Questions or answers."""

    def __init__(self) -> None:
        self.main = ""
        self.examples: dict[int, str] = {}
        self._counts: Counter[str] = Counter()
        self._rows: dict[str, array[int]] = {}

    def add(self, row: Row, text: str) -> None:
        """Count a text by its main script, and note what else is in it."""
        letters = count_scripts(text)
        if not letters:
            return
        self._counts[max(letters, key=lambda script: (letters[script], script))] += 1
        usual = self._counts.most_common(1)[0][0]
        for script in _strong_scripts(letters):
            if script == usual or not _is_excused(script, row, text):
                self._note(script, row)

    def _note(self, script: str, row: Row) -> None:
        ids = self._rows.setdefault(script, array("q"))
        ids.append(row.id)
        if len(ids) <= EXAMPLES:
            self.examples[row.id] = snippet(row)

    def strange(self) -> dict[int, str]:
        """Row id and script of the rows in another script than the main one."""
        if not self._counts:
            return {}
        main, number = self._counts.most_common(1)[0]
        if number < MAIN_SHARE * self._counts.total():
            return {}
        self.main = main
        return {one: script for script, ids in self._rows.items() if script != main for one in ids}


def _strong_scripts(letters: dict[str, int]) -> list[str]:
    """The scripts that hold a good part of a text."""
    total = sum(_weigh(script, number) for script, number in letters.items())
    return [
        script
        for script, number in letters.items()
        if script != OTHER
        and number >= (DENSE_LEAST if script in DENSE else LETTERS_LEAST)
        and _weigh(script, number) > OTHER_SHARE * total
    ]


def _is_excused(script: str, row: Row, text: str) -> bool:
    """Whether a script is meant: a language was asked for, or it is code, which is Latin always."""
    if asks_for_language(row.asked):
        return True
    bare = count_scripts(without_code(text[:LOOKED_AT_CHARACTERS]))
    return script == LATIN and LATIN not in _strong_scripts(bare)


def _weigh(script: str, letters: int) -> int:
    return WORTH * letters if script in DENSE else letters


CHECK = CheckKind(id="other_script", order=80, make=OtherScript)
