"""Fixes on a file of rows: what is changed, what is left alone, what is refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from clean_tables import make_english
from examination import write_rows

from tailor.engine.data.doctor.fixing import LEAVE_OUT_ROWS, apply_fix
from tailor.engine.data.read_row import ReadRow
from tailor.engine.data.rows_file import RowsWriter, StoredRow, open_rows
from tailor.engine.data_types import Mapping, Operation
from tailor.engine.errors import UserError

PAIRS = Mapping(shape="question_answer", question="question", answer="answer")
Apply = Callable[..., tuple[Operation, list[StoredRow]]]


@pytest.fixture
def apply(tmp_path: Path) -> Apply:
    def run(
        rows: list[list[str]],
        columns: tuple[str, ...],
        operation: Operation,
        parts: list[str] | None = None,
    ) -> tuple[Operation, list[StoredRow]]:
        path, target = tmp_path / "rows.arrow", tmp_path / "fixed.arrow"
        writer = RowsWriter(path, len(columns))
        for number, cells in enumerate(rows, 1):
            part = parts[number - 1] if parts else ""
            writer.add(ReadRow(cells=cells, first_line=number, last_line=number, part=part))
        writer.close()
        done = apply_fix(path, columns, operation, target, lambda share, words: None)
        with open_rows(target) as fixed:
            return done, list(fixed.read())

    return run


def operation(check: str, fix: str, value: str = "", mapping: Mapping = PAIRS) -> Operation:
    return Operation(check=check, fix=fix, words="", rows=0, value=value, mapping=mapping)


def test_rows_that_are_named_are_left_out_with_their_cells_kept(apply: Apply) -> None:
    rows = [["a", "b"], ["c", "d"], ["e", "f"]]
    done, after = apply(rows, ("question", "answer"), operation("anything", LEAVE_OUT_ROWS, "3,1"))
    assert done.words == "2 rows were left out."
    assert [list(row.cells) for row in after] == rows
    assert [bool(row.damage) for row in after] == [True, False, True]


def test_the_same_value_gets_the_same_stand_in_in_every_cell_and_row(apply: Apply) -> None:
    rows = [
        ["Who is ada@example.org?", "Call +49 170 1234567."],
        ["Is +49 (170) 123 45 67 right?", "No, ADA@example.org or bob@example.org."],
        ["Nobody", "Nothing"],
    ]
    _, after = apply(rows, ("question", "answer"), operation("personal_data", "replace"))
    assert [list(row.cells) for row in after] == [
        ["Who is [EMAIL 1]?", "Call [PHONE 1]."],
        ["Is [PHONE 1] right?", "No, [EMAIL 1] or [EMAIL 2]."],
        ["Nobody", "Nothing"],
    ]


def test_columns_that_are_not_used_and_labels_stay(apply: Apply) -> None:
    rows = [["mail ada@example.org", "ada@example.org", "ada@example.org"]] * 2
    mapping = Mapping(shape="classes", question="text", answer="label")
    _, after = apply(
        rows, ("text", "label", "other"), operation("personal_data", "replace", mapping=mapping)
    )
    assert list(after[0].cells) == ["mail [EMAIL 1]", "ada@example.org", "ada@example.org"]


def test_a_leak_is_taken_out_of_training_by_the_split_of_the_data(apply: Apply) -> None:
    rows = [[f"What is {n} and {n}?", str(2 * n), "train"] for n in range(12)]
    rows += [["WHAT is 3  and 3?", "6", "test"], ["Something else?", "No.", "test"]]
    done, after = apply(rows, ("question", "answer", "split"), operation("leak", "take_out"))
    assert done.rows == 1
    assert [row.id for row in after if row.damage] == [4]
    files = ["a/train.csv"] * 12 + ["a/test.csv"] * 2
    _, after = apply(
        [row[:2] for row in rows], ("question", "answer"), operation("leak", "take_out"), files
    )
    assert [row.id for row in after if row.damage] == [4]


def test_what_was_left_out_before_stays_so_and_is_not_counted_again(tmp_path: Path) -> None:
    table = make_english(30)
    table.rows += [list(row) for row in table.rows[:4]]
    path = write_rows(table, tmp_path / "rows.arrow")
    first, second = tmp_path / "1.arrow", tmp_path / "2.arrow"
    duplicates = operation("duplicates", "keep_first", mapping=table.mapping)
    apply_fix(path, table.columns, duplicates, first, lambda share, words: None)
    with pytest.raises(UserError, match="nothing left to mend"):
        apply_fix(first, table.columns, duplicates, second, lambda share, words: None)


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        (operation("duplicates", "no_such_fix"), "This cannot be done here"),
        (operation("no_such_check", "keep_first"), "There is nothing left to mend"),
        (operation("duplicates", LEAVE_OUT_ROWS, "one, two"), "These rows are not known"),
        (operation("duplicates", LEAVE_OUT_ROWS, ""), "These rows are not known"),
        (operation("duplicates", LEAVE_OUT_ROWS, "999"), "There is nothing left to mend"),
        (replace(operation("duplicates", "keep_first"), mapping=None), "This cannot be done here"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    apply: Apply, wrong: Operation, title: str
) -> None:
    with pytest.raises(UserError) as refused:
        apply([["a", "b"], ["a", "b"]], ("question", "answer"), wrong)
    assert refused.value.title == title
