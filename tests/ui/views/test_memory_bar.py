"""The memory bars: one for each card, to one scale, with one legend in words."""

from dataclasses import replace

import pytest

from tailor.estimator.hardware import Card
from tailor.estimator.promise import CardMemory, MemoryPart, Range
from tailor.ui.views.estimate_card import estimate_card
from tailor.ui.views.memory_bar import memory_bars, read_bars

GIB = 2**30


def card_of(free: float) -> Card:
    return Card(name="RTX 3090", kind="cuda", memory_bytes=24 * GIB, free_bytes=round(free * GIB))


def card_memory(weights: float, free: float) -> CardMemory:
    return CardMemory(
        name="RTX 3090",
        parts=(
            MemoryPart(name="weights", bytes=round(weights * GIB)),
            MemoryPart(name="sharding", bytes=2 * GIB),
        ),
        memory_bytes=Range(low=(weights + 1) * GIB, likely=(weights + 2) * GIB,
                           high=(weights + 3) * GIB),
        capacity_bytes=round(free * GIB),
        verdict="fits",
    )  # fmt: skip


@pytest.fixture
def two(make_estimate, make_hardware):
    hardware = replace(make_hardware(), cards=(card_of(23), card_of(22)))
    estimate = make_estimate(
        device="cuda", cards=(card_memory(10, 23), card_memory(12, 22)),
        capacity_bytes=22 * GIB, memory_bytes=Range(low=13 * GIB, likely=14 * GIB, high=15 * GIB),
    )  # fmt: skip
    return estimate, hardware


def widths(html: str) -> list[float]:
    return [float(piece.partition("%")[0]) for piece in html.split('style="width:')[1:]]


def test_two_cards_have_a_bar_each_and_one_legend(two):
    html = memory_bars(*two)
    assert html.count('class="memory-bar"') == 2
    assert html.count('class="memory-legend"') == 1
    assert "Card 1: RTX 3090" in html
    assert "Card 2: RTX 3090" in html
    assert "11-13 GB of 23 GB free" in html
    assert "13-15 GB of 22 GB free" in html


def test_the_legend_tells_a_span_where_cards_differ_and_one_figure_where_they_do_not(two):
    html = memory_bars(*two)
    assert "10-12 GB" in html
    assert "lent between cards" in html
    assert 'class="figure">2 GB<' in html
    assert "used by other programs: 1-2 GB" in html


def test_bars_of_one_run_are_drawn_to_one_scale(two):
    first, second = memory_bars(*two).split('class="memory-bar"')[1:]
    assert widths(first)[0] == pytest.approx(100 * 10 / 24, abs=0.01)
    assert widths(second)[0] == pytest.approx(100 * 12 / 24, abs=0.01)


def test_a_card_that_the_computer_no_longer_has_still_gets_its_bar(two):
    estimate, hardware = two
    bars = read_bars(estimate, replace(hardware, cards=(card_of(23),)))
    assert [bar.total_bytes for bar in bars] == [24 * GIB, 22 * GIB]


def test_every_bar_is_told_to_who_cannot_see_it(two):
    html = memory_bars(*two)
    assert html.count('role="img"') == 2
    assert 'aria-label="Card 1: RTX 3090. Memory by part: the model itself 10 GB' in html


def test_the_head_of_the_card_tells_of_the_fullest_one(two, make_workload):
    estimate, hardware = two
    html = estimate_card(estimate, make_workload(), hardware, now=0.0)
    assert "13-15 GB of 22 GB free on the fullest card" in html
    assert "Memory of the 2 graphics cards that share the work." in html


def test_one_card_needs_no_name(make_estimate, make_hardware):
    hardware = replace(make_hardware(), cards=(card_of(23),))
    html = memory_bars(make_estimate(device="cuda", cards=(card_memory(10, 23),)), hardware)
    assert "Card 1" not in html
    assert html.count('class="memory-bar"') == 1
