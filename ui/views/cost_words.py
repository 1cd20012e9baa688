"""Electricity and money in words, with as many digits as an estimate can know.

A price that nobody told is said to be missing; it is never 0. The promise card, the table of plans
and the table of machines say their costs through this file.
"""

from typing import Final

from tailor.estimator.promise import Estimate, Range
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.quantities import count_words

TEN: Final = 10
CENT: Final = 0.01
LEAST_KWH: Final = 0.01


def kwh_words(kwh: Range) -> str:
    """ "0.4-0.6 kWh", or one figure when both ends look the same."""
    if kwh.high < LEAST_KWH:
        return PromiseText.KWH_LESS
    return PromiseText.KWH.format(kwh=_joined(_kwh_figure(kwh.low), _kwh_figure(kwh.high)))


def money_words(money: Range, currency: str) -> str:
    """ "0.12-0.19 EUR"; cents are told only while they matter."""
    if money.high < CENT:
        return PromiseText.MONEY_LESS.format(currency=currency) if money.high else f"0 {currency}"
    pair = _joined(*(_money_figure(end, money.high) for end in (money.low, money.high)))
    return f"{pair} {currency}".strip()


def cost_words(estimate: Estimate) -> str:
    """Money where a price is set, else that none is."""
    if estimate.money is None:
        return PromiseText.NO_PRICE
    return money_words(estimate.money, estimate.currency)


def _joined(low: str, high: str) -> str:
    if low == high:
        return high
    # "0.00" would promise that it may cost nothing.
    return f"{low}-{high}" if float(low.replace(",", "")) else f"up to {high}"


def _kwh_figure(value: float) -> str:
    if value >= TEN:
        return count_words(value)
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _money_figure(value: float, largest: float) -> str:
    return count_words(value) if largest >= 2 * TEN else f"{value:.2f}"
