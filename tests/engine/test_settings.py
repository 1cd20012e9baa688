"""Prices: kept for each owner in the home folder, and refused in words when they make no sense."""

from dataclasses import replace
from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.engine.settings import FILE, Settings, read_settings, save_settings

TARIFF = Settings(per_kwh=0.31, currency="EUR", computer_watts=90)


def test_what_was_never_told_is_unknown_and_not_zero(tmp_path: Path) -> None:
    told = read_settings(tmp_path, "ada")
    assert (told.per_kwh, told.per_card_hour, told.computer_watts) == (None, None, None)


def test_each_owner_has_prices_of_their_own(tmp_path: Path) -> None:
    save_settings(tmp_path, "ada", TARIFF)
    assert read_settings(tmp_path, "ada") == TARIFF
    assert read_settings(tmp_path, "bob") == Settings()


def test_the_file_is_kept_from_other_users(tmp_path: Path) -> None:
    save_settings(tmp_path, "ada", TARIFF)
    assert (tmp_path / "data" / "ada").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("currency", ["EUR", "€", "$", "kr", "R$", "CHF", "zł"])
def test_names_and_signs_of_money_are_taken(tmp_path: Path, currency: str) -> None:
    assert save_settings(tmp_path, "ada", replace(TARIFF, currency=currency))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"per_kwh": -0.1}, "from 0 to"),
        ({"per_kwh": 1e12}, "from 0 to"),
        ({"per_kwh": float("nan")}, "from 0 to"),
        ({"per_card_hour": float("inf")}, "from 0 to"),
        ({"computer_watts": 1e9}, "from 0 to"),
        ({"currency": ""}, "currency is missing"),
        ({"currency": "<b>euro</b>"}, "not a currency"),
        ({"currency": "E" * 9000}, "not a currency"),
    ],
)
def test_what_makes_no_sense_is_refused_and_the_old_stays(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    save_settings(tmp_path, "ada", TARIFF)
    with pytest.raises(UserError, match=words) as caught:
        save_settings(tmp_path, "ada", replace(TARIFF, **change))  # type: ignore[arg-type]
    assert len(caught.value.detail) < 200
    assert read_settings(tmp_path, "ada") == TARIFF


def test_a_price_of_zero_is_a_price(tmp_path: Path) -> None:
    free = replace(TARIFF, per_kwh=0.0)
    assert save_settings(tmp_path, "ada", free) == read_settings(tmp_path, "ada") == free


def test_watts_alone_need_no_currency(tmp_path: Path) -> None:
    assert save_settings(tmp_path, "ada", Settings(computer_watts=60.0)).computer_watts == 60


def test_a_file_that_something_else_changed_is_told_and_can_be_set_again(tmp_path: Path) -> None:
    save_settings(tmp_path, "ada", TARIFF)
    (tmp_path / "data" / "ada" / FILE).write_text('{"per_kwh": "much"}')
    with pytest.raises(UserError, match="cannot be read"):
        read_settings(tmp_path, "ada")
    save_settings(tmp_path, "ada", TARIFF)
    assert read_settings(tmp_path, "ada") == TARIFF


def test_the_estimator_gets_a_price_only_when_something_was_told() -> None:
    assert Settings().price is None
    price = TARIFF.price
    assert price is not None
    assert (price.per_kwh, price.currency, price.computer_watts) == (0.31, "EUR", 90)
