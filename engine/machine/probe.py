"""The probe of this machine's cards: measured once, kept in the home folder, used in every promise.

It needs a card for a few seconds, so it runs in a child process while no run does, and only where
there is a card. What it found holds for these cards, this driver and this torch; with another of
any it is measured anew. The engine's parts start it; `devices.py` fills each reading with it.
"""

import logging
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json
from tailor.engine.machine.measured import Circumstances, MeasuredMachine, read_measured
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.record import record

logger = logging.getLogger(__name__)

MODULE = "tailor.engine.worker.measure"
LIMIT_SECONDS = 120.0
"""Importing torch takes ten seconds on a slow disk, measuring two, and cards that cannot reach each
other are waited for twice."""
ROOM_BYTES = 2 * 2**30
"""That the probe takes on a card; with less free it waits for a better moment."""


@record
class Kept:
    """`engine/probe.json`."""

    schema: int = 1
    circumstances: Circumstances
    machine: MeasuredMachine


def read_kept(home: Path, now: Circumstances) -> Kept | None:
    """What was measured under these circumstances, or None."""
    try:
        kept = read_json(_path(home), Kept)
    except (OSError, ValidationError):
        # Not measured yet, not readable, or written by another version: it is measured anew.
        return None
    return kept if kept.circumstances == now else None


def fill_hardware(hardware: HardwareSpec, measured: MeasuredMachine) -> HardwareSpec:
    """The machine with what was measured; the slowest way to a card stands for all."""
    by_id = {card.uuid: card for card in measured.cards if card.uuid}
    known = [by_id[card.uuid] for card in hardware.cards if card.uuid in by_id]
    copies = [card.host_to_card_bytes_per_second for card in known]
    return replace(
        hardware,
        cards=tuple(_fill_card(card, measured) for card in hardware.cards),
        bus_bytes_per_second=measured.bus_bytes_per_second,
        host_to_card_bytes_per_second=min(copies) if copies else None,
        disk_bytes_per_second=measured.disk_bytes_per_second,
        launch_seconds=measured.launch_seconds,
    )


def _fill_card(card: Card, measured: MeasuredMachine) -> Card:
    for found in measured.cards:
        if found.uuid and found.uuid == card.uuid:
            return replace(
                card,
                context_bytes=found.context_bytes,
                product_flops_per_second=found.product_flops_per_second,
                # A plain copy reaches nine tenths of the maker's figure; a card without a figure
                # gets one.
                bandwidth_bytes_per_second=card.bandwidth_bytes_per_second
                or found.bandwidth_bytes_per_second,
            )
    return card


class Prober:
    """Starts the probe when it is due and keeps its answer; at most one at a time."""

    def __init__(
        self, home: Path, *, device: str = "cuda", scale: float = 1.0, module: str = MODULE
    ) -> None:
        """`device` and `scale` are for trying the code where there is no card."""
        self._home = home
        self._device, self._scale, self._module = device, scale, module
        self._child: Child | None = None
        self._asked: Circumstances | None = None
        self._failed: Circumstances | None = None
        """Where measuring failed; it is tried again when the engine starts anew."""
        self._lock = threading.Lock()

    def look(
        self, hardware: HardwareSpec, now: Circumstances, is_idle: Callable[[], bool]
    ) -> Kept | None:
        """What is kept for these circumstances; starts the probe where nothing is and it can run.

        Never waits: somebody is looking at a page. The answer is there at one of the next looks.
        """
        with self._lock:
            self._collect()
            kept = read_kept(self._home, now)
            is_due = kept is None and self._child is None and self._failed != now
            if is_due and self._can_run(hardware) and is_idle():
                self._start(len(hardware.cards), now)
            return kept

    def is_running(self) -> bool:
        """Whether it measures now; a run that starts meanwhile has to wait a few seconds."""
        with self._lock:
            self._collect()
            return self._child is not None

    def close(self) -> None:
        """End a measurement that is under way."""
        with self._lock:
            if self._child is not None:
                self._child.kill()
                self._forget()

    def _can_run(self, hardware: HardwareSpec) -> bool:
        cards = hardware.cards
        return (
            bool(cards)
            and all(card.kind == "cuda" and card.free_bytes > ROOM_BYTES for card in cards)
            and _path(self._home).parent.is_dir()
        )

    def _start(self, cards: int, now: Circumstances) -> None:
        folder = _path(self._home).parent / "probe"
        shutil.rmtree(folder, ignore_errors=True)
        request = {"device": self._device, "cards": cards, "scale": self._scale}
        self._child = Child(self._module, folder, request, Limits(seconds=LIMIT_SECONDS))
        self._asked = now

    def _collect(self) -> None:
        if self._child is None or self._asked is None:
            return
        try:
            answer = self._child.poll()
            if answer is None:
                return
            self._keep(self._child.folder, self._asked, read_measured(answer))
        except UserError as failed:
            # Promises go on with the makers' figures; the child's log stays to be looked at.
            logger.warning("the cards could not be measured: %s %s", failed.title, failed.detail)
            self._failed = self._asked
        self._forget()

    def _keep(self, folder: Path, asked: Circumstances, machine: MeasuredMachine) -> None:
        try:
            write_json(_path(self._home), Kept(circumstances=asked, machine=machine))
        except OSError as refused:
            logger.warning("what was measured cannot be kept: %s", refused)
            self._failed = asked
        shutil.rmtree(folder, ignore_errors=True)

    def _forget(self) -> None:
        self._child = None
        self._asked = None


def _path(home: Path) -> Path:
    return home / "engine" / "probe.json"
