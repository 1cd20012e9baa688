"""A fix done: the check is run once more, and the rows are written anew with what its remedy says.

The file that was read stays; a new one stands beside it, so undo is to drop the newest. The same
rows and the same operation give the same bytes, on any machine. Called by the mapping child, which
maps the new rows afterwards.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tailor.engine.child import Report
from tailor.engine.data.candidates import Candidate, Candidates
from tailor.engine.data.doctor.cells import mend_cells, text_columns
from tailor.engine.data.doctor.check import Remedy
from tailor.engine.data.doctor.doctor import Doctor
from tailor.engine.data.doctor.row import by_name
from tailor.engine.data.doctor.telling import leave_out
from tailor.engine.data.given_split import find_split_column, name_part
from tailor.engine.data.making.examples import read_examples
from tailor.engine.data.read_row import ReadRow
from tailor.engine.data.rows_file import BATCH_ROWS, RowsReader, RowsWriter, StoredRow, open_rows
from tailor.engine.data.split import Split, choose_split
from tailor.engine.data_types import Operation
from tailor.engine.errors import UserError

LEFT_OUT = "you left it out"
"""How the damage of a row begins that a person left out."""
LEAVE_OUT_ROWS = "leave_out_rows"
"""The fix that works for every check: leave out the rows whose ids are named."""
_NAMED = "you named it"

Change = Callable[[StoredRow], tuple[Sequence[str], str]]
"""The cells and the damage that a row will have."""


def apply_fix(
    rows_path: Path, columns: Sequence[str], operation: Operation, target: Path, report: Report
) -> Operation:
    """Write the rows to `target` with the fix done, and tell how many it changed."""
    with open_rows(rows_path) as rows:
        if operation.fix == LEAVE_OUT_ROWS:
            remedy = leave_out(_read_ids(operation.value), _NAMED)
        else:
            remedy = _find_remedy(rows, columns, operation, report)
        change = _changing(remedy, columns, operation)
        with closing(RowsWriter(target, len(columns))) as writer:
            changed = _write(rows, change, writer, report)
    if not changed:
        raise _nothing_to_do()
    return replace(operation, words=remedy.told(changed), rows=changed)


def _read_ids(value: str) -> list[int]:
    try:
        return [int(one) for one in value.split(",")]
    except ValueError as error:
        raise UserError(
            title="These rows are not known",
            detail=f"“{value[:80]}” is no list of row numbers.",
            fix="Tick the rows in the table.",
        ) from error


def _find_remedy(
    rows: RowsReader, columns: Sequence[str], operation: Operation, report: Report
) -> Remedy:
    """Run the check over all rows and take the remedy that was asked for."""
    mapping = operation.mapping
    if mapping is None:
        raise _unknown(operation)
    doctor = Doctor(mapping, columns, "row", rows=len(rows), only=operation.check)
    sides = Candidates()
    split_column = find_split_column(columns)
    for row, example in read_examples(rows, columns, mapping):
        if row.id % BATCH_ROWS == 0:
            report(0.5 * row.id / len(rows), f"Checking row {row.id:,} of {len(rows):,}.")
        doctor.see(row, example)
        if not example.left_out:
            cells = by_name(columns, row)
            given = cells[split_column] if split_column else ""
            sides.add(
                Candidate(id=row.id, question=0, whole=0, given=given, part=name_part(row.part))
            )
    found = doctor.found(_given_split(sides))
    remedies = [remedy for one in found for remedy in one.remedies]
    for remedy in remedies:
        if remedy.fix.id == operation.fix:
            return remedy
    raise _nothing_to_do() if not remedies else _unknown(operation)


def _given_split(sides: Candidates) -> Split | None:
    split = choose_split(sides) if len(sides) else None
    return split if split and split.is_given else None


def _changing(remedy: Remedy, columns: Sequence[str], operation: Operation) -> Change:
    """What happens to each row; it is asked once for each, in their order."""
    gone = frozenset(remedy.left_out)
    damage = f"{LEFT_OUT}: {remedy.because}"
    if remedy.begin is None:
        return lambda row: (row.cells, damage if row.id in gone else "")
    mend = remedy.begin(operation.value)
    assert operation.mapping is not None
    mapping = operation.mapping
    if remedy.column:
        at = list(columns).index(remedy.column)
        return lambda row: ([*row.cells[:at], mend(row.cells[at]), *row.cells[at + 1 :]], "")
    wanted = text_columns(mapping)
    return lambda row: (mend_cells(row.cells, columns, wanted, mend), "")


def _write(rows: RowsReader, change: Change, writer: RowsWriter, report: Report) -> int:
    changed = 0
    for row in rows.read():
        # What cannot be used already is nobody's to change.
        cells, damage = (row.cells, row.damage) if row.damage else change(row)
        changed += damage != row.damage or list(cells) != list(row.cells)
        writer.add(
            ReadRow(
                cells=cells,
                first_line=row.first_line,
                last_line=row.last_line,
                damage=damage,
                part=row.part,
            )
        )
        if row.id % BATCH_ROWS == 0:
            report(0.5 + 0.5 * row.id / len(rows), f"Writing row {row.id:,} of {len(rows):,}.")
    return changed


def _nothing_to_do() -> UserError:
    return UserError(
        title="There is nothing left to mend",
        detail="No row needs this any more, perhaps because another fix has taken care of it.",
        fix="Look at the findings again.",
    )


def _unknown(operation: Operation) -> UserError:
    return UserError(
        title="This cannot be done here",
        detail=f"“{operation.fix[:80]}” is not among what helps with what was found.",
        fix="Choose one of the buttons beside the finding.",
    )
