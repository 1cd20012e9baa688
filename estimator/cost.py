"""What a run costs beside time: electricity, and money where somebody told a price.

Energy follows from the power of cards and computer; money needs a price that only the person knows.
Nobody's price is None and never 0, so that a free run and an unknown one cannot be mixed up.
`estimate()` asks here; the engine's settings keep the `Price`.
"""

import math

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Range
from tailor.estimator.record import record
from tailor.estimator.timing.pace import Triple

COMPUTER_WATTS = 150.0
"""A computer around its cards; a common desktop under light load (unverified, a person can set
it)."""
WORKING_SHARE = 0.85
"""Mean draw of a card in training against its limit; seen on public runs."""
IDLE_SHARE = 0.1
"""Draw of a card that does nothing, against its limit (unverified)."""
JOULES_PER_KWH = 3.6e6
HOUR_SECONDS = 3600.0
EXACTLY = 1e-9
"""A run that ends with the billing unit does not begin another one; rounding may be off so far."""


@record
class Price:
    """What electricity or rented cards cost, as a person told it."""

    per_kwh: float | None = None
    """Price of a kilowatt-hour; None means that nobody told it."""
    per_card_hour: float | None = None
    """Price of one rented card for one hour, electricity and computer included; where it is told,
    electricity is not counted again."""
    currency: str = ""
    computer_watts: float | None = None
    """What the computer draws beside its cards; None means that it is assumed."""
    billing_unit_seconds: float = HOUR_SECONDS
    """Rented time is paid in units of this length, and a unit that was begun is paid whole."""

    def __post_init__(self) -> None:
        """Refuse what is no price."""
        for what, number in (
            ("The price of a kilowatt-hour", self.per_kwh),
            ("The price of a card-hour", self.per_card_hour),
            ("The computer's draw in watts", self.computer_watts),
        ):
            if number is not None and not (math.isfinite(number) and number >= 0):
                raise ValueError(f"{what} is {number}; it can be 0 or more.")
        if not (math.isfinite(self.billing_unit_seconds) and self.billing_unit_seconds > 0):
            raise ValueError(
                f"The billing unit has {self.billing_unit_seconds} seconds; it must be above 0."
            )


def compute_energy(
    hardware: HardwareSpec, seconds: Triple, price: Price | None, *, cards: int | None = None
) -> Range | None:
    """Electricity of a run in kWh; None where the power of this device is not known.

    `cards` of the machine's work, all of them by default; the others idle and draw power all the
    same.
    """
    watts = _compute_watts(hardware, price, cards)
    if watts is None:
        return None
    low, likely, high = (watts * each / JOULES_PER_KWH for each in seconds)
    return Range(low=low, likely=likely, high=high)


def compute_money(
    kwh: Range | None, seconds: Triple, price: Price | None, *, cards: int = 1
) -> Range | None:
    """Money of a run that holds `cards` rented cards, or pays its electricity.

    None where nobody told a price, or where electricity has one and nobody knows how much is
    drawn.
    """
    if price is None:
        return None
    if price.per_card_hour is not None:
        low, likely, high = (
            cards * price.per_card_hour * _billed_hours(each, price.billing_unit_seconds)
            for each in seconds
        )
        return Range(low=low, likely=likely, high=high)
    if price.per_kwh is None or kwh is None:
        return None
    return Range(
        low=kwh.low * price.per_kwh,
        likely=kwh.likely * price.per_kwh,
        high=kwh.high * price.per_kwh,
    )


def _compute_watts(hardware: HardwareSpec, price: Price | None, cards: int | None) -> float | None:
    told = price.computer_watts if price is not None else None
    if hardware.device != "cuda":
        # The processor is part of the computer: what it draws when it works is known only if told.
        return told
    powers = [card.power_watts for card in hardware.cards]
    known = [watts for watts in powers if watts is not None]
    if len(known) < len(powers):
        return None
    working = len(known) if cards is None else min(cards, len(known))
    busy = WORKING_SHARE * sum(known[:working]) + IDLE_SHARE * sum(known[working:])
    return busy + (COMPUTER_WATTS if told is None else told)


def _billed_hours(seconds: float, unit_seconds: float) -> float:
    units = math.ceil(seconds / unit_seconds - EXACTLY)
    return max(1, units) * unit_seconds / HOUR_SECONDS
