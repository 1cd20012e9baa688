"""The nearest plan that fits: least harm first, nothing frozen moved, every one of them true."""

import itertools
import time
from dataclasses import replace

import pytest

from tailor.estimator.estimate import estimate
from tailor.estimator.search import nearest_fitting

ALLOWANCE = 4
"""Times as long as the target that a busy machine may take."""
GRID = list(
    itertools.product(
        ("small", "8B", "70B"),
        ("lora", "qlora", "full"),
        (1, 2),
        (512, 4_096),
        (16, 128),
    )
)


@pytest.fixture(scope="session")
def ask(models, machine, lora, qlora):
    """A plan of the grid, its model and its machine."""

    def of(case):
        return plan_of(case, models, machine, qlora if case[1] == "qlora" else lora)

    return of


def plan_of(case, models, machine, make):
    model, technique, cards, longest, ram = case
    changes = {
        "micro_batch_rows": 4, "accumulation": 4 // cards, "cards": cards,
        "sharding": "ddp" if cards > 1 else "none", "max_length_tokens": longest,
    }  # fmt: skip
    if technique == "full":
        changes |= {"technique": "full", "lora_rank": 0, "adapter_dropout": 0.0}
    return make(**changes), models[model], machine(cards, ram_gib=ram)


@pytest.fixture(params=GRID, ids=lambda case: "-".join(map(str, case)))
def asked(request, ask):
    return ask(request.param)


def rows_of_step(workload):
    return workload.micro_batch_rows * workload.accumulation


def test_every_plan_that_is_told_keeps_its_promises(asked):
    workload, model, hardware = asked
    found = nearest_fitting(workload, model, hardware)
    weights = 2 * model.parameters
    mine = estimate(workload, model, hardware, weights_bytes=weights)
    assert len({one.workload for one in found}) == len(found)
    for one in found:
        assert one.estimate == estimate(one.workload, model, hardware, weights_bytes=weights)
        assert one.estimate.verdict != "will_not_fit"
        assert one.is_improvement == (mine.verdict == "fits")
        assert rows_of_step(one.workload) == rows_of_step(workload)
        assert one.workload.steps == workload.steps
        assert one.workload.cards == workload.cards
        assert one.moves
        assert one.words
        assert one.gives_up
        assert one.workload != workload
        is_split = one.workload.sharding in ("fsdp", "fsdp_offload")
        assert not (is_split and one.workload.optimizer == "paged_adamw_8bit")
    if mine.verdict == "fits":
        return
    assert [one.harm for one in found] == sorted(one.harm for one in found)
    for earlier, later in itertools.pairwise(found):
        # More harm wins time, or a safe fit after a tight one.
        is_safer = (earlier.estimate.verdict, later.estimate.verdict) == ("tight", "fits")
        assert is_safer or later.estimate.seconds.likely < earlier.estimate.seconds.likely


def test_the_same_question_gets_the_same_plans(models, machine, lora):
    first, second = (nearest_fitting(lora(), models["8B"], machine()) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize("case", GRID[::11], ids=lambda case: "-".join(map(str, case)))
@pytest.mark.parametrize(
    "frozen",
    [
        ("technique",),
        ("max_length_tokens", "technique"),
        ("micro_batch_rows",),
        ("is_checkpointing_activations", "optimizer"),
        ("sharding", "base_format"),
    ],
    ids="-".join,
)
def test_what_is_frozen_never_moves(ask, case, frozen):
    workload, model, hardware = ask(case)
    for one in nearest_fitting(workload, model, hardware, frozen=frozen):
        for name in frozen:
            assert getattr(one.workload, name) == getattr(workload, name)


def test_a_field_that_does_not_exist_cannot_be_frozen(models, machine, lora):
    with pytest.raises(ValueError, match="max_lenght"):
        nearest_fitting(lora(), models["8B"], machine(), frozen=("max_lenght",))


def test_no_more_plans_are_told_than_asked(models, machine, lora):
    for limit in range(4):
        assert len(nearest_fitting(lora(), models["8B"], machine(), limit=limit)) <= limit


def test_what_does_no_harm_is_tried_before_anything_else(models, machine, lora, rows):
    wasteful = lora(
        attention="eager", max_length_tokens=768, lengths=rows(3_000, 768), micro_batch_rows=1,
        accumulation=16, is_checkpointing_activations=True, adapter_dropout=0.05,
    )  # fmt: skip
    long = lora(
        attention="eager", max_length_tokens=8_192, lengths=rows(3_000, 8_192), micro_batch_rows=1,
        accumulation=16, is_checkpointing_activations=True,
    )  # fmt: skip
    first = nearest_fitting(long, models["8B"], machine())[0]
    assert first.harm == 0
    assert [move.kind for move in first.moves] == ["attention"]
    assert all(
        move.kind != "attention" for one in nearest_fitting(wasteful, models["small"], machine())
        for move in one.moves
    )  # fmt: skip


def test_8b_on_one_home_card_has_a_way_that_changes_no_result(models, machine, lora):
    found = nearest_fitting(lora(), models["8B"], machine())
    assert found[0].harm <= 2
    assert found[0].estimate.verdict == "fits"
    assert "Compute" in found[0].words
    assert "% longer" in found[0].gives_up


def test_a_model_is_packed_where_16_bits_do_not_fit(models, machine, lora):
    home = machine()
    card = replace(home.cards[0], memory_bytes=12 * 2**30, free_bytes=int(11.5 * 2**30))
    first = nearest_fitting(lora(), models["8B"], replace(home, cards=(card,)))[0]
    assert first.harm == 4
    assert first.workload.technique == "qlora"
    assert "4 bits" in first.words
    assert "slightly worse" in first.gives_up


def test_70b_fits_two_home_cards_with_128_gb_of_memory(models, machine, qlora, two_cards):
    found = nearest_fitting(
        qlora(**two_cards()), models["70B"], machine(2, ram_gib=128), frozen=("max_length_tokens",)
    )
    assert found
    workload = found[0].workload
    assert workload.sharding in ("fsdp", "fsdp_offload")
    assert workload.max_length_tokens == 2_048
    assert workload.cards == 2
    assert found[0].estimate.ram_bytes < 124 * 2**30


def test_a_16_bit_70b_is_packed_for_two_home_cards(models, machine, lora, two_cards):
    found = nearest_fitting(
        lora(**two_cards()), models["70B"], machine(2, ram_gib=128), frozen=("max_length_tokens",)
    )
    assert {"base_format", "sharding"} <= {move.kind for move in found[0].moves}
    assert found[0].workload.technique == "qlora"


def test_rows_are_cut_no_shorter_than_needed(models, machine, qlora, rows):
    long = qlora(
        max_length_tokens=65_536, lengths=rows(300, 65_536), micro_batch_rows=1, accumulation=4
    )
    frozen = ("technique", "is_offloading_activations", "optimizer")
    first = nearest_fitting(long, models["8B"], machine(), frozen=frozen)[0]
    (move,) = [move for move in first.moves if move.kind == "max_length"]
    assert "of your rows lose their end" in move.cost
    further = [step for step in (49_152, 65_536) if step > first.workload.max_length_tokens]
    for tokens in further:
        longer = estimate(
            qlora(
                max_length_tokens=tokens, lengths=rows(300, 65_536), micro_batch_rows=1,
                accumulation=4, is_checkpointing_activations=True,
            ),
            models["8B"], machine(), weights_bytes=2 * models["8B"].parameters,
        )  # fmt: skip
        assert longer.verdict != "fits"


def test_packed_rows_keep_the_tokens_of_a_step(models, machine, qlora, rows):
    packed = qlora(
        is_packed=True, max_length_tokens=65_536, lengths=rows(3_000, 2_048), micro_batch_rows=1,
        accumulation=2,
    )  # fmt: skip
    frozen = ("technique", "is_offloading_activations", "optimizer")
    for one in nearest_fitting(packed, models["8B"], machine(), frozen=frozen):
        made = one.workload
        assert made.max_length_tokens * rows_of_step(made) == 65_536 * 2


def test_a_smaller_model_is_told_only_where_one_is_offered(models, machine, qlora, smaller):
    asked = qlora()
    assert nearest_fitting(asked, models["70B"], machine()) == ()
    (other,) = nearest_fitting(asked, models["70B"], machine(), candidates=(smaller,))
    assert other.model == smaller
    assert other.harm == 8
    assert other.estimate.verdict == "fits"
    assert "8.0 billion weights" in other.words


def test_a_larger_model_is_no_way_out(models, machine, qlora, smaller):
    tiny = models["small"]
    short = qlora(micro_batch_rows=64, accumulation=1)
    for one in nearest_fitting(short, tiny, machine(), candidates=(smaller,)):
        assert one.model is None


def test_a_computer_without_a_card_gets_ways_too(models, machine, lora):
    laptop = machine(0, ram_gib=9)
    asked = lora(weight_bytes_per_parameter=4.0, micro_batch_rows=16, accumulation=1)
    promise = estimate(asked, models["small"], laptop, weights_bytes=2 * models["small"].parameters)
    assert promise.verdict == "will_not_fit"
    found = nearest_fitting(asked, models["small"], laptop)
    assert found
    kinds = {move.kind for one in found for move in one.moves}
    assert kinds <= {"checkpointing", "micro_batch", "base_format", "max_length"}
    assert "The memory of the computer goes from" in found[0].gives_up


def test_a_full_disk_is_not_mended_by_smaller_pieces(models, machine, lora):
    full = machine(1, disk_gib=0.01)
    fits_otherwise = lora(micro_batch_rows=1, accumulation=4)
    assert nearest_fitting(fits_otherwise, models["small"], full) == ()


def test_what_makes_no_sense_is_refused(models, machine, lora):
    with pytest.raises(ValueError, match="reads nothing"):
        nearest_fitting(lora(micro_batch_rows=0), models["8B"], machine())


def test_it_is_quick(models, machine, lora, qlora, two_cards):
    hardest = [
        (lora(**two_cards()), models["70B"], machine(2, ram_gib=128)),
        (lora(technique="full", lora_rank=0), models["8B"], machine()),
        (qlora(**two_cards()), models["70B"], machine(2, ram_gib=64)),
    ]
    for case in hardest:
        began = time.perf_counter()
        nearest_fitting(*case)
        assert time.perf_counter() - began < 0.2 * ALLOWANCE
