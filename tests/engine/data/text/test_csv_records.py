"""No row is lost to a quotation mark, and no honest cell is torn apart."""

import pytest

from tailor.engine.data.read_row import Tally
from tailor.engine.data.text.csv_records import Separation, read_records
from tailor.engine.data.text.lines import LineFeed
from tailor.engine.errors import UserError

COMMA, SEMICOLON = Separation(delimiter=","), Separation(delimiter=";")


def records(
    text: str, separation: Separation = COMMA, width: int = 2
) -> tuple[list[list[str]], Tally]:
    tally = Tally()
    feed = LineFeed(text.splitlines(keepends=True))
    rows = [list(row.cells) for row in read_records(feed, separation, width, tally)]
    return rows, tally


def test_a_stray_quote_does_not_swallow_the_rows_below() -> None:
    lines = [
        "1;ok;x\n",
        '2;"broken;x\n',
        *(f"{n};fine {n};x\n" for n in range(3, 70)),
        '70;end";x\n',
    ]
    rows, tally = records("".join(lines), SEMICOLON, 3)
    assert len(rows) == len(lines)
    assert rows[1] == ["2", '"broken', "x"]
    assert rows[-1] == ["70", 'end"', "x"]
    assert tally.repairs == ["2"]


def test_a_stray_quote_that_never_closes_loses_no_row() -> None:
    lines = ["1;ok;x\n", '2;"broken;x\n', *(f"{n};fine {n};x\n" for n in range(3, 40))]
    rows, _ = records("".join(lines), SEMICOLON, 3)
    assert [row[0] for row in rows] == [str(n) for n in range(1, 40)]


def test_an_honest_cell_keeps_its_lines_even_with_one_comma_in_each() -> None:
    answer = "Dear Sir,\nfirst, do this\nthen, do that\n\nyours, Ada"
    rows, tally = records(f'q1,"{answer}"\nq2,short\n')
    assert rows == [["q1", answer], ["q2", "short"]]
    assert tally.repaired == 0


def test_pretty_printed_json_in_a_cell_stays_one_cell() -> None:
    body = "\n".join(f'  ""key{n}"": {n},' for n in range(30))
    rows, tally = records(f'q,"{{\n{body}\n}}"\nnext,row\n')
    assert len(rows) == 2
    assert rows[0][1].count("\n") == 31
    assert tally.repaired == 0


def test_quotes_inside_a_badly_quoted_cell_are_kept() -> None:
    rows, tally = records('a,"5" pipe\nb,"fine"\n')
    assert rows == [["a", '"5" pipe'], ["b", "fine"]]
    assert tally.repairs == ["1"]


def test_lines_that_each_begin_with_a_stray_quote_stay_rows() -> None:
    rows, _ = records('"a,1\n"b,2\n"c,3\n"d,4\n')
    assert rows == [['"a', "1"], ['"b', "2"], ['"c', "3"], ['"d', "4"]]


def test_a_file_cut_off_inside_a_cell_marks_the_last_row() -> None:
    tally = Tally()
    feed = LineFeed(["a,b\n", 'q,"cut off\n', "in the middle"])
    rows = list(read_records(feed, COMMA, 2, tally))
    assert rows[-1].damage
    assert tally.physical_lines == 3


def test_a_cell_beyond_the_limit_is_refused_with_its_line() -> None:
    long = "x" * 1_000 + "\n"
    with pytest.raises(UserError, match="begins on line 2"):
        records('a,b\nq,"' + long * 4_100)


def test_every_line_belongs_to_a_row_or_is_blank() -> None:
    text = 'a,b\n\n1,"x\ny"\n\n\n2,"5" z\n3,4\n'
    tally = Tally()
    rows = list(read_records(LineFeed(text.splitlines(keepends=True)), COMMA, 2, tally))
    covered = sum(row.last_line - row.first_line + 1 for row in rows)
    assert covered + tally.blank_lines == tally.physical_lines == 8
