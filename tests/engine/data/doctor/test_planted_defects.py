"""Defects planted into clean tables are found, nothing else is, and each fix can be taken back."""

import json
from pathlib import Path

import pytest
from defect_cases import Case, cases
from examination import Score, build, examine, score, write_rows
from planted_defects import copy_of

from tailor.engine.data.doctor.catalog import read_catalog
from tailor.engine.data.doctor.fixing import LEFT_OUT, apply_fix
from tailor.engine.data.rows_file import StoredRow, open_rows
from tailor.engine.data_types import Operation

CASES = list(cases())
FIXES = [(case, fix, value) for case in CASES for fix, value in case.fixes]
# What a defect of one kind brings along: a bare "N/A" is a short answer as well.
COMES_ALONG = {
    "empty": {"short_answers", "different_answers", "duplicates", "small_classes"},
    "refusals": {"other_script"},
    "different_answers": {"near_duplicates"},
    "class_spelling": {"small_classes"},
}


@pytest.fixture(scope="module")
def scores() -> list[tuple[Case, Score, set[str]]]:
    made = []
    for case in CASES:
        table, planted = case.build()
        found = examine(table, extra=case.extra)
        others = {one.finding.check for one in found} - {case.check}
        made.append((case, score(found, case.check, planted), others))
    return made


def test_each_kind_of_defect_is_found_with_precision_and_recall(
    scores: list[tuple[Case, Score, set[str]]],
) -> None:
    print(f"\n{'planted':34}{'check':22}{'rows':>5}{'found':>6}{'precision':>11}{'recall':>8}")
    for case, one, _ in scores:
        print(
            f"{case.name:34}{case.check:22}{one.planted:5}{one.found:6}"
            f"{one.precision:11.2f}{one.recall:8.2f}"
        )
    weak = [case.name for case, one, _ in scores if min(one.precision, one.recall) < 0.9]
    assert weak == []


def test_a_defect_raises_no_other_alarm(scores: list[tuple[Case, Score, set[str]]]) -> None:
    surprises = {
        case.name: others - COMES_ALONG.get(case.check, set())
        for case, _, others in scores
        if others - COMES_ALONG.get(case.check, set())
    }
    assert surprises == {}


def test_every_check_of_single_rows_has_a_planted_defect() -> None:
    told = {one for kind in read_catalog() for one in (kind.tells or (kind.id,))}
    elsewhere = {"leak", "columns"}
    assert told - {case.check for case in CASES} == elsewhere


@pytest.mark.parametrize(
    ("case", "fix", "value"), FIXES, ids=[f"{case.name}: {fix}" for case, fix, _ in FIXES]
)
def test_a_fix_mends_every_row_and_is_taken_back_byte_for_byte(
    case: Case, fix: str, value: str, tmp_path: Path
) -> None:
    table, _ = case.build()
    path = write_rows(table, tmp_path / "rows.arrow")
    original = path.read_bytes()
    asked = Operation(
        check=case.check, fix=fix, words="", rows=0, value=value, mapping=table.mapping
    )
    first, again = tmp_path / "first.arrow", tmp_path / "again.arrow"
    done = apply_fix(path, table.columns, asked, first, lambda share, words: None)
    # Undo is to drop the newest file; the same operation on the same rows gives the same bytes.
    assert path.read_bytes() == original
    assert apply_fix(path, table.columns, asked, again, lambda share, words: None) == done
    assert first.read_bytes() == again.read_bytes()
    before, after = _rows(path), _rows(first)
    assert [row.id for row in after] == [row.id for row in before]
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == done.rows > 0
    assert f"{done.rows:,} row" in done.words
    for old, new in zip(before, after, strict=True):
        assert not new.damage or (new.damage.startswith(LEFT_OUT) and old.cells == new.cells)
        if table.mapping.shape == "chat":
            assert isinstance(json.loads(new.cells[0]), list)
    mended = copy_of(table)
    mended.rows = [list(row.cells) for row in after if not row.damage]
    if fix not in ("keep_first", "even_out", "thin_out", "fill_in:{{name}}", "fill_in:[Your Name]"):
        left = score(examine(mended, only=case.check), case.check, ())
        lost = sum(bool(build(mended, row).left_out) for row in mended.rows)
        assert left.found <= lost + _beyond_repair(case, fix)


def _beyond_repair(case: Case, fix: str) -> int:
    """Rows with a letter that is lost for good."""
    table, planted = case.build()
    texts = ["\n".join(table.rows[one - 1]) for one in planted]
    return sum("\ufffd" in text for text in texts) if fix == "repair" else 0


def _rows(path: Path) -> list[StoredRow]:
    with open_rows(path) as rows:
        return list(rows.read())
