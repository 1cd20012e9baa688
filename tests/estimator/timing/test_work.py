"""Operations of a step by hand, for every technique and every kind of layer."""

from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.models.layer_parts import LatentAttention, SecondAttention, StateSpace
from tailor.estimator.timing.work import (
    Work,
    compute_attention_flops,
    compute_recomputed_share,
    compute_seen_tokens,
    compute_work,
)
from tailor.estimator.workload import LengthHistogram, Workload

ROWS = LengthHistogram(
    edges_tokens=(1024,), counts=(64,), total_tokens=65_536, learned_tokens=65_536,
    longest_tokens=1024,
)  # fmt: skip
SHAPE = Architecture(
    model_type="llama", layers=4, hidden=512, heads=8, kv_heads=2, head_dim=64, mlp=1408,
    vocabulary=32_000, max_positions=2048,
)  # fmt: skip
LINEAR = 4 * (512 * 512 * 2 + 2 * 512 * 128 + 3 * 512 * 1408)
TOKENS, LENGTH = 4_096.0, 1_024.0


def workload(**changes: Any) -> Workload:
    given = {
        "technique": "full", "lengths": ROWS, "max_length_tokens": 1024, "micro_batch_rows": 4,
        "accumulation": 1, "steps": 1, "evaluations": 0, "held_out_rows": 0, "held_out_tokens": 0,
        "weight_bytes_per_parameter": 2.0, "lora_rank": 0,
    }  # fmt: skip
    return Workload(**{**given, **changes})


def work(shape: Architecture = SHAPE, **changes: Any) -> Work:
    return compute_work(
        workload(**changes), shape, tokens=TOKENS, attended_tokens=LENGTH, head_tokens=TOKENS
    )


def lora(**changes: Any) -> dict[str, Any]:
    return {"technique": "lora", "lora_rank": 8, **changes}


def test_full_fine_tuning_is_six_operations_a_weight_and_token() -> None:
    told = work()
    attention = 2 * 4 * 512 * LENGTH
    head = 2 * 512 * 32_000
    assert told.flops == pytest.approx(TOKENS * 3 * (2 * LINEAR + attention + head))


def test_an_adapter_is_four_operations_a_weight_and_six_of_its_own() -> None:
    told = work(**lora())
    attention = 2 * 4 * 512 * LENGTH
    head = 2 * 512 * 32_000
    own = SHAPE.lora_parameters(8)
    expected = 2 * 2 * LINEAR + 3 * attention + 2 * head + 6 * own
    assert told.flops == pytest.approx(TOKENS * expected)


def test_fewer_targets_cost_less() -> None:
    assert work(**lora(adapter_targets=("q", "v"))).flops < work(**lora()).flops


@pytest.mark.parametrize(
    ("layers", "share"), [(None, 1.0), (0, 0.0), (1, 0.25), (4, 1.0), (9, 1.0)]
)
def test_checkpointing_k_layers_passes_their_share_again(layers: int | None, share: float) -> None:
    told = work(is_checkpointing_activations=True, checkpointed_layers=layers)
    extra = told.flops - work().flops
    forward = TOKENS * (2 * LINEAR + 2 * 4 * 512 * LENGTH)
    assert extra == pytest.approx(share * forward)


def test_without_checkpointing_no_number_of_layers_matters() -> None:
    assert compute_recomputed_share(workload(checkpointed_layers=3), SHAPE) == 0


def test_a_fused_head_computes_the_logits_twice() -> None:
    for changes, passes in (({}, 4), (lora(), 3)):
        told = compute_work(
            workload(**changes), SHAPE, tokens=TOKENS, attended_tokens=LENGTH, head_tokens=1_000,
            is_head_recomputed=True,
        )  # fmt: skip
        assert told.head_passes * told.head_flops == passes * 1_000 * 2 * 512 * 32_000


def test_a_preference_reads_both_answers_and_asks_the_model_as_it_was() -> None:
    plain, dpo = work(**lora()), work(**lora(objective="dpo"))
    forward = 2 * LINEAR + 2 * 4 * 512 * LENGTH + 2 * 512 * 32_000
    assert dpo.flops == pytest.approx(2 * (plain.flops + TOKENS * forward))


def test_thumbs_ask_more_forward_passes_than_an_answer() -> None:
    assert work(**lora(objective="kto")).flops > work(**lora()).flops


def test_a_teacher_adds_its_own_forward_pass() -> None:
    teacher = 1_000_000_000
    told = work(objective="distill", teacher_parameters=teacher)
    assert told.flops - work().flops == pytest.approx(2 * teacher * TOKENS)


def test_a_window_limits_how_far_a_token_looks_back() -> None:
    # By hand: a token at place i of n sees min(i, w) tokens before it.
    length, window = 1_000, 300
    seen = sum(min(place, window) for place in range(length)) / length
    assert compute_seen_tokens(length, window) == pytest.approx(2 * seen, rel=0.01)
    assert compute_seen_tokens(100, 300) == 100
    assert compute_seen_tokens(100, 0) == 100


def test_windowed_layers_count_apart() -> None:
    all_far = compute_attention_flops(SHAPE, LENGTH)
    half = compute_attention_flops(replace(SHAPE, sliding_window=128, sliding_layers=2), LENGTH)
    near = 2 * 128 - 128 * 128 / LENGTH
    assert half == pytest.approx(all_far / 2 * (1 + near / LENGTH))


def test_experts_cost_what_a_token_passes() -> None:
    moe = replace(SHAPE, experts=8, experts_per_token=2, expert_mlp=704, expert_layers=4)
    told = work(moe)
    attention_linears = 4 * (512 * 512 * 2 + 2 * 512 * 128)
    assert told.linear_flops == pytest.approx(
        TOKENS * 2 * (attention_linears + 4 * (2 * 3 * 512 * 704 + 512 * 8))
    )


def test_layers_without_attention_carry_a_state_instead() -> None:
    hybrid = replace(
        SHAPE, attention_layers=1,
        state_space=StateSpace(kind="mamba2", layers=3, inner=1_024, heads=16, state=64, groups=1),
    )  # fmt: skip
    told = compute_attention_flops(hybrid, LENGTH)
    assert told == pytest.approx(2 * 512 * LENGTH + 6 * 3 * 1_024 * 64)
    # A state does not grow with the row.
    far = compute_attention_flops(hybrid, 10 * LENGTH)
    assert far - told == pytest.approx(9 * 2 * 512 * LENGTH)


def test_latent_attention_has_heads_of_its_own_width() -> None:
    latent = LatentAttention(kv_rank=128, rope_head_dim=16, plain_head_dim=32, value_head_dim=24)
    told = compute_attention_flops(replace(SHAPE, latent=latent), LENGTH)
    assert told == pytest.approx(4 * LENGTH * 8 * (16 + 32 + 24))


def test_a_second_kind_of_attention_counts_its_own_heads() -> None:
    second = SecondAttention(layers=1, kv_heads=1, head_dim=128)
    told = compute_attention_flops(replace(SHAPE, second_attention=second), LENGTH)
    assert told == pytest.approx(LENGTH * 2 * 8 * (3 * 64 + 128))


def test_checkpointing_that_stops_early_spares_the_last_product() -> None:
    def again(**changes: Any) -> float:
        told = [
            compute_work(
                workload(is_checkpointing_activations=on, **changes), SHAPE, tokens=TOKENS,
                attended_tokens=LENGTH, head_tokens=TOKENS, is_stopping_early=True,
            ).flops
            for on in (True, False)
        ]  # fmt: skip
        return told[0] - told[1]

    attention = TOKENS * 2 * 4 * 512 * LENGTH
    without_down = TOKENS * 2 * (LINEAR - 4 * 512 * 1408)
    assert again() == pytest.approx(without_down + attention)
    own = TOKENS * 2 * SHAPE.lora_parameters(8, ("q",))
    assert again(**lora(adapter_targets=("q",))) == pytest.approx(without_down + attention + own)
    # An adapter on the last product needs what goes into it, so it is computed again as well.
    own = TOKENS * 2 * SHAPE.lora_parameters(8)
    assert again(**lora()) == pytest.approx(TOKENS * 2 * LINEAR + attention + own)
