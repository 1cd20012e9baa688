from pathlib import Path

import pytest

from tailor.estimator.evaluate.columns import (
    COLUMNS,
    MissingColumnsError,
    read_rows,
    read_values,
)


def test_rows_come_without_their_value(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(",".join(COLUMNS) + "\n" + ",".join(f"<{name}>" for name in COLUMNS) + "\n")
    (row,) = read_rows(file)
    assert row.metric == "<metric>"
    assert "<value>" not in repr(row)
    assert read_values(file) == ("<value>",)


def test_columns_may_stand_in_any_order_and_behind_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    backwards = COLUMNS[::-1]
    file.write_bytes(
        b"\xef\xbb\xbf" + (",".join(backwards) + "\r\n" + ",".join(backwards) + "\r\n").encode()
    )
    assert read_rows(file)[0].source == "source"


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(",".join(name for name in COLUMNS if name != "grad_ckpt") + "\n")
    with pytest.raises(MissingColumnsError, match="grad_ckpt"):
        read_rows(file)


def test_a_short_line_has_blanks_and_bytes_that_are_no_text_do_not_stop_the_file(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes((",".join(COLUMNS) + "\n").encode() + b"lab,caf\xe9\n")
    (row,) = read_rows(file)
    assert row.metric == ""
    assert row.hardware.startswith("caf")


def test_a_source_ends_at_its_first_colon(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(",".join(COLUMNS) + "\nlab/one:table:2.csv\nhome\n")
    assert [row.source_group for row in read_rows(file)] == ["lab/one", "home"]
