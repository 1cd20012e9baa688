"""The first way through all rows: what each of them is, before anything is decided.

The split, the checks and the exam have to know the whole table, and none may hold it in memory. So
every row is made into its example once to be counted here, and a second time when it is written.
Called by `mapped`.
"""

from collections import Counter
from collections.abc import Mapping as Lookup
from pathlib import Path

from tailor.engine.child import Report
from tailor.engine.data.candidates import NONE, Candidate, Candidates, digest, identify
from tailor.engine.data.doctor.doctor import Doctor
from tailor.engine.data.doctor.fixing import LEFT_OUT
from tailor.engine.data.given_split import find_split_column, name_part
from tailor.engine.data.left_out import LeftOut
from tailor.engine.data.making.example import Example
from tailor.engine.data.making.examples import open_threads, read_examples
from tailor.engine.data.report import ReadReport
from tailor.engine.data.rows_file import BATCH_ROWS, RowsReader, StoredRow, open_rows
from tailor.engine.data_types import Mapping

PASSAGE_CHARACTERS = 200
"""From here on a background text is a passage, which several questions are asked about; shorter
ones are instructions, which many unlike rows share."""
CODE_FILE_COLUMN = "path"


class Survey:
    """What was found on the way. Made by `survey_rows`."""

    def __init__(self, entry_word: str) -> None:
        self._entry_word = entry_word
        self.candidates = Candidates()
        self.left_out = LeftOut()
        self.rows_of_part: Counter[str] = Counter()

    def leave_out(self, row: StoredRow, reason: str) -> None:
        """Count a row that cannot be used."""
        number = row.id if self._entry_word == "entry" else row.first_line
        place = f"{self._entry_word} {number}"
        self.left_out.add(
            row.damage if row.damage.startswith(LEFT_OUT) else reason,
            row.id,
            f"{row.part}, {place}" if row.part else place,
        )


def survey_rows(
    rows_path: Path, read: ReadReport, mapping: Mapping, doctor: Doctor, report: Report
) -> Survey:
    """Look at all rows, and show them to the doctor."""
    found = Survey(read.entry_word)
    with open_rows(rows_path) as rows:
        keys = _Keys(rows, read.columns, mapping)
        for row, example in read_examples(rows, read.columns, mapping):
            if row.id % BATCH_ROWS == 0:
                report(row.id / len(rows), f"Checking row {row.id:,} of {len(rows):,}.")
            found.rows_of_part[row.part] += 1
            doctor.see(row, example)
            if example.left_out:
                found.leave_out(row, example.left_out)
            else:
                found.candidates.add(keys.describe(row, example))
    return found


class _Keys:
    """What ties a row to others, out of its columns."""

    def __init__(self, rows: RowsReader, columns: tuple[str, ...], mapping: Mapping) -> None:
        self._columns = columns
        self._mapping = mapping
        self._split_column = find_split_column(columns)
        named = [mapping.group, "" if mapping.parent else mapping.thread]
        if mapping.shape == "middle":
            named += [name for name in columns if name.casefold() == CODE_FILE_COLUMN]
        self._keeping = next((name for name in named if name), "")
        self._previous: Lookup[int, int] = {}
        if mapping.parent and not self._keeping:
            self._previous = open_threads(rows, columns, mapping).previous

    def describe(self, row: StoredRow, example: Example) -> Candidate:
        """The row as the split knows it."""
        cells = dict(zip(self._columns, row.cells, strict=True))
        what = identify(example)
        # The folders of a program are called "test" for reasons of its own.
        part = "" if self._mapping.shape == "middle" else row.part
        return Candidate(
            id=row.id,
            question=what.question,
            whole=what.whole,
            label=what.label,
            given=cells.get(self._split_column, ""),
            part=name_part(part),
            kept=self._kept(row, cells),
            passage=self._passage(row, cells),
        )

    def _kept(self, row: StoredRow, cells: Lookup[str, str]) -> int:
        if self._previous:
            # Branches of one conversation share its beginning.
            first = row.id
            while before := self._previous.get(first, 0):
                first = before
            return digest(f"thread {first}")
        named = cells.get(self._keeping, "").strip()
        return digest(named) if named else NONE

    def _passage(self, row: StoredRow, cells: Lookup[str, str]) -> int:
        if self._mapping.shape == "text":
            return digest(row.part) if row.part else NONE
        background = cells.get(self._mapping.context, "")
        return digest(background) if len(background) >= PASSAGE_CHARACTERS else NONE
