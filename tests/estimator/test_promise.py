"""The promise for graphics cards: which of them decides, what else can forbid a run, who outranks
whom, and what is refused as nonsense."""

import time
from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import SHIPPED, Calibration, Learned, ResidualGroup
from tailor.estimator.cost import Price
from tailor.estimator.dry_run import DryRun
from tailor.estimator.estimate import estimate
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.promise import Estimate
from tailor.estimator.trace import TraceResult
from tailor.estimator.workload import LengthHistogram, Workload

GIB = 2**30
MISTRAL = Architecture(
    model_type="mistral", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, mlp=14336,
    vocabulary=32000, max_positions=32768,
)  # fmt: skip
LLAMA_70B = Architecture(
    model_type="llama", layers=80, hidden=8192, heads=64, kv_heads=8, head_dim=128, mlp=28672,
    vocabulary=128256, max_positions=8192,
)  # fmt: skip
CARD = Card(
    name="NVIDIA GeForce RTX 3090", kind="cuda", memory_bytes=24 * GIB, free_bytes=23 * GIB,
    bandwidth_bytes_per_second=936e9, flops_per_second=71e12, power_watts=350,
)  # fmt: skip
ROWS = LengthHistogram(
    edges_tokens=(1999, 2000), counts=(0, 2000), total_tokens=4_000_000, learned_tokens=1_000_000,
    longest_tokens=2000,
)  # fmt: skip
QLORA = Workload(
    technique="qlora", lengths=ROWS, max_length_tokens=2048, micro_batch_rows=1, accumulation=8,
    steps=250, evaluations=10, held_out_rows=50, held_out_tokens=100_000,
    weight_bytes_per_parameter=0.516, trainable_bytes_per_parameter=2.0, base_format="nf4_double",
    lora_rank=16, is_checkpointing_activations=True,
)  # fmt: skip
UNCALIBRATED = Calibration(versions=SHIPPED.versions)
"""So that these tests speak of the rules and not of what ships."""


def machine(cards: int = 1, ram_gib: int = 128, **changes: Any) -> HardwareSpec:
    told = HardwareSpec(
        cards=(CARD,) * cards, cpu_cores=16, cpu_has_bf16=True, ram_bytes=ram_gib * GIB,
        ram_free_bytes=int(ram_gib * 0.95 * GIB), disk_free_bytes=500 * GIB,
    )  # fmt: skip
    return replace(told, **changes)


def promise(
    workload: Workload, hardware: HardwareSpec, shape: Architecture = MISTRAL, **more: Any
) -> Estimate:
    told: dict[str, Any] = {"calibration": UNCALIBRATED, "weights_bytes": 2 * shape.parameters}
    return estimate(workload, shape, hardware, **(told | more))


def largest_part(told: Estimate) -> str:
    return max(told.parts, key=lambda part: part.bytes).name


# Cards


def test_one_card_is_told_as_one_card() -> None:
    told = promise(QLORA, machine())
    assert [card.name for card in told.cards] == [CARD.name]
    assert told.cards[0].memory_bytes == told.memory_bytes
    assert sum(part.bytes for part in told.parts) == told.memory_bytes.likely
    assert told.phase
    assert told.step_seconds is not None
    assert told.checkpoint_bytes > 0


def test_the_shortest_card_decides() -> None:
    busy = replace(CARD, name="NVIDIA GeForce RTX 3090 Ti", free_bytes=4 * GIB)
    two = replace(QLORA, cards=2, sharding="ddp")
    told = promise(two, replace(machine(), cards=(CARD, busy)))
    assert [card.verdict for card in told.cards] == ["fits", "will_not_fit"]
    assert told.verdict == "will_not_fit"
    assert told.capacity_bytes == 4 * GIB
    assert busy.name in told.reason


def test_only_cards_that_work_are_asked() -> None:
    busy = replace(CARD, free_bytes=GIB)
    told = promise(QLORA, replace(machine(), cards=(CARD, busy)))
    assert len(told.cards) == 1
    assert told.verdict == "fits"


def test_what_a_process_takes_is_the_cards_own_when_it_was_measured() -> None:
    usual = promise(QLORA, machine()).memory_bytes.likely
    heavy = replace(CARD, context_bytes=3 * GIB)
    more = promise(QLORA, replace(machine(), cards=(heavy,))).memory_bytes.likely
    assert more > usual + 2 * GIB


def test_the_rule_is_the_same_at_its_edges() -> None:
    memory = promise(QLORA, machine()).memory_bytes
    for free, verdict in (
        (memory.high + 1, "fits"),
        (memory.high - 1, "tight"),
        (memory.likely + 1, "tight"),
        (memory.likely - 1, "will_not_fit"),
    ):
        card = replace(CARD, free_bytes=int(free))
        assert promise(QLORA, replace(machine(), cards=(card,))).verdict == verdict, free


def test_the_reason_names_the_largest_part_of_the_deciding_moment_with_its_numbers() -> None:
    small = replace(machine(), cards=(replace(CARD, free_bytes=2 * GIB),))
    told = promise(QLORA, small)
    assert told.verdict == "will_not_fit"
    assert told.blocked_by == "memory"
    assert "2.0 GB are free on NVIDIA GeForce RTX 3090" in told.reason
    assert largest_part(told) == "weights"
    assert "the model itself with" in told.reason
    full = replace(
        QLORA, technique="full", lora_rank=0, base_format="plain", weight_bytes_per_parameter=2.0
    )
    assert "because all of the model learns" in promise(full, small).reason


# The computer around the cards


def offloaded(ram_gib: int) -> Estimate:
    two = replace(QLORA, cards=2, sharding="fsdp_offload")
    return promise(two, machine(cards=2, ram_gib=ram_gib), LLAMA_70B)


def test_a_70b_model_at_home_needs_more_memory_than_64_gb_and_says_why() -> None:
    told = offloaded(64)
    assert (told.verdict, told.blocked_by) == ("will_not_fit", "ram")
    assert "the computer's own memory" in told.reason
    assert "where the model's weights wait" in told.reason
    assert "64.0 GB are free" in told.reason
    assert told.memory_bytes.likely < 24 * GIB
    assert offloaded(192).blocked_by == ""


def test_closing_other_programs_is_offered_only_where_it_can_be_enough() -> None:
    two = replace(QLORA, cards=2, sharding="fsdp_offload")
    crowded = machine(cards=2, ram_gib=128, ram_free_bytes=40 * GIB)
    assert "Closing other programs" in promise(two, crowded, LLAMA_70B).reason
    assert "Closing other programs" not in offloaded(64).reason


def test_a_full_disk_forbids_a_run_and_counts_what_is_fetched() -> None:
    need = promise(QLORA, machine()).disk_bytes
    enough = machine(disk_free_bytes=need + 10)
    assert promise(QLORA, enough).verdict == "fits"
    told = promise(QLORA, enough, download_bytes=5 * GIB)
    assert (told.verdict, told.blocked_by, told.download_bytes) == (
        "will_not_fit", "disk", 5 * GIB,
    )  # fmt: skip
    assert "on the disk" in told.reason


def test_the_devices_memory_is_told_before_the_disk() -> None:
    nothing = replace(machine(disk_free_bytes=0), cards=(replace(CARD, free_bytes=GIB),))
    assert promise(QLORA, nothing).blocked_by == "memory"


# Who outranks whom


TRACE = TraceResult(
    ok=True, weights_bytes=4 * GIB, forward_bytes=6 * GIB, backward_bytes=7 * GIB,
    optimizer_bytes=5 * GIB, evaluation_bytes=5 * GIB,
)  # fmt: skip


def test_an_exact_trace_takes_the_place_of_the_formulas() -> None:
    plain, told = promise(QLORA, machine()), promise(QLORA, machine(), trace=TRACE)
    assert told.provenance == "trace"
    assert told.uncorrected is not None
    assert told.uncorrected.memory_bytes.likely == 7 * GIB
    assert told.uncorrected.layer == "trace"
    assert told.phase == "while the model learns from its longest rows"
    width = told.memory_bytes.high / told.memory_bytes.likely
    assert width < plain.memory_bytes.high / plain.memory_bytes.likely
    assert sum(part.bytes for part in told.parts) == told.memory_bytes.likely


def test_a_trace_that_failed_changes_nothing() -> None:
    failed = TraceResult(ok=False, reason="It took too long.")
    assert promise(QLORA, machine(), trace=failed) == promise(QLORA, machine())


def test_a_rehearsal_outranks_formulas_and_trace() -> None:
    dry = DryRun(peak_bytes=9 * GIB, reserved_bytes=10 * GIB, step_seconds=12.0)
    told = promise(QLORA, machine(), trace=TRACE, dry=dry)
    assert told.provenance == "dry_run"
    assert told.memory_bytes.likely > 10 * GIB
    assert told.memory_bytes.high < 1.05 * told.memory_bytes.likely
    assert told.step_seconds is not None
    assert told.step_seconds.likely == 12.0
    assert told.step_seconds.high == pytest.approx(12.36)


def test_own_runs_are_told_and_narrow_the_range() -> None:
    plain = promise(QLORA, machine())
    assert (plain.provenance, plain.runs_learned_from) == ("closed_form", 0)
    assert plain.uncorrected is not None
    taught = replace(
        UNCALIBRATED,
        learned=tuple(
            Learned(
                quantity=quantity, device=plain.uncorrected.device_name, technique="qlora",
                sharing="one", mean_log=0.2, width=0.4, runs=6,
            )
            for quantity in ("allocated", "step_seconds", "around_seconds")
        ),
    )  # fmt: skip
    told = promise(QLORA, machine(), calibration=taught)
    assert (told.provenance, told.runs_learned_from) == ("measured_here", 6)
    assert told.memory_bytes.likely > plain.memory_bytes.likely
    assert told.seconds.likely == pytest.approx(1.2214 * plain.seconds.likely, rel=1e-3)
    for one, other in (
        (told.memory_bytes, plain.memory_bytes),
        (told.seconds, plain.seconds),
    ):
        assert one.high / one.low < other.high / other.low
    assert told.uncorrected == plain.uncorrected
    weights = [part.bytes for part in plain.parts if part.name == "weights"]
    assert weights == [part.bytes for part in told.parts if part.name == "weights"]
    assert sum(part.bytes for part in told.parts) == told.memory_bytes.likely


def test_errors_measured_elsewhere_may_widen_a_range_and_never_narrow_it() -> None:
    plain = promise(QLORA, machine())
    for share, is_wider in ((0.02, False), (0.6, True)):
        errors = tuple(share * number / 20 for number in range(-20, 21))
        groups = tuple(
            ResidualGroup(
                quantity=quantity, layer="closed_form", technique="qlora", sharing="one",
                device=device, residuals=errors,
            )
            for quantity, device in (("allocated", ""), ("step_seconds", "RTX 3090"))
        )  # fmt: skip
        told = promise(QLORA, machine(), calibration=replace(UNCALIBRATED, groups=groups))
        assert (told.memory_bytes.high > plain.memory_bytes.high) == is_wider
        assert told.memory_bytes.high >= plain.memory_bytes.high
        assert told.step_seconds is not None
        assert plain.step_seconds is not None
        assert told.step_seconds.high >= plain.step_seconds.high


def test_a_packed_base_with_fp32_adapters_does_not_pay_for_missing_bf16_instructions() -> None:
    # bf16 is a hundred times slower on such a processor, but what is packed is unpacked into fp32.
    plain = HardwareSpec(
        cards=(), cpu_cores=2, cpu_has_bf16=False, ram_bytes=64 * GIB, ram_free_bytes=60 * GIB,
        disk_free_bytes=500 * GIB, cpu_flops_per_second=106e9,
    )  # fmt: skip
    packed = replace(QLORA, trainable_bytes_per_parameter=4.0)
    whole = replace(packed, technique="lora", base_format="plain", weight_bytes_per_parameter=4.0)
    assert promise(packed, plain).seconds.likely < 2 * promise(whole, plain).seconds.likely


# Advice


def test_a_tight_run_is_told_that_its_longest_rows_are_tried_first() -> None:
    memory = promise(QLORA, machine()).memory_bytes
    tight = replace(machine(), cards=(replace(CARD, free_bytes=int(memory.high) - 1),))
    assert any("trying your longest rows" in words for words in promise(QLORA, tight).advice)
    assert promise(QLORA, machine()).advice == ()


def test_a_model_that_fits_whole_on_each_card_is_better_not_cut_up() -> None:
    two = replace(QLORA, cards=2, sharding="fsdp", accumulation=4)
    slow = machine(cards=2, bus_bytes_per_second=2e9)
    assert any("DDP" in words for words in promise(two, slow).advice)
    assert not any("DDP" in words for words in promise(two, slow, LLAMA_70B).advice)


def test_one_card_is_named_where_it_is_faster_than_two() -> None:
    two = replace(QLORA, cards=2, sharding="fsdp", accumulation=1)
    crawling = machine(cards=2, bus_bytes_per_second=0.2e9)
    assert any(words.startswith("One card alone") for words in promise(two, crawling).advice)
    quick = machine(cards=2, bus_bytes_per_second=100e9)
    assert not any("One card alone" in words for words in promise(two, quick).advice)


# Costs


def test_money_needs_a_price_and_free_is_not_unknown() -> None:
    assert promise(QLORA, machine()).money is None
    told = promise(QLORA, machine(), price=Price(per_kwh=0.4, currency="EUR"))
    assert told.kwh is not None
    assert told.money is not None
    assert told.money.likely == pytest.approx(0.4 * told.kwh.likely)
    assert told.currency == "EUR"
    free = promise(QLORA, machine(), price=Price(per_kwh=0.0, currency="EUR"))
    assert free.money is not None
    assert free.money.high == 0.0


# Nonsense


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"steps": 0}, "0 steps"),
        ({"steps": -3}, "-3 steps"),
        ({"lora_rank": 0}, "rank 0"),
        ({"micro_batch_rows": 0}, "0 rows"),
        ({"accumulation": 0}, "0 parts"),
        ({"max_length_tokens": 0}, "0 tokens"),
        ({"cards": 0}, "0 cards"),
        ({"cards": 2}, "2 graphics cards and this computer has 1"),
        ({"weight_bytes_per_parameter": 0.0}, "0.0 bytes"),
        ({"weight_bytes_per_parameter": float("nan")}, "nan bytes"),
        ({"checkpointed_layers": 33}, "33 layers twice, and the model has 32"),
        ({"exam_questions": -1}, "-1 exam questions"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=r"^(The|This) .*\.$") as refused:
        promise(replace(QLORA, **changes), machine())
    assert words in str(refused.value)


def test_a_plan_for_cards_is_refused_on_a_computer_without_any() -> None:
    bare = replace(machine(), cards=())
    for changes in ({"cards": 2, "sharding": "fsdp"}, {"sharding": "ddp"}):
        with pytest.raises(ValueError, match="this computer has none"):
            promise(replace(QLORA, **changes), bare)


def test_no_rows_are_an_honest_promise_that_says_so() -> None:
    nothing = LengthHistogram(
        edges_tokens=(), counts=(), total_tokens=0, learned_tokens=0, longest_tokens=0
    )
    told = promise(replace(QLORA, lengths=nothing), machine())
    assert any("no rows" in words for words in told.assumed)
    assert told.seconds.likely > 0


# Form


def test_a_promise_for_two_cards_takes_milliseconds() -> None:
    two, home = replace(QLORA, cards=2, sharding="fsdp"), machine(cards=2)
    promise(two, home)
    seconds = []
    for _ in range(10):
        started = time.process_time()
        promise(two, home)
        seconds.append(time.process_time() - started)
    assert min(seconds) < 0.015


def test_a_promise_survives_json_and_an_old_one_is_still_read() -> None:
    from pydantic import TypeAdapter

    adapter = TypeAdapter(Estimate)
    told = promise(QLORA, machine(), price=Price(per_kwh=0.4, currency="EUR"))
    assert adapter.validate_json(adapter.dump_json(told)) == told
    old = adapter.dump_python(told, mode="json")
    for name in (
        "cards", "phase", "step_seconds", "download_bytes", "checkpoint_bytes", "money",
        "currency", "advice", "runs_learned_from", "blocked_by", "uncorrected",
    ):  # fmt: skip
        del old[name]
    again = adapter.validate_python(old)
    assert again.uncorrected is None
    assert again.memory_bytes == told.memory_bytes


def test_what_packing_leaves_out_of_a_model_with_experts_is_told() -> None:
    experts = replace(
        MISTRAL, experts=8, experts_per_token=2, expert_mlp=14336, expert_layers=32, mlp=14336
    )
    told = promise(QLORA, machine(cards=1), experts)
    assert any("can be packed" in words for words in told.assumed)
    assert not any("can be packed" in words for words in promise(QLORA, machine()).assumed)


def test_a_price_by_the_hour_says_that_hours_are_whole() -> None:
    rented = Price(per_card_hour=2.5, currency="EUR")
    assert (
        "Rented cards are paid by whole hours." in promise(QLORA, machine(), price=rented).assumed
    )
