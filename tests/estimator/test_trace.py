"""The nouns of an exact trace: which phase holds the peak, and under which name an answer is kept."""

from dataclasses import replace

import pytest

from tailor.estimator.trace import TraceRequest, TraceResult, compute_key

REQUEST = TraceRequest(
    config='{"model_type": "llama", "hidden_size": 64}', technique="lora", weights="bf16",
    products="bf16", adapter=(("r", 8),), rows=2, tokens=64, learned_tokens=20,
)  # fmt: skip
VERSIONS = (("torch", "2.13.0"), ("transformers", "5.24.0"))
RESULT = TraceResult(
    ok=True, weights_bytes=10, forward_bytes=30, backward_bytes=30, optimizer_bytes=20,
    evaluation_bytes=15,
)  # fmt: skip


def test_the_peak_is_that_of_the_widest_phase_and_the_earliest_of_equals() -> None:
    assert RESULT.peak_bytes == 30
    assert RESULT.peak_phase == "forward"
    assert replace(RESULT, optimizer_bytes=31).peak_phase == "optimizer"
    assert replace(RESULT, weights_bytes=99).peak_bytes == 99


@pytest.mark.parametrize(
    "change",
    [
        {"rows": 4}, {"tokens": 65}, {"accumulation": 2}, {"checkpointed_layers": None},
        {"adapter": (("r", 16),)}, {"optimizer": "adamw_8bit"}, {"head": "logits"},
        {"attention": "eager"}, {"has_padding": True}, {"base_format": "nf4_double"},
        {"config": '{"model_type": "llama", "hidden_size": 65}'}, {"workspace_bytes": 1},
    ],
)  # fmt: skip
def test_whatever_changes_memory_changes_the_key(change: dict[str, object]) -> None:
    changed = replace(REQUEST, **change)  # type: ignore[arg-type]

    assert compute_key(changed, VERSIONS) != compute_key(REQUEST, VERSIONS)


def test_another_version_of_a_library_changes_the_key() -> None:
    newer = (("torch", "2.13.0"), ("transformers", "5.24.1"))

    assert compute_key(REQUEST, newer) != compute_key(REQUEST, VERSIONS)


def test_the_order_of_versions_and_of_a_configs_fields_changes_nothing() -> None:
    same = replace(REQUEST, config='{"hidden_size": 64,  "model_type": "llama"}')

    assert compute_key(same, VERSIONS[::-1]) == compute_key(REQUEST, VERSIONS)
