"""Side-by-side chat and exports of a finished run: real children."""

import json
import time
from functools import cache
from pathlib import Path

import pytest
import torch
from pydantic import TypeAdapter
from transformers import AutoModelForCausalLM

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.json_file import write_bytes
from tailor.engine.types import ExportRecord
from tailor.engine.worker import export as export_module

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def finished(shared_bench):
    """A finished run of each technique, trained once."""

    @cache
    def make(technique):
        plan = shared_bench.plan(
            technique, steps=60, evaluate_every_steps=30, training={"learning_rate": 0.02}
        )
        run_dir = shared_bench.make_run(f"run_{technique}", plan)
        assert shared_bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
        return run_dir

    return make


def export_in_child(request):
    folder = Path(request["run_dir"]) / f"job-{request['kind']}"
    return Child("tailor.engine.worker.export", folder, request, Limits(seconds=600)).wait()


def export_here(request):
    """The child's own work in this process, which has loaded torch already."""
    return export_module.export(request, lambda done, words: None)


def export(run_dir, kind, work=export_here):
    answer = work({"run_dir": str(run_dir.path), "kind": kind})
    return TypeAdapter(ExportRecord).validate_python(answer)


def wait_for(path, child):
    while not path.exists():
        assert child.process.poll() is None, (child.folder / "child.log").read_text()
        time.sleep(0.02)
    return json.loads(path.read_bytes() or b"null")


@pytest.mark.parametrize(("technique", "work"), [("lora", export_in_child), ("qlora", export_here)])
def test_an_adapter_and_a_merged_model_can_be_taken_along(finished, technique, work, bench):
    run_dir = finished(technique)
    adapter = export(run_dir, "adapter", work)
    names = {path.name for path in Path(adapter.path).iterdir()}
    config = (Path(adapter.path) / "adapter_config.json").read_bytes()
    assert {"adapter_model.safetensors", "adapter_config.json", "tokenizer.json"} <= names
    assert json.loads(config)["base_model_name_or_path"] == "Tiny"
    assert str(bench.model).encode() not in config
    merged = export(run_dir, "merged", work)
    folder = Path(merged.path)
    assert folder == run_dir.exports / "merged"
    assert merged.bytes == sum(path.stat().st_size for path in folder.iterdir())
    assert not [path for path in run_dir.exports.iterdir() if path.name.startswith(".")]
    model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
    base = AutoModelForCausalLM.from_pretrained(bench.model, local_files_only=True)
    ids = torch.tensor([[10, 20, 30]])
    assert (model(ids).logits - base(ids).logits).abs().max() > 0.1
    assert (folder / "tokenizer.json").read_bytes() == (bench.model / "tokenizer.json").read_bytes()


def test_a_full_run_has_a_complete_model_and_no_adapter(finished):
    run_dir = finished("full")
    with pytest.raises(UserError, match="no adapter"):
        export(run_dir, "adapter")
    merged = Path(export(run_dir, "merged").path)
    weights = "model.safetensors"
    assert (merged / weights).read_bytes() == (run_dir.final / weights).read_bytes()


@pytest.mark.parametrize("technique", ["lora", "full"])
def test_both_models_answer_the_same_question(finished, technique):
    run_dir = finished(technique)
    folder = run_dir.path / "speaker"
    request = {"run_dir": str(run_dir.path)}
    child = Child("tailor.engine.worker.speaker", folder, request, Limits(seconds=600))
    try:
        wait_for(folder / "ready", child)
        asked = {
            "messages": [{"role": "user", "content": "What is 2 plus 3?"}],
            "max_new_tokens": 4,
        }
        write_bytes(folder / "ask-1.json", json.dumps(asked).encode())
        told = wait_for(folder / "answer-1.json", child)
        assert set(told) == {"base", "tuned", "adapter_hash"}
        assert told["base"] != told["tuned"]
        assert told["tuned"].isdigit()
        asked["messages"][0]["content"] = "x" * 600
        write_bytes(folder / "ask-2.json", json.dumps(asked).encode())
        assert "too long" in wait_for(folder / "problem-2.json", child)["title"]
        write_bytes(folder / "ask-3.json", b"[]")
        assert "could not" in wait_for(folder / "problem-3.json", child)["title"]
    finally:
        child.kill()


def test_a_run_that_is_not_finished_has_nothing_to_take_along(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"))
    with pytest.raises(UserError, match="no finished model"):
        export(run_dir, "adapter")
