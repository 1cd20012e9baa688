"""Preflight against real files: each thing that forbids a run, and nothing else."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tailor.engine.findings import Finding
from tailor.engine.models.read import read_model
from tailor.engine.models.shelf import ModelShelf
from tailor.engine.preflight import preflight
from tailor.estimator.estimate import Estimate, MemoryPart, Range
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.workload import LengthHistogram, Workload
from tailor.recipes.spec import DatasetSpec, ExamQuestion, Message, RunSpec, TrainPlan

GIB = 2**30
OWNER = "anna"
HARDWARE = HardwareSpec(
    cpu_cores=2, cpu_has_bf16=False, ram_bytes=16 * GIB, ram_free_bytes=12 * GIB,
    disk_free_bytes=50 * GIB,
)  # fmt: skip
LENGTHS = LengthHistogram(
    edges_tokens=(64, 128), counts=(50, 50), total_tokens=9_000, learned_tokens=2_000,
    longest_tokens=120,
)  # fmt: skip
PLAN = TrainPlan(
    recipe="sft_lora", method="sft", technique="lora", device="cpu", precision="fp32",
    precision_reason="", training=(), max_length_tokens=512, max_new_tokens=32, steps=10,
    evaluate_every_steps=5,
    workload=Workload(
        technique="lora", lengths=LENGTHS, max_length_tokens=512, micro_batch_rows=4,
        accumulation=1, steps=10, evaluations=2, held_out_rows=20, held_out_tokens=1_000,
        weight_bytes_per_parameter=4.0, lora_rank=8,
    ),
)  # fmt: skip
PROMISE = Estimate(
    device="cpu", parts=(MemoryPart(name="weights", bytes=GIB),),
    memory_bytes=Range(low=GIB, likely=2 * GIB, high=3 * GIB), capacity_bytes=12 * GIB,
    verdict="fits", reason="It needs at most about 3.0 GB.",
    seconds=Range(low=60, likely=120, high=300),
    tokens_per_second=Range(low=50, likely=100, high=200), ram_bytes=2 * GIB, disk_bytes=GIB,
)  # fmt: skip


@pytest.fixture
def spec(tmp_path: Path, tiny_model_folder: Path) -> RunSpec:
    folder = tmp_path / "models" / "tiny"
    folder.mkdir(parents=True)
    for file in tiny_model_folder.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    ModelShelf(tmp_path).list()
    rows = tmp_path / "data" / OWNER / "sets" / "ds_20260101-aaaa" / "mapped-1.arrow"
    rows.parent.mkdir(parents=True)
    rows.write_bytes(b"rows of the test")
    return RunSpec(
        title="Notes",
        goal="answer",
        recipe="sft_lora",
        owner=OWNER,
        model=read_model(folder),
        dataset=DatasetSpec(
            id="ds_20260101-aaaa",
            version=1,
            path=str(rows),
            content_hash=hashlib.sha256(rows.read_bytes()).hexdigest(),
            shape="chat",
            train_rows=100,
            held_out_rows=20,
            lengths=LENGTHS,
            held_out_tokens=1_000,
        ),
        exam=(ExamQuestion(id="q1", messages=(Message(role="user", content="?"),), expected="!"),),
    )


def check(
    spec: RunSpec,
    *,
    plan: TrainPlan = PLAN,
    promise: Estimate = PROMISE,
    hardware: HardwareSpec = HARDWARE,
) -> tuple[Finding, ...]:
    # The rows of the fixture: <home>/data/<owner>/sets/<id>/mapped-1.arrow.
    home = Path(spec.dataset.path).parents[4]
    return preflight(spec, plan, promise, hardware, home)


def only(found: tuple[Finding, ...], level: str, words: str) -> Finding:
    assert [finding.level for finding in found] == [level], found
    assert words in found[0].title
    assert found[0].detail
    assert found[0].fix
    return found[0]


def test_a_sound_run_gives_no_findings(spec: RunSpec) -> None:
    assert check(spec) == ()


def test_a_run_that_does_not_fit_is_stopped_with_its_reason(spec: RunSpec) -> None:
    promise = replace(PROMISE, verdict="will_not_fit", reason="It needs 30 GB, but 12 GB are free.")
    found = only(check(spec, promise=promise), "stop", "does not fit")
    assert "12 GB are free" in found.detail


def test_a_tight_run_is_warned_about(spec: RunSpec) -> None:
    only(check(spec, promise=replace(PROMISE, verdict="tight")), "warn", "tight")


def test_a_full_disk_stops_the_run_and_says_how_much_is_missing(spec: RunSpec) -> None:
    full = replace(HARDWARE, disk_free_bytes=GIB)
    found = only(check(spec, hardware=full), "stop", "space")
    assert "1.0 GB are free" in found.detail
    assert "Free 2.0 GB" in found.fix
    assert check(spec, hardware=replace(HARDWARE, disk_free_bytes=3 * GIB)) == ()


def test_a_run_that_the_disk_forbids_is_told_once(spec: RunSpec) -> None:
    full = replace(HARDWARE, disk_free_bytes=GIB // 2)
    promise = replace(PROMISE, verdict="will_not_fit", blocked_by="disk", reason="Disk.")
    only(check(spec, promise=promise, hardware=full), "stop", "space on the disk")


def test_a_run_that_the_computers_own_memory_forbids_is_told_once(spec: RunSpec) -> None:
    promise = replace(
        PROMISE, device="cuda", ram_bytes=100 * GIB, verdict="will_not_fit", blocked_by="ram",
        reason="It needs 100 GB of the computer's own memory.",
    )  # fmt: skip
    found = only(check(spec, promise=promise), "stop", "own memory")
    assert "100 GB" in found.detail


def test_a_model_that_is_gone_stops_the_run(spec: RunSpec) -> None:
    away = replace(spec, model=replace(spec.model, path=spec.model.path + "-gone"))
    only(check(away), "stop", "not where it was")
    Path(spec.model.path, "config.json").unlink()
    only(check(spec), "stop", "not where it was")


def test_a_model_without_weights_stops_the_run(spec: RunSpec) -> None:
    Path(spec.model.path, "model.safetensors").unlink()
    only(check(spec), "stop", "not where it was")


def test_weights_of_another_size_stop_the_run(spec: RunSpec) -> None:
    with Path(spec.model.path, "model.safetensors").open("ab") as file:
        file.write(b"x")
    only(check(spec), "stop", "model has changed")


def test_other_files_of_the_same_size_stop_the_run(spec: RunSpec) -> None:
    assert check(spec) == ()
    weights = Path(spec.model.path, "model.safetensors")
    body = bytearray(weights.read_bytes())
    body[-1] ^= 1
    weights.write_bytes(bytes(body))
    only(check(spec), "stop", "model has changed")


def test_a_changed_tokenizer_stops_the_run(spec: RunSpec) -> None:
    path = Path(spec.model.path, "tokenizer_config.json")
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | {"new": "key"}))
    only(check(spec), "stop", "model has changed")


def test_rows_that_are_gone_or_changed_stop_the_run(spec: RunSpec) -> None:
    path = Path(spec.dataset.path)
    path.write_bytes(b"other rows in it")
    only(check(spec), "stop", "examples have changed")
    path.unlink()
    only(check(spec), "stop", "examples are not where")


def test_rows_of_somebody_else_stop_the_run(spec: RunSpec) -> None:
    only(check(replace(spec, owner="otto")), "stop", "examples are not where")


@pytest.mark.parametrize("wrong", [{"id": "../../otto/sets/ds_20260101-aaaa"}, {"version": 2}])
def test_rows_that_are_not_the_named_ones_stop_the_run(
    spec: RunSpec, wrong: dict[str, object]
) -> None:
    dataset = replace(spec.dataset, **wrong)  # type: ignore[arg-type]
    only(check(replace(spec, dataset=dataset)), "stop", "examples are not where")


def test_a_model_that_is_not_on_the_shelf_stops_the_run(
    spec: RunSpec, tiny_model_folder: Path
) -> None:
    away = replace(spec, model=read_model(tiny_model_folder))
    only(check(away), "stop", "not where it was")


def test_fewer_than_ten_rows_stop_the_run(spec: RunSpec) -> None:
    few = replace(spec, dataset=replace(spec.dataset, train_rows=9))
    found = only(check(few), "stop", "too few")
    assert "9" in found.detail
    assert check(replace(spec, dataset=replace(spec.dataset, train_rows=10))) == ()


def test_nothing_to_learn_stops_the_run(spec: RunSpec) -> None:
    empty = replace(spec.dataset, lengths=replace(LENGTHS, learned_tokens=0))
    only(check(replace(spec, dataset=empty)), "stop", "nothing to learn")


def test_no_held_out_rows_are_warned_about(spec: RunSpec) -> None:
    none = replace(spec.dataset, held_out_rows=0, held_out_tokens=0)
    only(check(replace(spec, dataset=none)), "warn", "No rows are kept aside")


def test_cut_rows_are_warned_about_with_both_numbers(spec: RunSpec) -> None:
    found = only(check(spec, plan=replace(PLAN, max_length_tokens=100)), "warn", "cut")
    assert "120" in found.detail
    assert "100" in found.detail


def test_a_run_without_an_exam_is_noted(spec: RunSpec) -> None:
    only(check(replace(spec, exam=())), "note", "no exam")


def test_a_run_of_days_is_warned_about(spec: RunSpec) -> None:
    slow = replace(PROMISE, seconds=Range(low=1e5, likely=3e5, high=5e5))
    assert "83 hours" in only(check(spec, promise=slow), "warn", "long").detail


def test_a_card_that_is_away_stops_the_run(spec: RunSpec) -> None:
    only(check(spec, plan=replace(PLAN, device="cuda")), "stop", "card is not there")
    card = Card(name="C", kind="cuda", memory_bytes=GIB, free_bytes=GIB)
    with_card = replace(HARDWARE, cards=(card,))
    assert check(spec, plan=replace(PLAN, device="cuda"), hardware=with_card) == ()
    assert check(spec, hardware=with_card) == ()


def test_short_ram_beside_a_card_is_warned_about(spec: RunSpec) -> None:
    on_card = replace(PROMISE, device="cuda", ram_bytes=13 * GIB)
    only(check(spec, promise=on_card), "warn", "own memory")


def test_stops_come_first(spec: RunSpec) -> None:
    bad = replace(spec, exam=(), dataset=replace(spec.dataset, held_out_rows=0, train_rows=3))
    found = check(bad, promise=replace(PROMISE, verdict="tight"))
    levels = [finding.level for finding in found]
    assert levels == sorted(levels, key=["stop", "warn", "note"].index)
    assert levels[0] == "stop"


def test_no_sentence_holds_a_dash_or_an_exclamation_mark(spec: RunSpec) -> None:
    Path(spec.dataset.path).unlink()
    bad = replace(
        spec,
        exam=(),
        model=replace(spec.model, path="/nowhere"),
        dataset=replace(spec.dataset, held_out_rows=0, train_rows=3),
    )
    promise = replace(PROMISE, verdict="will_not_fit", seconds=Range(low=1, likely=9e9, high=9e9))
    for finding in check(bad, promise=promise, hardware=replace(HARDWARE, disk_free_bytes=0)):
        text = finding.title + finding.detail + finding.fix
        assert not {"!", "\u2014"} & set(text), text
