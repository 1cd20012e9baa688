"""This computer, read now: cards, processor, memory, disk. Without torch.

Plans and promises are made for a `HardwareSpec`; this is the one place that makes a real one. The
processor's speed is measured once and kept in `engine/devices.json`, all else is read anew each
time.
"""

import logging
import shutil
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine

from pydantic import ValidationError

from tailor.engine.json_file import read_json, write_json
from tailor.engine.machine.measured import Circumstances
from tailor.engine.machine.nvml import NvidiaCard, read_nvidia_cards
from tailor.engine.machine.probe import fill_hardware, read_kept
from tailor.engine.machine.processor import (
    has_bf16,
    measure_flops_per_second,
    read_cores,
    read_cpu_name,
    read_memory,
)
from tailor.estimator.gpus import find_gpu
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.record import record

logger = logging.getLogger(__name__)

BF16_FROM_MAJOR = 8
"""NVIDIA's cards multiply bf16 from compute capability 8.0 on."""
MEASUREMENTS = 5
MEASURED_EVERY_SECONDS = 60.0
"""Far enough apart that not all of them fall into the same busy moment."""
MPS_SHARE = 0.75
"""Share of unified memory that macOS lets its graphics part use by default."""


@record
class MeasuredProcessor:
    """`engine/devices.json`: how fast this processor was, and for which one that holds."""

    schema: int = 1
    cpu_name: str
    cpu_cores: int
    flops_per_second: float
    """The best of all measurements: other programs make it slower, nothing makes it faster."""
    measurements: int = 1
    measured_at: float = 0.0


def read_hardware(home: Path) -> HardwareSpec:
    """Read this computer for the home folder `home`."""
    ram_bytes, ram_free_bytes = read_memory()
    name, cores = read_cpu_name(), read_cores()
    hardware = HardwareSpec(
        cards=read_cards(ram_bytes, ram_free_bytes, name),
        cpu_name=name,
        cpu_cores=cores,
        cpu_has_bf16=has_bf16(),
        ram_bytes=ram_bytes,
        ram_free_bytes=ram_free_bytes,
        disk_free_bytes=shutil.disk_usage(nearest_folder(home)).free,
        cpu_flops_per_second=_read_speed(home, name, cores),
    )
    if hardware.device != "cuda":
        return hardware
    kept = read_kept(home, read_circumstances())
    return hardware if kept is None else fill_hardware(hardware, kept.machine)


def read_circumstances() -> Circumstances:
    """What a measurement of the cards holds for."""
    cards = read_nvidia_cards()
    return Circumstances(
        cards=tuple(card.uuid for card in cards),
        driver=cards[0].driver if cards else "",
        torch=torch_version(),
    )


def read_cards(ram_bytes: int, ram_free_bytes: int, cpu_name: str) -> tuple[Card, ...]:
    """Cards that a run can use with the torch that is installed."""
    if sys.platform == "darwin":
        if machine() != "arm64":
            return ()
        return (describe_apple(ram_bytes, ram_free_bytes, cpu_name),)
    if not has_cuda_torch():
        return ()
    return tuple(describe_card(card) for card in read_nvidia_cards())


def has_cuda_torch() -> bool:
    """Whether the installed torch can drive a card, told by its version and not by importing it."""
    told = torch_version()
    return bool(told) and not told.endswith("+cpu")


def torch_version() -> str:
    """Version of the installed torch, such as "2.13.0+cpu"; empty when there is none."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return ""


def nearest_folder(path: Path) -> Path:
    """`path` itself, or the first folder above it that is there."""
    while not path.exists():
        path = path.parent
    return path


def describe_card(card: NvidiaCard) -> Card:
    """A card as the estimator knows it: what the driver tells, and what the table adds."""
    known = find_gpu(card.name, card.memory_bytes)
    return Card(
        name=card.name,
        kind="cuda",
        memory_bytes=card.memory_bytes,
        free_bytes=card.free_bytes,
        bandwidth_bytes_per_second=known.bandwidth_bytes_per_second if known else None,
        flops_per_second=known.flops_per_second if known else None,
        power_watts=card.power_watts or (known.power_watts if known else None),
        has_bf16=card.compute_major >= BF16_FROM_MAJOR,
        uuid=card.uuid,
    )


def describe_apple(ram_bytes: int, ram_free_bytes: int, cpu_name: str) -> Card:
    """The graphics part of one of Apple's chips."""
    usable = int(ram_bytes * MPS_SHARE)
    return Card(
        name=cpu_name,
        kind="mps",
        memory_bytes=usable,
        free_bytes=min(usable, ram_free_bytes),
        has_bf16=True,
    )


def _read_speed(home: Path, cpu_name: str, cores: int) -> float:
    path = home / "engine" / "devices.json"
    kept = _read_kept(path)
    if kept is None or (kept.cpu_name, kept.cpu_cores) != (cpu_name, cores):
        kept = None
    elif (
        kept.measurements >= MEASUREMENTS or time.time() < kept.measured_at + MEASURED_EVERY_SECONDS
    ):
        return kept.flops_per_second
    best = max(measure_flops_per_second(), kept.flops_per_second if kept else 0.0)
    # Doctor also looks at a home that is not there yet, and reading must not make one.
    if path.parent.is_dir():
        measured = MeasuredProcessor(
            cpu_name=cpu_name,
            cpu_cores=cores,
            flops_per_second=best,
            measurements=kept.measurements + 1 if kept else 1,
            measured_at=time.time(),
        )
        try:
            write_json(path, measured)
        except OSError as refused:
            # A full or read-only disk must not keep anybody from being told that it is.
            logger.warning("the processor's speed cannot be kept: %s", refused)
    return best


def _read_kept(path: Path) -> MeasuredProcessor | None:
    try:
        return read_json(path, MeasuredProcessor)
    except (OSError, ValidationError):
        # Not measured yet, not readable, or written by another version: it is measured anew.
        return None
