"""The example file is whole, fair, and what its description says."""

import csv
import re
from collections import Counter

import pytest

from tailor.recipes.examples.catalog import examples, get_example
from tailor.recipes.knobs import UnknownChoiceError

ENTRY = re.compile(
    r"(P|CV|FN|MX|CP|BL|VL|PK|CH)-\d{1,3} \| (leak|noise|heat|jam|power|flow|wear|sensor) "
    r"\| (high|med|low) \| (replace|clean|check|adjust|grease|reset)"
)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with get_example("maintenance").path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_columns_are_the_ones_that_the_example_names(rows):
    example = get_example("maintenance")
    assert {example.question, example.answer, "id", "split"} == set(rows[0])


def test_there_are_300_rows_with_ids_of_their_own(rows):
    assert len(rows) == 300
    assert len({row["id"] for row in rows}) == 300


def test_a_tenth_is_held_out(rows):
    assert Counter(row["split"] for row in rows) == {"train": 270, "test": 30}


def test_no_note_stands_twice_on_either_side(rows):
    notes = [" ".join(row["note"].casefold().split()) for row in rows]
    assert len(notes) == len(set(notes))


def test_every_entry_has_the_form(rows):
    assert [row["entry"] for row in rows if not ENTRY.fullmatch(row["entry"])] == []


def test_the_number_of_the_machine_is_in_the_note(rows):
    for row in rows:
        number = row["entry"].split(" |")[0].split("-")[1]
        assert re.search(rf"\b\w*{number}\b", row["note"]), row


def test_held_out_entries_use_only_what_training_rows_show(rows):
    parts = {
        split: {
            part for row in rows if row["split"] == split for part in row["entry"].split(" | ")[1:]
        }
        for split in ("train", "test")
    }
    assert parts["test"] <= parts["train"]


def test_no_example_is_listed_by_hand():
    assert [example.id for example in examples()] == ["maintenance"]
    with pytest.raises(UnknownChoiceError, match="maintenance"):
        get_example("unknown")
