"""When the cards are measured, what is kept of it, and what a promise gets of it."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tailor.engine.json_file import write_json
from tailor.engine.machine.measured import (
    Circumstances,
    MeasuredCard,
    MeasuredMachine,
    read_measured,
)
from tailor.engine.machine.probe import Kept, Prober, fill_hardware, read_kept
from tailor.estimator.hardware import Card, HardwareSpec

GIB = 2**30
NOW = Circumstances(cards=("GPU-a", "GPU-b"), driver="570.1", torch="2.13.0")
CARDS = tuple(
    Card(name="Card X", kind="cuda", memory_bytes=24 * GIB, free_bytes=23 * GIB, uuid=uuid)
    for uuid in NOW.cards
)
MACHINE = HardwareSpec(
    cards=CARDS, cpu_cores=8, cpu_has_bf16=True, ram_bytes=64 * GIB, ram_free_bytes=60 * GIB,
    disk_free_bytes=100 * GIB,
)  # fmt: skip
MEASURED = MeasuredMachine(
    cards=tuple(
        MeasuredCard(
            uuid=uuid, context_bytes=500_000_000, bandwidth_bytes_per_second=8e11,
            host_to_card_bytes_per_second=speed, product_flops_per_second=6e13,
        )
        for uuid, speed in zip(NOW.cards, (24e9, 6e9), strict=True)
    ),
    bus_bytes_per_second=2.5e9,
    disk_bytes_per_second=4e8,
    launch_seconds=0.003,
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "engine").mkdir()
    return tmp_path


@pytest.fixture
def prober(home: Path):
    made = Prober(home, device="cpu", scale=0.01)
    yield made
    made.close()


def wait_until_done(prober: Prober) -> None:
    ends = time.monotonic() + 120
    while prober.is_running() and time.monotonic() < ends:
        time.sleep(0.05)
    assert not prober.is_running()


def test_cards_are_measured_once_and_the_answer_is_kept(prober: Prober, home: Path) -> None:
    assert prober.look(MACHINE, NOW, lambda: True) is None
    assert prober.is_running()
    wait_until_done(prober)
    kept = prober.look(MACHINE, NOW, lambda: True)
    assert kept is not None
    told = kept.machine
    assert len(told.cards) == 2
    for card in told.cards:
        assert 1e7 < card.host_to_card_bytes_per_second < 1e13
        assert card.bandwidth_bytes_per_second > 1e7
        assert 1e7 < card.product_flops_per_second < 1e15
    # Two processes really exchanged numbers (gloo).
    assert told.bus_bytes_per_second is not None
    assert 1e6 < told.bus_bytes_per_second < 1e12
    assert told.launch_seconds is not None
    assert 1e-5 < told.launch_seconds < 1
    assert told.disk_bytes_per_second is not None
    assert read_measured(json.loads(json.dumps(told.to_json()))) == told
    assert not prober.is_running()
    assert read_kept(home, NOW) == kept
    assert not (home / "engine" / "probe").exists()


@pytest.mark.parametrize(
    ("hardware", "is_idle"),
    [
        (replace(MACHINE, cards=()), True),
        (replace(MACHINE, cards=(replace(CARDS[0], kind="mps"),)), True),
        (replace(MACHINE, cards=(replace(CARDS[0], free_bytes=GIB),)), True),
        (MACHINE, False),
    ],
    ids=["no card", "Apple", "card in use", "a run is under way"],
)
def test_nothing_is_measured_when_it_cannot_or_must_not(
    prober: Prober, hardware: HardwareSpec, is_idle: bool
) -> None:
    assert prober.look(hardware, NOW, lambda: is_idle) is None
    assert not prober.is_running()


@pytest.mark.parametrize(
    "other",
    [
        replace(NOW, cards=("GPU-a",)),
        replace(NOW, driver="571.0"),
        replace(NOW, torch="2.14.0"),
    ],
)
def test_what_was_measured_holds_for_the_same_cards_driver_and_torch_only(
    home: Path, other: Circumstances
) -> None:
    write_json(home / "engine" / "probe.json", Kept(circumstances=NOW, machine=MEASURED))
    assert read_kept(home, NOW) == Kept(circumstances=NOW, machine=MEASURED)
    assert read_kept(home, other) is None


@pytest.mark.parametrize("text", ["", "{", '{"schema": 1}', "[]"])
def test_a_damaged_file_is_as_if_nothing_was_measured(home: Path, text: str) -> None:
    (home / "engine" / "probe.json").write_text(text)
    assert read_kept(home, NOW) is None


def test_a_failed_measurement_is_not_tried_again_at_once(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    prober = Prober(home, module="tailor.engine.worker.no_such_module")
    prober.look(MACHINE, NOW, lambda: True)
    wait_until_done(prober)
    assert prober.look(MACHINE, NOW, lambda: True) is None
    assert not prober.is_running()
    assert "could not be measured" in caplog.text
    assert not (home / "engine" / "probe.json").exists()


def test_an_engine_that_ends_takes_the_measurement_along(home: Path) -> None:
    prober = Prober(home, device="cpu", scale=0.01)
    prober.look(MACHINE, NOW, lambda: True)
    assert prober.is_running()
    prober.close()
    assert not prober.is_running()
    assert not (home / "engine" / "probe.json").exists()


def test_a_promise_gets_the_cards_as_they_are_and_the_slowest_way_to_them() -> None:
    told = fill_hardware(MACHINE, MEASURED)
    assert told.bus_bytes_per_second == 2.5e9
    assert told.host_to_card_bytes_per_second == 6e9
    assert told.disk_bytes_per_second == 4e8
    assert told.launch_seconds == 0.003
    assert {card.context_bytes for card in told.cards} == {500_000_000}
    assert {card.product_flops_per_second for card in told.cards} == {6e13}
    assert {card.bandwidth_bytes_per_second for card in told.cards} == {8e11}


def test_the_makers_bandwidth_is_kept_where_it_is_known() -> None:
    known = replace(
        MACHINE, cards=tuple(replace(c, bandwidth_bytes_per_second=9e11) for c in CARDS)
    )
    told = fill_hardware(known, MEASURED)
    assert {card.bandwidth_bytes_per_second for card in told.cards} == {9e11}


def test_a_card_that_was_not_measured_stays_as_it_is() -> None:
    other = replace(MACHINE, cards=(replace(CARDS[0], uuid="GPU-c"),))
    told = fill_hardware(other, MEASURED)
    assert told.cards == other.cards
    assert told.host_to_card_bytes_per_second is None


def test_what_is_kept_is_whole_json(home: Path) -> None:
    write_json(home / "engine" / "probe.json", Kept(circumstances=NOW, machine=MEASURED))
    told = json.loads((home / "engine" / "probe.json").read_text())
    assert told["machine"]["cards"][1]["host_to_card_bytes_per_second"] == 6e9
