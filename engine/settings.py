"""What a person told about the costs of this computer: a price of electricity or of card-hours.

Energy can be worked out, money cannot: nobody but the person knows the tariff. Each owner has a
small file of their own in the home folder; the route reads and writes it, and whoever makes an
estimate asks it for the `Price`. What was never told is None, and is never taken to be 0.
"""

import math
import re
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from tailor.engine.data.owner import open_owner
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json
from tailor.estimator.cost import Price
from tailor.estimator.record import record

FILE: Final = "settings.json"
MOST_PER_KWH: Final = 100_000.0
MOST_PER_CARD_HOUR: Final = 1_000_000.0
"""Above any real price in any currency: ten times what a kWh or a card-hour costs in rupiah."""
MOST_WATTS: Final = 20_000.0
"""More than a rack of servers draws beside its cards."""
CURRENCY: Final = re.compile(r"[^\W\d_]{1,8}|[^\s\w]{1,3}|[^\W\d_]{1,4}[^\s\w]")
"""Letters such as EUR, a sign such as a pound's, or both as in R$."""


@record
class Settings:
    """Costs, as one owner told them."""

    schema: int = 1
    per_kwh: float | None = None
    """Price of a kilowatt-hour; None means that nobody told it."""
    per_card_hour: float | None = None
    """Price of one card for one hour, for rented machines; it takes the place of electricity."""
    currency: str = ""
    computer_watts: float | None = None
    """What the computer draws beside its cards; None means that it is assumed."""

    @property
    def price(self) -> Price | None:
        """What the estimator asks for; None when nothing was told."""
        if self == Settings():
            return None
        return Price(
            per_kwh=self.per_kwh,
            per_card_hour=self.per_card_hour,
            currency=self.currency,
            computer_watts=self.computer_watts,
        )


def read_settings(home: Path, owner: str) -> Settings:
    """The owner's settings; those of nobody, or an unreadable file, are empty."""
    path = open_owner(home, owner).path / FILE
    try:
        return read_json(path, Settings)
    except FileNotFoundError:
        return Settings()
    except ValidationError as broken:
        raise UserError(
            title="Your prices cannot be read",
            detail=f"The file {path} was changed by another program or another version.",
            fix="Set them again on the Plan page.",
        ) from broken


def save_settings(home: Path, owner: str, settings: Settings) -> Settings:
    """Check and keep; what makes no sense is refused in words."""
    check_settings(settings)
    write_json(open_owner(home, owner).path / FILE, settings)
    return settings


def check_settings(settings: Settings) -> None:
    """Raise the first thing that makes no sense."""
    _check_number("The price of a kilowatt-hour", settings.per_kwh, MOST_PER_KWH)
    _check_number("The price of a card-hour", settings.per_card_hour, MOST_PER_CARD_HOUR)
    _check_number("The computer's watts", settings.computer_watts, MOST_WATTS)
    has_price = settings.per_kwh is not None or settings.per_card_hour is not None
    if settings.currency and not CURRENCY.fullmatch(settings.currency):
        raise UserError(
            title="This is not a currency",
            detail=f'"{settings.currency[:20]}" was given.',
            fix="Give up to 8 letters or a sign, such as EUR or $.",
        )
    if has_price and not settings.currency:
        raise UserError(
            title="The currency is missing",
            detail="A price was given without saying in which money.",
            fix="Give up to 8 letters or a sign, such as EUR or $.",
        )


def _check_number(what: str, value: float | None, most: float) -> None:
    if value is None or (math.isfinite(value) and 0 <= value <= most):
        return
    raise UserError(
        title=f"{what} makes no sense",
        detail=f"{value:g} was given; it can be from 0 to {most:,.0f}.",
        fix="Correct it, or leave the field empty if you do not know.",
    )
