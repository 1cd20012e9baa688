"""A step is followed to the byte: known peaks, few layers for many, and a reason where it cannot be."""

import json
from dataclasses import replace

import pytest
from trace_requests import FEW, FULL, LORA, QLORA, TINY, large, shaped

from tailor.engine.worker.trace.layers import cut, read_pattern
from tailor.engine.worker.trace.model import build_skeleton
from tailor.engine.worker.trace.tracer import follow, trace
from tailor.engine.worker.trace.versions import read_versions
from tailor.estimator.trace import PHASES, TraceRequest
from tailor.estimator.trace_depth import Pattern, plan_depths, read_peaks

GOLDEN = {
    # torch 2.13.0, transformers 5.24.0, peft 0.21.2, trl 1.16.0, bitsandbytes 0.50.2; phases in
    # their order. Another version may hold something else, and then these change with a reason.
    "full": (FULL, (2_878_976, 24_610_304, 25_384_960, 11_578_368, 9_308_672)),
    "8B lora, checkpointed": (
        large(replace(LORA, checkpointed_layers=None, adapter=FEW)),
        (16_074_155_008, 17_753_630_208, 18_418_739_200, 16_115_279_872, 17_339_610_112),
    ),
    "8B full": (
        large(FULL),
        (16_060_523_520, 74_775_849_984, 77_907_555_840, 64_242_488_320, 49_413_028_352),
    ),
    "8B qlora": (
        large(QLORA),
        (5_786_641_408, 30_363_526_656, 30_497_695_744, 6_038_857_728, 7_185_953_792),
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_peaks_are_what_they_were(name: str) -> None:
    request, expected = GOLDEN[name]

    told = trace(request)

    assert told.ok, told.reason
    assert tuple(told.of_phase(phase) for phase in PHASES) == pytest.approx(expected, rel=1e-3)
    assert told.depths == (2, 3, 4)
    assert told.versions == read_versions()
    assert {phase for phase, _ in told.operations} == set(PHASES)


def peaks_of_the_whole(request: TraceRequest) -> dict[str, int]:
    skeleton = build_skeleton(request)
    layers = json.loads(request.config)["num_hidden_layers"]
    whole = plan_depths(read_pattern(skeleton), layers, request.checkpointed_layers).whole
    return {
        phase: peak.bytes for phase, peak in read_peaks(follow(request, skeleton, whole)).items()
    }


@pytest.mark.parametrize(
    "request_",
    [
        replace(QLORA, checkpointed_layers=None, adapter=FEW),
        replace(FULL, head="logits", has_padding=True),
        shaped(replace(LORA, checkpointed_layers=5, adapter=FEW), num_hidden_layers=9),
    ],
    ids=["qlora", "full with a mask", "some layers left alone"],
)
def test_few_layers_tell_the_same_as_all_of_them(request_: TraceRequest) -> None:
    told = trace(request_)

    assert len(told.depths) > 1
    whole = peaks_of_the_whole(request_)
    assert {phase: told.of_phase(phase) for phase in PHASES} == pytest.approx(whole, rel=1e-4)


def test_an_operation_that_takes_over_with_depth_is_found_in_the_whole_model() -> None:
    # Gradients of all layers are there when the first is reached: it wins where there are many.
    shallow = replace(FULL, checkpointed_layers=None, rows=8, head="logits")
    deep = shaped(shallow, num_hidden_layers=16)

    told = trace(deep)

    assert trace(shallow).depths == (2, 3, 4)
    assert told.depths == (16,)


def test_a_pattern_of_layers_is_read_from_the_layers_themselves() -> None:
    config = TINY | {
        "model_type": "gemma3_text", "num_hidden_layers": 14, "sliding_window": 32,
        "layer_types": (["sliding_attention"] * 3 + ["full_attention"]) * 3
        + ["sliding_attention"] * 2,
    }  # fmt: skip
    skeleton = build_skeleton(replace(LORA, config=json.dumps(config)))

    assert read_pattern(skeleton) == Pattern(start=0, group=4, end=2)
    assert cut(skeleton, 10).config.num_hidden_layers == 10
    assert skeleton.config.num_hidden_layers == len(skeleton.model.layers) == 14


def test_what_costs_memory_costs_it_in_the_trace() -> None:
    dropping = (("r", 4), ("lora_dropout", 0.1), ("target_modules", ("q_proj", "down_proj")))
    base = shaped(replace(LORA, adapter=FEW), num_hidden_layers=2)

    def peak(**changes: object) -> int:
        told = trace(replace(base, **changes))  # type: ignore[arg-type]
        assert told.ok, told.reason
        return told.peak_bytes

    plain = peak()
    assert peak(checkpointed_layers=None) < peak(checkpointed_layers=1) < plain
    assert peak(has_padding=True) > plain
    assert peak(rows=8, learned_tokens=200) > plain
    assert peak(adapter=dropping) > plain
    assert peak(attention="eager") > plain
    assert peak(workspace_bytes=1_000) == plain + 1_000


def test_optimizers_hold_what_they_hold_on_a_card() -> None:
    # A trained copy beside weight, gradient and two moments in 16 bits: 8 and 10 bytes a weight.
    base = shaped(FULL, num_hidden_layers=2)
    fused = trace(base)
    weights = fused.weights_bytes / 2
    assert fused.optimizer_bytes / weights == pytest.approx(8, rel=0.01)
    grouped = trace(replace(base, optimizer="adamw_foreach")).optimizer_bytes
    assert grouped / weights == pytest.approx(10, rel=0.01)
    eight = trace(replace(base, optimizer="adamw_8bit")).optimizer_bytes
    assert eight / weights == pytest.approx(2 + 2 + 2 * (1 + 4 / 256), rel=0.03)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (shaped(LORA, model_type="not-a-model"), "do not know models of the kind"),
        (replace(FULL, optimizer="adafactor"), "adafactor"),
        (replace(LORA, has_fused_kernels=True), "own kernels"),
        (replace(QLORA, base_format="gptq"), "gptq"),
        (shaped(LORA, num_attention_heads=3), "did not let this model be followed"),
        (
            shaped(
                LORA, rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4}
            ),
            "depends on the numbers in it",
        ),
    ],
    ids=["unknown kind", "optimizer", "kernels", "format", "broken config", "looks at numbers"],
)
def test_a_step_that_cannot_be_followed_is_refused_in_words(
    request_: TraceRequest, words: str
) -> None:
    told = trace(request_)

    assert not told.ok
    assert words in told.reason
    assert told.peak_bytes == 0


def test_the_same_question_has_the_same_answer() -> None:
    question = shaped(replace(QLORA, adapter=FEW), num_hidden_layers=2)
    first, second = trace(question), trace(question)

    assert replace(first, seconds=0.0) == replace(second, seconds=0.0)
