"""From the fields of the form to a `Mapping`, for every shape."""

from dataclasses import fields, replace
from typing import get_args

import pytest
from setup_nouns import PAIR_GUESS, PAIRS, TEXT_GUESS

from tailor.engine.data_types import DatasetRecord, Mapping, Shape
from tailor.ui.data_mapping import (
    NEEDED,
    SHAPES,
    SWAPPED,
    TYPED,
    asked_of,
    for_shape,
    give_back,
    mapping_from,
    missing_parts,
    parts_of,
    rest_of,
    swap,
)
from tailor.ui.text_data import DataText
from tailor.ui.views.mapping_form import part_label

NOT_COLUMNS = {"shape", "instruction", "answers_of", "stars"}
DATASET = DatasetRecord(
    id="ds", owner="ada", title="notes.csv", status="ready", guesses=(PAIR_GUESS, TEXT_GUESS)
)


def filled(shape: Shape) -> Mapping:
    """Every part that the shape knows, each with a column of its own."""
    return Mapping(shape=shape, **{part: f"column of {part}" for part in parts_of(shape)})


def test_every_part_of_a_mapping_can_be_chosen_in_some_shape() -> None:
    known = {part for shape in SHAPES for part in parts_of(shape)}
    assert known == {field.name for field in fields(Mapping)} - NOT_COLUMNS


@pytest.mark.parametrize("shape", SHAPES)
def test_what_the_form_sends_is_what_it_showed(shape: Shape) -> None:
    shown = replace(filled(shape), stars=5 if "stars" in TYPED[shape] else 0)
    sent = {part: (getattr(shown, part),) for part in parts_of(shape)}
    assert mapping_from(sent, Mapping(shape=shape, stars=shown.stars)) == shown


@pytest.mark.parametrize("shape", SHAPES)
def test_what_the_form_did_not_show_stays(shape: Shape) -> None:
    assert mapping_from({"shape": (shape,)}, filled(shape)) == filled(shape)


@pytest.mark.parametrize("shape", SHAPES)
def test_each_part_is_asked_once_and_has_a_name(shape: Shape) -> None:
    mapping = filled(shape)
    asked = asked_of(mapping)
    parts = (*asked, *rest_of(mapping, asked))
    assert len(parts) == len(set(parts))
    for part in parts:
        assert part_label(part, mapping)
        assert DataText.PART_WORDS[part]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_needed_is_asked_for_and_then_nothing_is_missing(shape: Shape) -> None:
    assert missing_parts(Mapping(shape=shape))
    assert missing_parts(filled(shape)) == ()
    for group in NEEDED[shape]:
        assert set(group) <= set(parts_of(shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_swapping_exchanges_the_two_and_twice_changes_nothing(shape: Shape) -> None:
    twice = swap(swap(filled(shape)))
    assert twice == filled(shape)
    if shape in SWAPPED:
        first, second = SWAPPED[shape]
        assert getattr(swap(filled(shape)), first) == f"column of {second}"


def test_choosing_the_other_ones_column_gives_it_the_freed_one() -> None:
    chosen = replace(PAIRS, question="form")
    assert give_back(chosen, PAIRS) == swap(PAIRS)
    assert give_back(replace(PAIRS, question="author"), PAIRS) == replace(PAIRS, question="author")
    assert give_back(replace(PAIRS, question=""), PAIRS) == replace(PAIRS, question="")


def test_columns_that_a_shape_does_not_use_are_dropped() -> None:
    sent = {"shape": ("text",), "text": ("note",), "question": ("note",), "x": ("y",)}
    assert mapping_from(sent, PAIRS) == Mapping(shape="text", text="note")


def test_another_shape_begins_with_its_own_guess_or_with_what_carries_over() -> None:
    assert for_shape("text", DATASET, PAIRS) == TEXT_GUESS.mapping
    assert for_shape("classes", DATASET, PAIRS) == replace(PAIRS, shape="classes")


def test_a_conversation_of_one_turn_a_row_asks_who_speaks_first() -> None:
    spread = Mapping(shape="chat", speaker="who", text="said", thread="case")
    assert asked_of(spread) == ("speaker", "text", "thread", "order")
    assert asked_of(Mapping(shape="chat", messages="talk")) == ("messages",)


def test_what_another_column_says_already_is_not_asked_for() -> None:
    judged = Mapping(shape="thumbs", messages="talk", rating="thumb")
    assert asked_of(judged) == ("rating", "messages")
    ranked = Mapping(shape="preference", question="q", ranked="list")
    assert asked_of(ranked) == ("question", "ranked")


def test_a_rare_column_that_is_in_use_is_seen_at_once() -> None:
    assert asked_of(replace(PAIRS, context="author")) == ("question", "answer", "context")


@pytest.mark.parametrize(
    ("typed", "kept"), [("5", 5), ("", 0), ("-1", 0), ("five", 0), ("9" * 9, 100)]
)
def test_points_are_a_number_or_none(typed: str, kept: int) -> None:
    mapping = mapping_from({"stars": (typed,)}, Mapping(shape="thumbs"))
    assert mapping.stars == kept


def test_shapes_are_named_in_words() -> None:
    assert set(DataText.SHAPES) == set(get_args(Shape))
