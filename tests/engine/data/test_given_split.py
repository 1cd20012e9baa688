"""A split that came with the data is taken over only where its names agree to be one."""

import pytest

from tailor.engine.data.given_split import (
    find_split_column,
    name_part,
    sides_of_parts,
    sides_of_words,
)


def sides_of_files(*names: str) -> list[str]:
    sides = sides_of_parts({name_part(name) for name in names})
    return [] if sides is None else [sides[name_part(name)] for name in names]


def test_only_a_column_that_is_called_so_is_a_split() -> None:
    assert find_split_column(("question", "Split")) == "Split"
    assert find_split_column(("question", "split_reason", "train")) == ""


def test_words_are_sides_only_when_all_are_known_and_both_are_there() -> None:
    assert sides_of_words({"Train", " TEST"}) == {"Train": "train", " TEST": "held_out"}
    assert sides_of_words({"train", "hold-out"}) == {"train": "train", "hold-out": "held_out"}
    assert sides_of_words({"train", ""}) is None
    assert sides_of_words({"test", "dev"}) is None


@pytest.mark.parametrize(
    "names",
    [
        ("train.csv", "test.csv"),
        ("gsm8k_train.jsonl", "gsm8k_test.jsonl"),
        ("train-00000-of-00002.parquet", "test-00000-of-00001-a09b74b3ef9c3b56.parquet"),
        ("data/train/0001.txt", "data/test/0001.txt"),
        ("Train", "Dev"),
        ("rows.csv", "test.csv"),
        ("tickets.zip, train.jsonl", "tickets.zip, validation.jsonl"),
    ],
)
def test_files_that_are_called_so_are_a_split(names: tuple[str, ...]) -> None:
    assert sides_of_files(*names) == ["train", "held_out"]


@pytest.mark.parametrize(
    "names",
    [
        ("manual.docx", "test procedures.docx"),
        ("a.csv", "b.csv"),
        ("test.csv", "validation.csv"),
        ("training_evaluation.csv", "rows.csv"),
        ("pump_train.csv", "brake_test.csv"),
    ],
)
def test_other_names_are_none(names: tuple[str, ...]) -> None:
    assert sides_of_files(*names) == []


def test_numbered_files_of_one_side_stay_together() -> None:
    assert sides_of_files("train-1.csv", "train-2.csv", "test.csv") == [
        "train",
        "train",
        "held_out",
    ]
