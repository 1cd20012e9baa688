"""Electricity and money in words."""

import pytest

from tailor.estimator.promise import Range
from tailor.ui.views.cost_words import cost_words, kwh_words, money_words


def span(low: float, high: float) -> Range:
    return Range(low=low, likely=(low + high) / 2, high=high)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.001, 0.004, "below 0.01 kWh"),
        (0.001, 0.02, "up to 0.02 kWh"),
        (0.01, 0.04, "0.01-0.04 kWh"),
        (0.801, 0.803, "0.80 kWh"),
        (0.9, 1.34, "0.90-1.3 kWh"),
        (18.2, 31.7, "18-32 kWh"),
    ],
)
def test_kilowatt_hours_have_no_more_digits_than_matter(low, high, words):
    assert kwh_words(span(low, high)) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0, 0, "0 EUR"),
        (0.001, 0.004, "below 0.01 EUR"),
        (0.001, 0.02, "up to 0.02 EUR"),
        (0.12, 0.19, "0.12-0.19 EUR"),
        (3.8, 6.1, "3.80-6.10 EUR"),
        (18.2, 31.7, "18-32 EUR"),
        (1801, 3210.4, "1,801-3,210 EUR"),
    ],
)
def test_money_has_cents_only_while_they_matter(low, high, words):
    assert money_words(span(low, high), "EUR") == words


def test_a_price_that_nobody_told_is_said_to_be_missing(make_estimate):
    assert cost_words(make_estimate()) == "no price set"
    assert cost_words(make_estimate(money=span(0, 0), currency="$")) == "0 $"
