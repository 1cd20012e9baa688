"""The shelf shows what is there, remembers what it has hashed, and notices changes."""

import shutil
from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.engine.models import starter
from tailor.engine.models.shelf import ModelShelf, ShelfNote, look_over, read_notes, write_note


@pytest.fixture
def shelf(tmp_path: Path) -> ModelShelf:
    return ModelShelf(tmp_path / "home")


def put(folder: Path, home: Path, name: str) -> Path:
    place = home / "models" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, place)
    return place


def test_an_empty_shelf_offers_the_starter_model(shelf):
    (model,) = shelf.list()
    assert (model.id, model.is_ready, model.spec) == (starter.ID, False, None)
    assert model.download_bytes > 0


def test_a_folder_that_was_put_there_is_found(shelf, folder, tmp_path):
    put(folder, tmp_path / "home", "zebra")
    put(folder, tmp_path / "home", starter.ID)
    first, second = shelf.list()
    assert (first.id, first.name, first.is_ready) == (starter.ID, starter.NAME, True)
    assert (second.id, second.is_ready) == ("zebra", True)
    assert shelf.get("zebra") == second


def test_a_folder_elsewhere_stands_on_the_shelf_where_it_is(shelf, folder, tmp_path):
    note = look_over(ShelfNote(id="my-model-1", name="my-model", path=str(folder)))
    write_note(tmp_path / "home" / "models", note)
    model = shelf.get("my-model-1")
    assert model.spec is not None
    assert model.spec.path == str(folder)


def test_what_has_not_changed_is_not_hashed_again(shelf, folder, tmp_path):
    put(folder, tmp_path / "home", "zebra")
    shelf.list()
    path = tmp_path / "home" / "models" / "zebra.shelf.json"
    written = path.stat().st_mtime_ns
    shelf.list()
    assert path.stat().st_mtime_ns == written


def test_a_changed_folder_is_looked_over_again(shelf, folder, tmp_path):
    place = put(folder, tmp_path / "home", "zebra")
    before = shelf.get("zebra")
    (place / "config.json").write_text(
        '{"model_type": "llama", "auto_map": {"AutoModel": "m.Evil"}}'
    )
    after = shelf.get("zebra")
    assert before.is_ready
    assert not after.is_ready
    assert after.words == "This model wants to run its own program"
    assert after.findings[0].where == "config.json"


def test_a_folder_that_is_gone_leaves_the_shelf(shelf, folder, tmp_path):
    place = put(folder, tmp_path / "home", "zebra")
    assert len(shelf.list()) == 2
    shutil.rmtree(place)
    assert len(shelf.list()) == 1
    assert len(read_notes(tmp_path / "home" / "models")) == 1


def test_a_model_that_is_being_made_is_not_shown(shelf, folder, tmp_path):
    put(folder, tmp_path / "home", ".making-abc")
    assert [model.id for model in shelf.list()] == [starter.ID]


def test_an_unknown_model_is_told_in_words(shelf):
    with pytest.raises(UserError, match="not on this computer"):
        shelf.get("nobody")


def test_a_note_of_another_version_is_made_anew(shelf, folder, tmp_path):
    put(folder, tmp_path / "home", "zebra")
    (tmp_path / "home" / "models" / "zebra.shelf.json").write_text('{"schema": 99}')
    assert shelf.get("zebra").is_ready
