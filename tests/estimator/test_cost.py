"""Energy follows from power and time; money is told only where somebody told a price."""

from dataclasses import replace

import pytest

from tailor.estimator.cost import Price, compute_energy, compute_money
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.promise import Range

GIB = 2**30
HOUR = 3600.0
CARD = Card(name="A card", kind="cuda", memory_bytes=24 * GIB, free_bytes=23 * GIB, power_watts=400)
PROCESSOR = HardwareSpec(
    cpu_cores=8, cpu_has_bf16=False, ram_bytes=64 * GIB, ram_free_bytes=60 * GIB,
    disk_free_bytes=500 * GIB,
)  # fmt: skip
ONE, TWO = (replace(PROCESSOR, cards=(CARD,) * count) for count in (1, 2))
SECONDS = (HOUR / 2, HOUR, 2 * HOUR)


def test_an_hour_of_one_card_and_its_computer() -> None:
    kwh = compute_energy(ONE, SECONDS, None)
    assert kwh is not None
    assert kwh.likely == pytest.approx((0.85 * 400 + 150) / 1000)
    assert (kwh.low, kwh.high) == pytest.approx((kwh.likely / 2, 2 * kwh.likely))


def test_a_card_that_idles_still_draws_power() -> None:
    alone, both, all_work = (
        compute_energy(hardware, SECONDS, None, cards=cards)
        for hardware, cards in ((ONE, 1), (TWO, 1), (TWO, 2))
    )
    assert alone is not None
    assert both is not None
    assert all_work is not None
    assert alone.likely < both.likely < all_work.likely
    assert both.likely - alone.likely == pytest.approx(0.04)
    assert compute_energy(TWO, SECONDS, None) == all_work


def test_the_computer_s_own_draw_can_be_told() -> None:
    told = compute_energy(ONE, SECONDS, Price(computer_watts=60))
    assert told is not None
    assert told.likely == pytest.approx(0.4)


def test_unknown_power_is_not_zero() -> None:
    unknown = replace(PROCESSOR, cards=(replace(CARD, power_watts=None),))
    assert compute_energy(unknown, SECONDS, Price(per_kwh=0.3)) is None
    assert compute_energy(PROCESSOR, SECONDS, None) is None
    assert compute_money(None, SECONDS, Price(per_kwh=0.3)) is None


def test_a_processor_s_draw_counts_where_it_is_told() -> None:
    told = compute_energy(PROCESSOR, SECONDS, Price(computer_watts=90))
    assert told is not None
    assert told.likely == pytest.approx(0.09)


def test_no_price_is_none_and_a_price_of_zero_is_zero() -> None:
    kwh = compute_energy(ONE, SECONDS, None)
    assert compute_money(kwh, SECONDS, None) is None
    assert compute_money(kwh, SECONDS, Price(computer_watts=60)) is None
    assert compute_money(kwh, SECONDS, Price(per_kwh=0.0)) == Range(low=0, likely=0, high=0)
    assert compute_money(kwh, SECONDS, Price(per_card_hour=0.0)) == Range(low=0, likely=0, high=0)


def test_electricity_is_paid_by_the_kilowatt_hour() -> None:
    kwh = compute_energy(ONE, SECONDS, None)
    money = compute_money(kwh, SECONDS, Price(per_kwh=0.3))
    assert money is not None
    assert money.likely == pytest.approx(0.3 * 0.49)


@pytest.mark.parametrize(
    ("seconds", "unit", "hours"),
    [(1.0, 3600, 1), (3600.0, 3600, 1), (3601.0, 3600, 2), (90.0, 60, 2 / 60), (0.0, 3600, 1)],
)
def test_a_unit_that_was_begun_is_paid_whole(seconds: float, unit: float, hours: float) -> None:
    price = Price(per_card_hour=2.0, billing_unit_seconds=unit)
    money = compute_money(None, (seconds,) * 3, price)
    assert money is not None
    assert money.likely == pytest.approx(2.0 * hours)


def test_each_rented_card_is_paid_and_electricity_is_not_added() -> None:
    kwh = compute_energy(TWO, SECONDS, None)
    price = Price(per_kwh=0.3, per_card_hour=1.5)
    money = compute_money(kwh, SECONDS, price, cards=2)
    assert money == Range(low=3.0, likely=3.0, high=6.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"per_kwh": -0.1},
        {"per_card_hour": float("nan")},
        {"computer_watts": float("inf")},
        {"billing_unit_seconds": 0.0},
    ],
)
def test_what_is_no_price_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="it (can be|must be)"):
        Price(**wrong)
