"""The doctor as a whole: order, groups, samples of large tables, and what it may not load."""

import subprocess
import sys
from dataclasses import replace

from clean_tables import CleanTable, make_english, make_sums
from examination import build, examine, show
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tailor.engine.data.doctor.catalog import read_catalog
from tailor.engine.data.doctor.doctor import EXTRA_CHECKS, SAMPLE_ROWS, Doctor
from tailor.engine.data.making.example import Example
from tailor.engine.data.rows_file import StoredRow
from tailor.engine.data.split import Split
from tailor.engine.data_types import Mapping

ODD_MAPPINGS = (
    Mapping(shape="question_answer", question="one", answer="two", context="three"),
    Mapping(shape="classes", question="one", answer="two"),
    Mapping(shape="preference", question="one", chosen="two", rejected="three"),
    Mapping(shape="thumbs", question="one", answer="two", rating="three"),
    Mapping(shape="text", text="one"),
    Mapping(shape="middle", before="one", answer="two", after="three"),
    Mapping(shape="chat", messages="one"),
)


def test_every_check_has_an_id_of_its_own_and_says_what_it_tells() -> None:
    kinds = read_catalog()
    told = [one for kind in kinds for one in (kind.tells or (kind.id,))]
    assert len(told) == len(set(told)) >= 25
    assert EXTRA_CHECKS == ("personal_data",)


def test_a_finding_has_all_that_a_person_needs() -> None:
    table = make_english(60)
    table.rows += [list(row) for row in table.rows[:30]]
    (found,) = [one.finding for one in examine(table) if one.finding.check == "duplicates"]
    assert found.title == "30 rows repeated"
    assert found.count == 30
    assert found.row_ids == tuple(range(61, 81))
    assert found.where.startswith("line 62, line 63")
    assert found.where.endswith("and 10 more")
    assert len(found.examples) == 3
    assert found.effect
    assert [(fix.id, fix.is_suggested) for fix in found.fixes] == [("keep_first", True)]


def test_worst_findings_come_first() -> None:
    table = make_english(60)
    table.rows += [list(row) for row in table.rows[:5]]
    table.rows[10][1] += " {{name}}"
    levels = [one.level for one in show(table).findings(None)]
    assert levels == sorted(levels, key=["stop", "warn", "note"].index)
    assert levels[0] == "stop"


def test_rows_left_out_are_seen_and_told_by_no_check() -> None:
    doctor = Doctor(Mapping(shape="question_answer", question="q", answer="a"), ("q", "a"), "line")
    for number in range(1, 30):
        row = StoredRow(
            id=number, cells=["{{name}} same", "n/a"], first_line=1, last_line=1,
            damage="you left it out: it repeats an earlier row", part="",
        )  # fmt: skip
        doctor.see(row, Example(left_out="the row is damaged"))
    assert doctor.findings(None) == ()
    assert doctor.groups() == {}


def test_groups_name_rows_that_a_split_must_not_tear_apart() -> None:
    table = make_english(60)
    words = table.rows[3][1].split()
    table.rows[40] = [table.rows[3][0], " ".join([*words[:4], "surely", *words[5:]])]
    groups = show(table).groups()
    assert set(groups) == {4, 41}
    assert len(set(groups.values())) == 1


def test_a_leak_is_found_where_the_data_brings_its_split() -> None:
    table = make_english(100)
    planted = set()
    for number in range(20):
        asked, said = table.rows[80 + number]
        words = said.split(" ")
        words[2 + number % 5] = "certainly"
        table.rows[number] = (
            [asked, " ".join(words)] if number % 2 else [asked.upper(), "No idea at all."]
        )
        planted.add(number + 1)
    split = Split(held_out=frozenset(range(81, 101)), is_given=True)
    (leak,) = [one for one in examine(table, split=split) if one.finding.check == "leak"]
    assert leak.finding.level == "stop"
    assert set(leak.row_ids) == planted
    assert all("(to learn)" in one and "(test)" in one for one in leak.finding.examples)
    ours = Split(held_out=split.held_out, is_given=False)
    assert all(one.finding.check != "leak" for one in examine(table, split=ours))


def test_a_leak_is_found_through_the_repeats_of_a_row() -> None:
    table = make_english(60)
    asked, said = table.rows[0]
    words = said.split(" ")
    near = [asked, " ".join([*words[:3], "certainly", *words[4:]])]
    # 1 repeats the test row 60, 2 says nearly the same as both, and 3 repeats 2.
    table.rows[1:3], table.rows[59] = [near, list(near)], [asked, said]
    split = Split(held_out=frozenset({60}), is_given=True)
    (leak,) = [one for one in examine(table, split=split) if one.finding.check == "leak"]
    assert leak.row_ids == [1, 2, 3]


def test_a_secret_is_shown_whole_in_no_example() -> None:
    key = "hf_" + "aB3" * 10
    table = make_english(30)
    table.rows[5][0] = f"My key is {key}, what now?"
    table.rows[20] = list(table.rows[5])
    found = examine(table)
    assert {one.finding.check for one in found} == {"duplicates", "secrets"}
    assert key not in repr([one.finding for one in found])


def test_an_instruction_for_all_rows_is_no_row_s_fault() -> None:
    table = make_english(40)
    table.mapping = replace(table.mapping, instruction="You are {{name}}, write to a@example.org.")
    told = {one.finding.check: one.finding for one in examine(table, extra=EXTRA_CHECKS)}
    assert list(told) == ["personal_data"]
    assert told["personal_data"].count == 0


def test_groups_have_the_same_name_in_any_order_of_the_rows() -> None:
    table = make_english(60)
    words = table.rows[3][1].split()
    table.rows[40] = [table.rows[3][0], " ".join([*words[:4], "surely", *words[5:]])]
    forward = set(show(table).groups().values())
    table.rows.reverse()
    assert set(show(table).groups().values()) == forward


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(st.text(max_size=60), min_size=3, max_size=3), min_size=1, max_size=8))
def test_no_text_makes_a_check_fail(rows: list[list[str]]) -> None:
    columns = ("one", "two", "three")
    for mapping in ODD_MAPPINGS:
        table = CleanTable(mapping, columns, [list(row) for row in rows])
        split = Split(held_out=frozenset({1}), is_given=True)
        for one in examine(table, extra=EXTRA_CHECKS, split=split):
            assert one.finding.title


def test_short_rows_with_a_word_changed_are_leaks_too() -> None:
    asked = "may I take my old {} to the yard on {} morning"
    made = [
        [asked.format(thing, day), "yes"]
        for thing, day in zip("abcdefghij", "klmnopqrst", strict=True)
    ]
    made.append([asked.format("a", "z"), "yes"])
    table = CleanTable(Mapping(shape="question_answer", question="q", answer="a"), ("q", "a"), made)
    split = Split(held_out=frozenset({11}), is_given=True)
    (leak,) = [one for one in examine(table, split=split) if one.finding.check == "leak"]
    assert leak.row_ids == [1]


def test_columns_that_say_nothing_are_told() -> None:
    table = make_sums(40)
    table.columns = ("nr", *table.columns, "source", "note")
    table.rows = [[str(n), *row, "export", ""] for n, row in enumerate(table.rows)]
    (found,) = examine(table)
    assert found.finding.level == "note"
    assert found.finding.title == "3 columns say nothing"
    table.mapping = Mapping(shape="question_answer", question="question", answer="source")
    (found,) = [one for one in examine(table) if one.finding.check == "columns"]
    assert found.finding.level == "warn"


def test_a_large_table_is_sampled_evenly_and_says_so() -> None:
    table = make_english(100)
    doctor = Doctor(table.mapping, table.columns, "line", rows=4 * SAMPLE_ROWS)
    cells = ["What is it?", "{{name}}, I think."]
    example = build(table, cells)
    for number in range(1, 4_001):
        row = StoredRow(id=number, cells=cells, first_line=1, last_line=1, damage="", part="")
        doctor.see(row, example)
    told = {one.check: one for one in doctor.findings(None)}
    assert told["placeholders"].count == 1_000
    assert told["duplicates"].count == 3_999
    assert "1,000 of 4,000 rows were looked at" in told["placeholders"].detail


def test_the_engine_may_import_the_doctor_without_a_detector_of_languages() -> None:
    code = (
        "import sys, tailor.engine.data.doctor.doctor, tailor.engine.data.doctor.fixing;"
        "heavy = {'py3langid', 'phonenumbers', 'torch', 'transformers', 'spacy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
