"""Tables in which nothing is wrong get no finding at all."""

import pytest
from clean_tables import CleanTable, make_all, make_english, make_german
from examination import examine

TABLES = [(rows, table) for rows in (30, 200) for table in make_all(rows)]


@pytest.mark.parametrize(
    "table", [table for _, table in TABLES], ids=[f"{table.name}, {rows}" for rows, table in TABLES]
)
def test_a_clean_table_raises_no_alarm(table: CleanTable) -> None:
    told = [f"{one.finding.check}: {one.finding.title}" for one in examine(table)]
    assert told == []


def test_personal_data_says_on_request_that_there_is_none_and_what_it_cannot_find() -> None:
    (found,) = [
        one.finding
        for one in examine(make_english(50), extra=("personal_data",))
        if one.finding.check == "personal_data"
    ]
    assert found.level == "note"
    assert found.count == 0
    assert "Names and addresses are not found by this check." in found.detail


def test_a_table_of_two_languages_has_no_wrong_one() -> None:
    table = make_english(60)
    table.rows += make_german(60).rows
    assert examine(table) == []
