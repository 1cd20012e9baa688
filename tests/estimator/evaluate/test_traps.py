"""Mistakes that other calculators of training memory and time make, each held away from ours."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tailor.estimator.calibration import SHIPPED
from tailor.estimator.evaluate.columns import read_rows
from tailor.estimator.evaluate.predict import Prediction, predict
from tailor.estimator.evaluate.rows import Case, read_case

MEASURED = Path(__file__).parent / "measured.csv"
FULL: dict[str, Any] = {"technique": "full", "notes": "run=t"}


def predicted(**changes: str) -> Prediction:
    """One row on one card, Llama-3-8B with LoRA, with a few columns changed."""
    case = read_case(replace(read_rows(MEASURED)[0], **changes))
    assert isinstance(case, Case), case.words
    return predict(case, SHIPPED)


def part(name: str, **changes: str) -> int:
    return next(one.bytes for one in predicted(**changes).parts if one.name == name)


def test_weights_are_counted_with_grouped_heads_and_gated_layers() -> None:
    # GPT-2's formula of 12 layers h^2 + vocabulary h gives 6.97e9.
    assert part("weights") == pytest.approx(2 * 8.03e9, rel=0.005)


def test_checkpointing_keeps_an_input_of_every_layer_and_one_live_layer() -> None:
    # 32 layers of 8,192 tokens of 4,096 numbers of 2 bytes, and then a layer's own.
    store = 32 * 8192 * 4096 * 2
    kept = part("activations", grad_ckpt="True")
    assert kept > store
    assert kept < part("activations", grad_ckpt="False") / 3


def test_activations_are_not_divided_by_cards() -> None:
    one = part("activations", grad_ckpt="True", **FULL)
    four = part("activations", grad_ckpt="True", num_gpus="4", sharding="FSDP FULL_SHARD", **FULL)
    assert four >= 0.9 * one


def test_logits_are_counted() -> None:
    # 8,192 tokens of 128,256 words: at least their fp32 copy.
    changes = {"technique": "lora", "seq_len": "2048"}
    assert part("loss", **changes) > 4 * 8192 * 128_256


def test_eight_bit_moments_are_cheaper_than_those_of_adamw() -> None:
    plain = part("optimizer", optimizer="adamw_torch", **FULL)
    assert part("optimizer", optimizer="adamw_bnb_8bit", **FULL) < 0.8 * plain


def test_a_packed_base_has_a_number_and_is_smaller() -> None:
    assert part("weights", technique="qlora", quantization="bnb-nf4") < 0.5 * part("weights")
    speed = {"metric": "samples_per_s", "unit": "samples/s"}
    assert predicted(technique="qlora", quantization="bnb-nf4", **speed).value > 0


def test_a_row_has_the_tokens_that_it_is_told_to_have() -> None:
    speed = {"metric": "samples_per_s", "unit": "samples/s"}
    short, long = predicted(seq_len="1024", **speed), predicted(seq_len="4096", **speed)
    assert 3 < short.value / long.value < 7


def test_time_counts_accumulation_and_steps_and_nothing_fixed() -> None:
    def seconds(accumulation: str, steps: str) -> float:
        return predicted(
            metric="train_time_s",
            unit="s",
            grad_accum=accumulation,
            notes=f"r=16; max_steps={steps}",
        ).value

    assert seconds("1", "200") == pytest.approx(2 * seconds("1", "100"))
    assert 3.5 < seconds("4", "100") / seconds("1", "100") <= 4.01
    # No minutes of loading in a run of one step.
    assert seconds("1", "1") < 30


def test_speed_is_of_all_cards_and_grows_with_them() -> None:
    speed = {"metric": "tokens_per_s_total", "unit": "tok/s", "sharding": "FSDP FULL_SHARD"}
    two, eight = predicted(num_gpus="2", **speed), predicted(num_gpus="8", **speed)
    assert 2 < eight.value / two.value <= 4.4


def test_an_environment_of_python_objects_is_never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    before = predicted().value
    for name in ("ESTIMATOR_CALIBRATION", "TAILOR_CALIBRATION", "CONFIG", "MODEL"):
        monkeypatch.setenv(name, "cos\nsystem\n(S'false'\ntR.")
    assert predicted().value == before
