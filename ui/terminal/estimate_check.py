"""The first look at what was typed after `python app.py estimate`.

Numbers that no machine has, and questions that contradict themselves, are refused in words with the
option's name, before anything is worked out. The options themselves are `app.py`'s.
"""

import argparse
import math
from typing import Final

from tailor.engine.errors import UserError
from tailor.ui.text_estimate import AskedText

LIMITS: Final[dict[str, tuple[float, float]]] = {
    "params_b": (0.001, 10_000),
    "gpus": (1, 1_024),
    "memory_gb": (1, 10_000),
    "bandwidth": (1, 100_000),
    "rows": (1, 10**9),
    "length": (1, 10**7),
    "batch": (1, 10**6),
    "ram": (1, 100_000),
    "tariff": (0, 100_000),
    "card_hour": (0, 10**6),
    "watts": (0, 20_000),
}
"""Least and most of each number; beyond it somebody's finger slipped."""

OF_SPEC: Final = ("model", "params_b", "technique", "rows", "length")
"""Options that a spec file speaks of itself."""


def check_options(given: argparse.Namespace) -> None:
    """Raise the first thing that makes no sense."""
    _check_question(given)
    told = vars(given)
    for name, (least, most) in LIMITS.items():
        if told[name] is not None:
            _check_number(f"--{name.replace('_', '-')}", told[name], least, most)
    if given.gpus is not None and not given.gpu and given.memory_gb is None:
        raise UserError(
            title=AskedText.GPUS_TITLE,
            detail=AskedText.GPUS_DETAIL.format(count=given.gpus),
            fix=AskedText.GPUS_FIX,
        )
    if given.tariff is not None and given.card_hour is not None:
        raise UserError(
            title=AskedText.PRICE_TITLE, detail=AskedText.PRICE_DETAIL, fix=AskedText.PRICE_FIX
        )


def _check_question(given: argparse.Namespace) -> None:
    if given.spec is None and not given.model:
        raise UserError(
            title=AskedText.WHAT_TITLE, detail=AskedText.WHAT_DETAIL, fix=AskedText.WHAT_FIX
        )
    told = vars(given)
    twice = [name for name in OF_SPEC if given.spec is not None and told[name] is not None]
    if twice:
        option = f"--{twice[0].replace('_', '-')}"
        raise UserError(
            title=AskedText.BOTH_TITLE,
            detail=AskedText.BOTH_DETAIL.format(path=given.spec, option=option),
            fix=AskedText.BOTH_FIX,
        )


def _check_number(option: str, value: float, least: float, most: float) -> None:
    if math.isfinite(value) and least <= value <= most:
        return
    if value > most:
        told = AskedText.MOST.format(option=option, value=f"{value:g}", most=f"{most:,.0f}")
    else:
        told = AskedText.LEAST.format(option=option, value=f"{value:g}", least=f"{least:g}")
    raise UserError(
        title=AskedText.NUMBER_TITLE, detail=told, fix=AskedText.NUMBER_FIX.format(option=option)
    )
