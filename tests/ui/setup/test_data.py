"""The Data screen's values: nothing yet, reading, failed, ready, confirmed."""

from dataclasses import replace
from pathlib import Path

import gradio as gr
import pytest
from setup_nouns import PAIRS, ROWS

from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding, Problem
from tailor.ui.data_mapping import first_mapping
from tailor.ui.data_state import (
    OUTPUTS,
    change_dataset,
    confirm_mapping,
    show_all,
    show_data,
)
from tailor.ui.pages.data import choose, press
from tailor.ui.services import Services
from tailor.ui.text_data import DataText
from tailor.ui.uploads import MOST_FILES, take_uploads

INTAKE, FILE, BODY, TIMER, BUTTON, PROMISE = range(OUTPUTS)


def begin(services: Services, engine, **changes: object):
    dataset = engine.begin("notes.csv", **changes)
    services.edit_draft("ada", "d1", dataset_id=dataset.id)
    return dataset


def show(services: Services):
    return show_data(services, "ada", services.draft("ada", "d1"))


def test_without_rows_the_way_in_is_shown_and_yes_is_off(services: Services) -> None:
    values = show(services)
    assert len(values) == OUTPUTS
    assert values[INTAKE].visible
    assert not values[BUTTON].interactive


def test_uploads_go_to_the_inbox_by_fresh_ids_and_are_gone_from_where_they_were(
    services: Services, engine, tmp_path: Path
) -> None:
    folder = tmp_path / "gradio"
    folder.mkdir()
    for name in ("z late.xlsx", "a shift notes.csv"):
        (folder / name).write_text(f"rows of {name}")
    dataset = take_uploads(engine, services.inbox("ada"), [str(one) for one in folder.iterdir()])
    assert dataset.files == ("a shift notes.csv", "z late.xlsx")
    inbox = services.home / "data" / "ada" / "inbox"
    assert (inbox / engine.inbox[0][0]).read_text() == "rows of a shift notes.csv"
    assert list(folder.iterdir()) == []


def test_a_lost_upload_is_said_in_words_and_changes_nothing(services: Services, engine) -> None:
    def take():
        return take_uploads(engine, services.inbox("ada"), ["/nowhere/notes.csv"])

    _, *values = change_dataset(services, "ada", "d1", take)
    assert DataText.UPLOAD_LOST_TITLE in values[BODY]
    assert len(values) == OUTPUTS
    assert engine.kept == {}


def test_too_many_files_are_refused_before_one_is_taken(
    services: Services, engine, tmp_path: Path
) -> None:
    many = [str(tmp_path / f"{number}.csv") for number in range(MOST_FILES + 1)]
    with pytest.raises(UserError, match="too many files"):
        take_uploads(engine, services.inbox("ada"), many)
    assert engine.inbox == []


def test_while_a_file_is_read_its_share_is_shown_and_then_what_was_found(
    services: Services, engine
) -> None:
    def take():
        return engine.add_dataset(["f1"])

    _, *values = change_dataset(services, "ada", "d1", take)
    assert values[TIMER].active
    engine.change(services.draft("ada", "d1").dataset_id, done=0.42, progress="Read 1.2 of 3.0 GB.")
    _, *values = show_all(services, "ada", services.draft("ada", "d1"))
    assert "Read 1.2 of 3.0 GB. 42% done." in values[BODY]
    assert 'value="42"' in values[BODY]
    engine.finish_reading()
    _, *values = show_all(services, "ada", services.draft("ada", "d1"))
    assert not values[TIMER].active
    assert "Commas, UTF-8" in values[BODY]
    assert values[BUTTON].interactive


def test_the_project_is_named_after_its_file(services: Services, engine) -> None:
    change_dataset(services, "ada", "d1", lambda: engine.add_dataset(["f1"]))
    assert services.draft("ada", "d1").title == "notes"


def test_a_file_that_cannot_be_read_says_why_and_the_way_in_stays(
    services: Services, engine
) -> None:
    told = Problem(title="The file is empty", detail="It has 0 bytes.", fix="Choose another.")
    begin(services, engine, status="failed", problem=told)
    values = show(services)
    assert values[INTAKE].visible
    assert "The file is empty" in values[BODY]


def test_other_files_can_be_chosen_and_what_is_there_can_be_kept(
    services: Services, engine
) -> None:
    begin(services, engine)
    _, *values = press(services, "ada", "d1", "other", {})
    assert values[INTAKE].visible
    assert "Keep “notes.csv”" in values[BODY]
    _, *values = press(services, "ada", "d1", "keep", {})
    assert not values[INTAKE].visible
    assert "Commas, UTF-8" in values[BODY]


def test_lines_that_are_no_rows_and_what_reading_noticed_are_told(
    services: Services, engine
) -> None:
    noticed = Finding(level="warn", title="1 line was repaired", detail="Line 36.", fix="")
    begin(services, engine, physical_rows=312, findings=(noticed,), files=("a.csv", "b.csv"))
    body = show(services)[BODY]
    assert "312 lines or entries stand in the file and 300 rows were read" in body
    assert "1 line was repaired" in body
    assert "Read together: a.csv, b.csv" in body


def test_cells_are_shown_as_text_and_never_as_markup(services: Services, engine) -> None:
    begin(services, engine)
    body = show(services)[BODY]
    assert "<img" not in body
    assert body.count("&lt;img src=x") == 2


def test_used_columns_say_above_their_name_what_they_are(services: Services, engine) -> None:
    begin(services, engine)
    body = show(services)[BODY]
    assert '<span class="part">asks</span>note' in body
    assert '<span class="part">answers</span>form' in body


def test_a_chosen_column_is_kept_with_the_draft_and_shown_again(services: Services, engine) -> None:
    dataset = begin(services, engine)
    _, *values = choose(services, "ada", "d1", {"question": ("note",), "answer": ("author",)})
    assert ROWS[0][0] in values[BODY]
    chosen = replace(PAIRS, answer="author")
    assert first_mapping(services.draft("ada", "d1"), dataset) == chosen
    assert '<option value="author" selected>' in show(services)[BODY]


def test_question_and_answer_are_swapped_by_one_press(services: Services, engine) -> None:
    begin(services, engine)
    press(services, "ada", "d1", "swap", {})
    assert services.draft("ada", "d1").mapping == replace(PAIRS, question="form", answer="note")


def test_another_guess_is_one_press_away_with_its_reason(services: Services, engine) -> None:
    begin(services, engine)
    body = show(services)[BODY]
    assert "running text to learn as it is (text: note)" in body
    assert 'title="“note” alone."' in body
    press(services, "ada", "d1", "guess:1", {})
    assert services.draft("ada", "d1").mapping == Mapping(shape="text", text="note")
    press(services, "ada", "d1", "guess:77", {})


def test_another_shape_asks_for_its_own_columns_only(services: Services, engine) -> None:
    begin(services, engine)
    _, *values = choose(services, "ada", "d1", {"shape": ("preference",), "question": ("note",)})
    body = values[BODY]
    assert 'name="chosen"' in body
    assert 'name="text"' not in body
    assert not values[BUTTON].interactive
    assert "Choose above: “The better answer”, “The worse answer”" in body


def test_a_choice_for_another_file_is_not_used(services: Services, engine) -> None:
    dataset = engine.begin("notes.csv")
    draft = services.edit_draft("ada", "d1", mapping=replace(PAIRS, answer="gone"))
    assert first_mapping(draft, dataset) == PAIRS


def test_reading_differently_sends_what_was_changed_and_begins_anew(
    services: Services, engine
) -> None:
    begin(services, engine)
    services.edit_draft("ada", "d1", mapping=PAIRS)
    said = {"members": ("a.csv", "b.csv"), "encoding": ("cp1252",), "separator": (",",)}
    _, *values = press(services, "ada", "d1", "reread", said)
    # The separator was found under other members, so it is found out again.
    changed = (("members", "a.csv\nb.csv"), ("encoding", "cp1252"), ("separator", ""))
    assert engine.reread_with == [changed]
    assert values[TIMER].active
    assert services.draft("ada", "d1").mapping is None


def test_a_choice_that_others_do_not_rest_on_leaves_them_alone(services: Services, engine) -> None:
    begin(services, engine)
    said = {"members": ("a.csv",), "encoding": ("cp1252",), "separator": (",",)}
    press(services, "ada", "d1", "reread", said)
    assert engine.reread_with == [(("encoding", "cp1252"),)]


def test_reading_again_without_a_change_does_nothing(services: Services, engine) -> None:
    begin(services, engine)
    press(services, "ada", "d1", "reread", {"members": ("a.csv",), "encoding": ("utf-8",)})
    assert engine.reread_with == []


def test_saying_yes_maps_once(services: Services, engine) -> None:
    begin(services, engine)
    confirm_mapping(services, "ada", "d1")
    confirm_mapping(services, "ada", "d1")
    assert engine.mapped == [PAIRS]


def test_saying_yes_without_all_columns_names_the_missing_one(services: Services, engine) -> None:
    begin(services, engine)
    services.edit_draft("ada", "d1", mapping=replace(PAIRS, answer=""))
    with pytest.raises(UserError, match="not all chosen") as refused:
        confirm_mapping(services, "ada", "d1")
    assert "What should go out (answer)" in refused.value.detail


def test_saying_yes_without_rows_is_refused(services: Services) -> None:
    with pytest.raises(UserError, match=DataText.NONE_TITLE):
        confirm_mapping(services, "ada", "d1")


def test_values_are_updates_that_gradio_knows(services: Services, engine) -> None:
    begin(services, engine)
    values = show(services)
    assert isinstance(values[INTAKE], gr.Column)
    assert isinstance(values[BUTTON], gr.Button)


def test_words_that_no_button_of_ours_sends_change_nothing(services: Services, engine) -> None:
    begin(services, engine)
    for word in ("", "guess:", "guess:-1", "delete", "fix:a:b"):
        press(services, "ada", "d1", word, {})
    assert services.draft("ada", "d1").mapping == PAIRS
