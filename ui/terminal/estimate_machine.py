"""The machine that `python app.py estimate` is asked about: this one, or one that somebody names.

A card of the table is known by its name. Another one is taken as its owner describes it, for memory
and bandwidth decide most; only its speed is then a guess, and the estimate says so.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.machine.devices import read_hardware
from tailor.estimator.gpus import USABLE_SHARE, find_card_by_words, hardware_of
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.models.model_names import Refusal
from tailor.estimator.record import record
from tailor.ui.text_estimate import AskedText, EstimateText

GIB: Final = 2**30
GIGA: Final = 1e9
USUAL_RAM_GB: Final = 64
"""A computer that is built around a card for learning; told as assumed."""
TAKEN_RAM_GB: Final = 4
"""What a desktop with nothing else open takes (unverified)."""
USUAL_DISK_GB: Final = 500
USUAL_CORES: Final = 8
UNKNOWN_CARD: Final = "your card"


@record
class Machine:
    """What was asked about, and what had to be assumed for it."""

    hardware: HardwareSpec
    is_here: bool
    """Whether it is this computer, whose own runs may correct the estimate."""
    notes: tuple[str, ...] = ()


def read_machine(given: argparse.Namespace, home: Path) -> Machine:
    """This computer, or the one that the options describe."""
    if given.gpu is None and given.memory_gb is None:
        hardware = read_hardware(home)
        if given.ram is None:
            return Machine(hardware=hardware, is_here=True)
        return Machine(hardware=_with_ram(hardware, given.ram), is_here=False)
    ram = USUAL_RAM_GB if given.ram is None else given.ram
    around = HardwareSpec(
        cpu_cores=USUAL_CORES,
        cpu_has_bf16=False,
        ram_bytes=0,
        ram_free_bytes=0,
        disk_free_bytes=USUAL_DISK_GB * GIB,
    )
    hardware, notes = _around_cards(given, _with_ram(around, ram))
    if given.ram is None:
        notes = (*notes, EstimateText.RAM_DEFAULT.format(ram=USUAL_RAM_GB))
    return Machine(
        hardware=hardware,
        is_here=False,
        notes=(*notes, EstimateText.DISK_DEFAULT.format(disk=USUAL_DISK_GB)),
    )


def _with_ram(hardware: HardwareSpec, gib: float) -> HardwareSpec:
    total = round(gib * GIB)
    free = max(total - TAKEN_RAM_GB * GIB, total // 2)
    return replace(hardware, ram_bytes=total, ram_free_bytes=free)


def _around_cards(
    given: argparse.Namespace, around: HardwareSpec
) -> tuple[HardwareSpec, tuple[str, ...]]:
    """The computer with its cards, and what was taken for them."""
    count = given.gpus or 1
    found = find_card_by_words(given.gpu) if given.gpu else None
    if found is not None and not isinstance(found, Refusal):
        if given.memory_gb is not None or given.bandwidth is not None:
            raise UserError(
                title=AskedText.CARD_KNOWN_TITLE,
                detail=AskedText.CARD_KNOWN_DETAIL.format(card=found.name),
                fix=AskedText.CARD_KNOWN_FIX,
            )
        return hardware_of(found, count, around=around), ()
    if given.memory_gb is None or given.bandwidth is None:
        detail = found.words if found is not None else AskedText.CARD_DETAIL
        raise UserError(title=AskedText.CARD_TITLE, detail=detail, fix=AskedText.CARD_FIX)
    memory = round(given.memory_gb * GIB)
    card = Card(
        name=given.gpu or UNKNOWN_CARD,
        kind="cuda",
        memory_bytes=memory,
        free_bytes=round(USABLE_SHARE * memory),
        bandwidth_bytes_per_second=given.bandwidth * GIGA,
    )
    return replace(around, cards=(card,) * count), (EstimateText.CARD_TOLD,)
