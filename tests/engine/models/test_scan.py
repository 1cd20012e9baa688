"""One crafted folder for each way in which a model can harm or lie, each with its own sentence."""

import json
import os
import pickle
import struct
import sys

import pytest

from tailor.engine.models.scan import scan_folder

LIES = {
    "length": struct.pack("<Q", 2 * 2**30) + b"{}",
    "short": b"\0\0",
    "not json": struct.pack("<Q", 4) + b"oops",
    "a list": struct.pack("<Q", 2) + b"[]",
}


class Marker:
    """A pickle that makes a file when it is opened."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return (open, (self.path, "w"))


def titles(folder):
    found = scan_folder(folder)
    assert all(finding.level == "stop" for finding in found)
    assert all(finding.detail and finding.fix for finding in found)
    return [finding.title for finding in found]


def weights(folder, **entries):
    table = json.dumps(entries).encode()
    data = struct.pack("<Q", len(table)) + table + b"\0" * 512
    (folder / "model.safetensors").write_bytes(data)


def tensor(begin, end, shape=(32, 8), dtype="BF16"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def test_a_plain_model_passes(folder):
    assert scan_folder(folder) == ()


def test_pickles_alone_are_refused_and_never_opened(folder, tmp_path):
    (folder / "model.safetensors").unlink()
    for name in ("pytorch_model.bin", "model.pt", "weights.ckpt"):
        (folder / name).write_bytes(pickle.dumps(Marker(tmp_path / "opened")))
    found = scan_folder(folder)
    assert [finding.title for finding in found] == [
        "This model comes in a format that can run programs"
    ]
    assert found[0].where == "model.pt"
    assert "safetensors" in found[0].fix
    assert not (tmp_path / "opened").exists()


def test_a_pickle_beside_safetensors_is_left_alone(folder, tmp_path):
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Marker(tmp_path / "opened")))
    assert scan_folder(folder) == ()
    assert not (tmp_path / "opened").exists()


def test_a_pickle_with_the_name_of_a_safetensors_file_is_refused(folder, tmp_path):
    (folder / "model.safetensors").write_bytes(pickle.dumps(Marker(tmp_path / "opened")))
    assert titles(folder) == ["A file of this model is damaged or not what it claims"]
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("config.json", {"auto_map": {"AutoModel": "modeling.Evil"}}),
        ("config.json", {"vision_config": {"deep": [{"trust_remote_code": True}]}}),
        ("config.json", {"attn_implementation": "org/kernel"}),
        ("config.json", {"_experts_implementation": "org/kernel:layer"}),
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["tok.Evil", None]}}),
        ("generation_config.json", {"custom_pipelines": {"evil": {}}}),
        ("processor_config.json", {"auto_map": {"AutoProcessor": "processing.Evil"}}),
    ],
)
def test_code_of_the_model_s_own_is_refused_by_file(folder, change_json, name, keys):
    change_json(name, **keys)
    found = scan_folder(folder)
    assert [finding.title for finding in found] == ["This model wants to run its own program"]
    assert found[0].where == name
    assert name in found[0].detail


def test_a_key_that_says_no_to_code_is_no_reason_to_refuse(folder, change_json):
    change_json("config.json", trust_remote_code=False)
    assert scan_folder(folder) == ()


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.replace(" ", "-"))
def test_a_header_that_cannot_be_is_refused(folder, lie):
    (folder / "model.safetensors").write_bytes(LIES[lie])
    assert titles(folder) == ["A file of this model is damaged or not what it claims"]


@pytest.mark.parametrize(
    "entries",
    [
        {"a": tensor(0, 512), "b": tensor(0, 512)},
        {"a": tensor(-512, 0)},
        {"a": tensor(0, 256)},
        {"a": tensor(0, 1024, (64, 8))},
        {"a": tensor(64, 512, (28, 8))},
        {"a": tensor(0, 512, (-32, -8))},
        {"a": tensor(0, 512, dtype="OBJ")},
        {"a": {"dtype": "BF16"}},
        {"a": tensor(0, 256, (16, 8))},
    ],
    ids=[
        "overlap",
        "negative",
        "size",
        "beyond",
        "gap",
        "shape",
        "type",
        "incomplete",
        "left-over",
    ],
)
def test_offsets_that_lie_are_refused(folder, entries):
    weights(folder, **entries)
    assert titles(folder) == ["A file of this model is damaged or not what it claims"]


@pytest.mark.parametrize(
    "target",
    ["../elsewhere.safetensors", "/etc/passwd", "sub/model.safetensors", "gone.safetensors", 7],
)
def test_an_index_that_points_elsewhere_is_refused(folder, target):
    index = {"weight_map": {"a": "model.safetensors", "b": target}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert titles(folder) == ["This model's list of files is wrong"]


def test_an_index_of_files_that_are_there_passes(folder):
    index = {"metadata": {}, "weight_map": {"model.embed_tokens.weight": "model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert scan_folder(folder) == ()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_links_and_pipes_are_refused_without_waiting(folder, tmp_path):
    (folder / "model.safetensors").unlink()
    os.mkfifo(folder / "model.safetensors")
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").symlink_to(tmp_path)
    assert titles(folder) == ["This model has a file that is not a plain file"] * 2


@pytest.mark.parametrize(
    ("name", "keys", "title"),
    [
        ("config.json", {"model_type": "made_up"}, "Tailor does not know this kind of model yet"),
        (
            "config.json",
            {"architectures": ["EvilModel"]},
            "Tailor does not know this kind of model yet",
        ),
        (
            "tokenizer_config.json",
            {"tokenizer_class": "EvilTokenizer"},
            "This model cuts text in a way that Tailor does not know",
        ),
        (
            "config.json",
            {"quantization_config": {"quant_method": "gptq"}},
            "This model is packed for answering, not for learning",
        ),
    ],
)
def test_what_is_on_no_list_is_refused(folder, change_json, name, keys, title):
    change_json(name, **keys)
    assert titles(folder) == [title]


@pytest.mark.parametrize(
    "text", ["{", "[" * 100_000, "[" * 100 + "]" * 100, '"\ud800"'.encode("utf-8", "surrogatepass")]
)
def test_json_that_is_broken_or_too_deep_is_refused(folder, text):
    (folder / "generation_config.json").write_bytes(
        text if isinstance(text, bytes) else text.encode()
    )
    assert titles(folder) == ["A file of this model cannot be read"]


def test_broken_json_that_is_never_loaded_does_not_matter(folder):
    (folder / "trainer_state.json").write_text("{")
    assert scan_folder(folder) == ()


def test_an_adapter_is_told_from_a_model(folder):
    (folder / "adapter_config.json").write_text("{}")
    assert titles(folder) == ["This is an adapter, not a model"]


def test_a_folder_without_a_model_says_what_is_missing(tmp_path):
    found = scan_folder(tmp_path)
    assert [finding.title for finding in found] == ["This is not a model folder"]
    assert "config.json" in found[0].detail
