"""Cells of a spreadsheet are the text that a person sees, with dates and times made plain."""

import datetime
import io
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from tailor.engine.data.sheets.sheet_values import has_lost_digits, number_text, read_format

Read = Callable[..., Any]


def workbook(change: Callable[[Any], None]) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "S"
    for row in (["question", "answer"], ["q", "x"], ["r", "y"]):
        book.active.append(row)
    change(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (7.0, "General", "7"),
        (7, "000", "007"),
        (1234567, "000-00-0000", "001-23-4567"),
        (0.5, "0%", "50%"),
        (0.1234, "0.0%", "12.3%"),
        (0.1 + 0.2, "General", "0.3"),
        (1e-7, "General", "0.0000001"),
        (1234.5, "#,##0.00", "1234.5"),
        (-3, "General", "-3"),
        (True, "General", "TRUE"),
        (datetime.date(2024, 2, 29), "dd/mm/yyyy", "2024-02-29"),
        (datetime.datetime(2024, 2, 29, 13, 5), "dd/mm/yyyy hh:mm", "2024-02-29 13:05"),
        (datetime.datetime(2024, 2, 29, 13, 5, 9), "dd/mm/yyyy hh:mm", "2024-02-29 13:05:09"),
        (datetime.time(9, 30), "hh:mm", "09:30"),
        (datetime.timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
        (45000, '"Nr. "0', "45000"),
        (45000, '[Red]0" days"', "45000"),
        ("007", "General", "007"),
        ("NA", "General", "NA"),
        ("=1+1", "@", ""),
        ("  padded ", "General", "  padded "),
        ("two\nlines", "General", "two\nlines"),
        ("a _x0041__x005F_x b", "General", "a A_x b"),
    ],
)
def test_cells_are_text_as_people_see_them(
    read: Read, value: Any, number_format: str, text: str
) -> None:
    def change(book: Any) -> None:
        cell = book["S"]["B2"]
        cell.value = value
        cell.number_format = number_format

    found = read(workbook(change))
    assert found.cells[0][1] == text


def test_days_are_counted_from_1904_where_the_workbook_says_so(read: Read) -> None:
    def change(book: Any) -> None:
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        book["S"]["B2"].value = datetime.date(2024, 2, 29)

    found = read(workbook(change))
    assert found.cells[0] == ["q", "2024-02-29"]


@pytest.mark.parametrize(
    ("code", "stored", "text"),
    [
        ("[$-407]d. mmm yyyy;@", "45351", "2024-02-29"),
        ("[$-F800]dddd, mmmm dd, yyyy", "45351", "2024-02-29"),
        ('yyyy"年"m"月"d"日"', "45351", "2024-02-29"),
        ("d/m/yy h:mm", "45351.5", "2024-02-29 12:00"),
        ("dd.mm.yyyy", "45351.25", "2024-02-29 06:00"),
        ("h:mm AM/PM", "0.9993055555555556", "23:59"),
        ("mm:ss", "0.0007060185185185185", "00:01:01"),
        ("[h]:mm:ss", "1.5", "36:00:00"),
        ("mmm-yy", "45323", "2024-02-01"),
        ("m/d/yyyy", "1", "1900-01-01"),
        ("m/d/yyyy", "59", "1900-02-28"),
        ("m/d/yyyy", "61", "1900-03-01"),
        ("m/d/yyyy", "-5", "-5"),
        ("m/d/yyyy", "99999999", "99999999"),
        ("0.00E+00", "1234567", "1234567"),
        ('#,##0.00\\ "€"', "1234.5", "1234.5"),
        ("_-* #,##0.00\\ _€_-", "12.5", "12.5"),
        ("0.00", "7", "7"),
        ("0%", "0.07", "7%"),
        ("00000", "1234", "01234"),
        ("00000-0000", "123456789", "12345-6789"),
        ("000", "1234", "1234"),
        ("0.00", "0.10000000000000001", "0.1"),
        ("General", "1E+100", "1E100"),
        ("General", "1E+999999999", "1E+999999999"),
        ("General", "-0", "0"),
        ("General", "nan", "nan"),
        ("General", "no number", "no number"),
    ],
)
def test_number_formats_give_what_they_show(code: str, stored: str, text: str) -> None:
    assert number_text(stored, read_format(code), is_1904=False) == text


@pytest.mark.parametrize(
    ("stored", "is_lost"),
    [
        ("123456789012345", False),
        ("1234567890123456", True),
        ("1234567890123450", True),
        ("1000000000000000", False),
        ("1.23456789012345E+17", True),
        ("1E+17", False),
        ("0.1234567890123456", False),
        ("-1234567890123450", True),
    ],
)
def test_whole_numbers_that_are_too_long_are_known(stored: str, is_lost: bool) -> None:
    assert has_lost_digits(stored) == is_lost
