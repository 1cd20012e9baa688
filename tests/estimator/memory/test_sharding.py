"""Several cards: what is divided, what is gathered, what stays whole."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.parts import Memory
from tailor.estimator.memory.sharding import share_states
from tailor.estimator.memory.states import States
from tailor.estimator.stack import TAILOR, find_stack
from tailor.estimator.workload import Sharding, Workload

Ask = Callable[..., Workload]
Measure = Callable[..., Memory]
STATES = States(
    weights=1000.0, statistics=30.0, others=100.0, adapter=0.0, gradients=800.0, optimizer=1600.0,
    step=800.0,
)  # fmt: skip


def full(ask: Ask, **changes: object) -> Workload:
    asked = {"technique": "full", "lora_rank": 0, "trainable_bytes_per_parameter": 4.0}
    return ask(**{**asked, **changes})


def test_twenty_bytes_a_weight_are_divided_by_the_cards(
    ask: Ask, measure: Measure, tiny: Architecture
) -> None:
    wide = replace(tiny, hidden=2048, mlp=8192, layers=24, heads=16, head_dim=128)
    for cards in (2, 4, 8):
        workload = full(
            ask, cards=cards, sharding="fsdp", optimizer="adamw_foreach", is_autocast=True
        )
        told = measure(workload, wide, tokens=64)
        step = next(peak.bytes for peak in told.by_phase if peak.phase == "optimizer")
        assert step == pytest.approx(20 * wide.parameters / cards, rel=0.02)


@pytest.mark.parametrize("sharding", ["ddp", "zero1", "zero2", "fsdp", "fsdp_offload"])
@pytest.mark.parametrize("technique", ["full", "lora"])
def test_more_cards_never_raise_the_weights(
    ask: Ask, measure: Measure, mistral: Architecture, sharding: Sharding, technique: str
) -> None:
    base = full(ask) if technique == "full" else ask()
    last = None
    for cards in (2, 3, 4, 8, 64):
        told = measure(replace(base, cards=cards, sharding=sharding), mistral)
        assert last is None or told.weights <= last.weights
        assert last is None or told.allocated <= last.allocated
        last = told


def test_plain_copies_keep_everything_and_their_gradients_twice(
    ask: Ask, mistral: Architecture
) -> None:
    shared = share_states(STATES, full(ask, cards=4, sharding="ddp"), mistral)
    assert shared.states == STATES
    assert shared.last_layer == STATES.gradients


def test_full_shards_divide_all_but_the_scales_of_packed_weights(
    ask: Ask, mistral: Architecture
) -> None:
    shared = share_states(STATES, full(ask, cards=4, sharding="fsdp"), mistral).states
    assert shared == States(
        weights=250.0, statistics=30.0, others=25.0, gradients=200.0, optimizer=400.0, step=200.0
    )


def test_gradients_stay_whole_between_the_micro_batches_of_a_step(
    ask: Ask, mistral: Architecture
) -> None:
    # 16 bits of each, where weights rest in 32.
    shared = share_states(STATES, full(ask, cards=4, sharding="fsdp"), mistral)
    assert shared.accumulated == STATES.gradients / 2


def test_steps_of_several_micro_batches_on_several_cards_are_found(
    ask: Ask, measure: Measure, mistral: Architecture
) -> None:
    # Public peaks of Mistral-7B in 16 bits, 2 micro-batches a step, rows of 250 packed 64, 32 and
    # 16 at a time on 2, 4 and 8 cards; 16, 8 and 4 thousand tokens.
    stack = find_stack("fms-hf-tuning sft_trainer+aadp-padding-free-multipack")
    for cards, tokens, measured in (
        (2, 15_992, 48.634e9),
        (4, 7_990, 31.826e9),
        (8, 4_332, 23.677e9),
    ):
        workload = full(
            ask, cards=cards, sharding="fsdp", accumulation=2, optimizer="adamw_foreach",
            trainable_bytes_per_parameter=2.0,
        )  # fmt: skip
        told = measure(workload, mistral, tokens=tokens, stack=stack)
        assert told.allocated == pytest.approx(measured, rel=0.01)


def test_deepspeed_keeps_an_fp32_copy_in_its_optimizer(ask: Ask, mistral: Architecture) -> None:
    # 200 weights in fp32.
    states = replace(STATES, weights=800.0, statistics=0.0, others=0.0)
    one = share_states(states, full(ask, cards=4, sharding="zero1"), mistral).states
    two = share_states(states, full(ask, cards=4, sharding="zero2"), mistral).states
    assert one.weights == two.weights == 400
    assert one.optimizer == two.optimizer == 200 * 12 / 4
    assert one.gradients == 400
    assert two.gradients == 100


def test_weights_in_ram_leave_blocks_on_the_card(
    ask: Ask, measure: Measure, llama70: Architecture
) -> None:
    packed = ask(
        technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516, cards=2,
        sharding="fsdp_offload", trainable_bytes_per_parameter=2.0,
    )  # fmt: skip
    told = measure(packed, llama70, tokens=4096)
    assert told.weights < 2e9
    assert told.sharding > 1e9
    assert told.allocated < 24e9
    inside = measure(replace(packed, sharding="fsdp"), llama70, tokens=4096)
    assert inside.allocated - told.allocated > 15e9


def test_the_old_checkpointing_keeps_every_input_and_its_gradient_under_shards(
    ask: Ask, measure: Measure, llama70: Architecture
) -> None:
    # Llama-2-70B, QLoRA, two cards with 8,192 tokens each: 46.685e9 bytes in public.
    packed = ask(
        technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516, cards=2,
        sharding="fsdp", adapter_targets=("q", "k", "v", "o"), adapter_dropout=0.1,
        optimizer="adamw_foreach",
    )  # fmt: skip
    stack = find_stack("fms-hf-tuning sft_trainer+accelerated-peft-bnb")
    told = measure(packed, llama70, tokens=8192, stack=stack)
    assert told.allocated == pytest.approx(46.685e9, rel=0.005)
    new = measure(packed, llama70, tokens=8192, stack=replace(stack, is_reentrant=False))
    assert told.allocated - new.allocated > 5e9


def test_several_cards_need_room_for_their_exchange(
    ask: Ask, measure: Measure, mistral: Architecture
) -> None:
    alone = measure(ask(), mistral)
    together = measure(ask(cards=2, sharding="ddp"), mistral)
    assert together.context - alone.context > 1e9


def test_pieces_that_come_and_go_need_more_room_than_what_rests(
    ask: Ask, measure: Measure, mistral: Architecture
) -> None:
    for stack in (TAILOR, find_stack("TRL")):
        told = measure(ask(), mistral, stack=stack)
        reserve = told.likely - told.allocated - told.context
        assert reserve == pytest.approx(stack.reserve_share * (told.activations + told.loss), abs=2)
        sharded = measure(ask(cards=2, sharding="fsdp"), mistral, stack=stack)
        kept = sharded.likely - sharded.allocated - sharded.context
        assert kept > 2 * reserve


def test_one_card_shares_with_nobody_but_deepspeed_keeps_its_copy_there_too(
    ask: Ask, mistral: Architecture
) -> None:
    for sharding in ("none", "ddp", "fsdp"):
        assert share_states(STATES, full(ask, sharding=sharding), mistral).states == STATES
    alone = share_states(STATES, full(ask, sharding="zero2"), mistral).states
    assert alone.optimizer == 200 * 12
    away = share_states(STATES, full(ask, sharding="fsdp_offload"), mistral).states
    assert away.weights == away.optimizer == 0
