"""What the probe measured on this machine, as it lies in the home folder.

`probe.py` keeps it and fills a `HardwareSpec` with it; `engine/worker/measure.py` makes it. Only
plain data here, so that the process with torch in it needs nothing of the engine's types.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tailor.estimator.record import record


@record
class Circumstances:
    """What a measurement holds for: with another of any it is made anew."""

    cards: tuple[str, ...]
    """The driver's ids, in its order."""
    driver: str
    torch: str


@record
class MeasuredCard:
    """One card."""

    uuid: str
    context_bytes: int | None
    """What a process takes on it before it holds anything; None where the driver did not tell."""
    bandwidth_bytes_per_second: float
    host_to_card_bytes_per_second: float
    product_flops_per_second: float
    """Of the best large product in 16 bits."""


@record
class MeasuredMachine:
    """All cards, the links between them, and what is around them."""

    cards: tuple[MeasuredCard, ...]
    bus_bytes_per_second: float | None = None
    """Between the cards; None with one card or where they cannot reach each other."""
    disk_bytes_per_second: float | None = None
    launch_seconds: float | None = None
    """To start the kernels of one layer, forward and backward."""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def read_measured(told: Mapping[str, Any]) -> MeasuredMachine:
    """What `to_json` gave."""
    cards = tuple(MeasuredCard(**card) for card in told["cards"])
    return MeasuredMachine(**{**told, "cards": cards})
