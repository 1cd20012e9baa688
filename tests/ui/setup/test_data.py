"""The Data screen's values: nothing yet, reading, failed, ready, confirmed."""

from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest

from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.findings import Problem
from tailor.ui.components.mapping_fields import FIELDS
from tailor.ui.data_mapping import check_mapping, fields_of, first_mapping, mapping_from
from tailor.ui.data_state import (
    OUTPUTS,
    change_dataset,
    change_mapping,
    confirm_mapping,
    show_all,
    show_data,
)
from tailor.ui.services import Services
from tailor.ui.text_data import DataText
from tailor.ui.uploads import take_upload

PAIRS = Mapping(shape="question_answer", question="note", answer="form")


def test_without_rows_the_way_in_is_shown_and_yes_is_off(services: Services) -> None:
    values = show_data(services, "ada", services.draft("ada", "d1"))
    assert len(values) == OUTPUTS
    assert values[0].visible
    assert not values[-2].interactive


def test_an_upload_goes_to_the_inbox_by_a_fresh_id_and_is_gone_from_where_it_was(
    services: Services, engine, tmp_path: Path
) -> None:
    uploaded = tmp_path / "gradio" / "shift notes.csv"
    uploaded.parent.mkdir()
    uploaded.write_text("note,form\n")
    take_upload(engine, services.inbox("ada"), str(uploaded))
    inbox_id, name = engine.inbox[0]
    assert (services.home / "data" / "ada" / "inbox" / inbox_id).read_text() == "note,form\n"
    assert name == "shift notes.csv"
    assert not uploaded.exists()


def test_a_lost_upload_is_said_in_words_and_changes_nothing(services: Services, engine) -> None:
    def take():
        return take_upload(engine, services.inbox("ada"), "/nowhere/notes.csv")

    problem, _, *values = change_dataset(services, "ada", "d1", take)
    assert DataText.UPLOAD_LOST_TITLE in problem
    assert len(values) == OUTPUTS
    assert engine.kept == {}


def test_while_a_file_is_read_the_screen_asks_again_and_then_shows_it(
    services: Services, engine
) -> None:
    _, _, *values = change_dataset(services, "ada", "d1", lambda: engine.add_dataset("f1"))
    assert values[-3].active
    assert DataText.READING_TITLE in values[2]
    engine.finish_reading()
    _, _, *values = show_all(services, "ada", services.draft("ada", "d1"))
    assert not values[-3].active
    assert "Commas, UTF-8" in values[3]
    assert values[-2].interactive


def test_the_project_is_named_after_its_file(services: Services, engine) -> None:
    change_dataset(services, "ada", "d1", lambda: engine.add_dataset("f1"))
    assert services.draft("ada", "d1").title == "notes"


def test_a_file_that_cannot_be_read_says_why_and_the_way_in_stays(
    services: Services, engine
) -> None:
    told = Problem(title="The file is empty", detail="It has 0 bytes.", fix="Choose another.")
    dataset = engine.begin("empty.csv", status="failed", problem=told)
    draft = services.edit_draft("ada", "d1", dataset_id=dataset.id)
    values = show_data(services, "ada", draft)
    assert values[0].visible
    assert "The file is empty" in values[2]


def test_cells_are_shown_as_text_and_never_as_markup(services: Services, engine) -> None:
    draft = services.edit_draft("ada", "d1", dataset_id=engine.begin("notes.csv").id)
    values = show_data(services, "ada", draft)
    assert "<img" not in values[3] + values[-4]
    assert "&lt;img src=x" in values[3]


def test_a_chosen_column_is_kept_with_the_draft_and_shown_again(services: Services, engine) -> None:
    dataset = engine.begin("notes.csv")
    services.edit_draft("ada", "d1", dataset_id=dataset.id)
    chosen = replace(PAIRS, answer="author")
    problem, preview, *columns = change_mapping(services, "ada", "d1", fields_of(chosen))
    assert problem == ""
    assert "pump 3 is loud again" in preview
    assert len(columns) == FIELDS - 2
    assert first_mapping(services.draft("ada", "d1"), dataset) == chosen


def test_a_choice_for_another_file_is_not_used(services: Services, engine) -> None:
    dataset = engine.begin("notes.csv")
    draft = services.edit_draft("ada", "d1", mapping=replace(PAIRS, answer="gone"))
    assert first_mapping(draft, dataset) == PAIRS


def test_the_shape_decides_which_columns_are_seen(services: Services, engine) -> None:
    services.edit_draft("ada", "d1", dataset_id=engine.begin("notes.csv").id)
    chat = Mapping(shape="chat", messages="note")
    _, _, *columns = change_mapping(services, "ada", "d1", fields_of(chat))
    assert [column.visible for column in columns] == [False, False, False, False, True, False]


def test_saying_yes_maps_once(services: Services, engine) -> None:
    services.edit_draft("ada", "d1", dataset_id=engine.begin("notes.csv").id)
    confirm_mapping(services, "ada", "d1", *fields_of(PAIRS))
    confirm_mapping(services, "ada", "d1", *fields_of(PAIRS))
    assert engine.mapped == [PAIRS]


@pytest.mark.parametrize(
    ("mapping", "title"),
    [
        (Mapping(shape="question_answer", question="note"), DataText.NO_ANSWER_TITLE),
        (Mapping(shape="question_answer", answer="form"), DataText.NO_QUESTION_TITLE),
        (
            Mapping(shape="question_answer", question="form", answer="form"),
            DataText.SAME_COLUMN_TITLE,
        ),
        (Mapping(shape="chat"), DataText.NO_ANSWER_TITLE),
        (Mapping(shape="text"), DataText.NO_ANSWER_TITLE),
    ],
)
def test_a_mapping_without_both_sides_is_refused_by_name(mapping: Mapping, title: str) -> None:
    with pytest.raises(UserError, match=title):
        check_mapping(mapping)


def test_fields_and_mapping_are_the_same_thing() -> None:
    for mapping in (PAIRS, Mapping(shape="chat", messages="m", instruction="i")):
        assert mapping_from(fields_of(mapping)) == mapping


def test_columns_that_a_shape_does_not_use_are_dropped() -> None:
    mixed = ("text", "note", "form", "", "", "", "note", "")
    assert mapping_from(mixed) == Mapping(shape="text", text="note")


def test_saying_yes_without_rows_is_refused(services: Services) -> None:
    with pytest.raises(UserError, match=DataText.NONE_TITLE):
        confirm_mapping(services, "ada", "d1", *fields_of(PAIRS))


def test_values_are_updates_that_gradio_knows(services: Services, engine) -> None:
    draft = services.edit_draft("ada", "d1", dataset_id=engine.begin("notes.csv").id)
    values = show_data(services, "ada", draft)
    assert isinstance(values[5], gr.Radio)
    assert isinstance(values[6], gr.Dropdown)
