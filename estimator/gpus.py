"""The table of graphics cards: speed, bandwidth and power by the name that the driver prints.

A driver tells memory and name but no speed; `gpus.csv` adds what makers and reviewers measured,
with the source of each value. `engine/machine/devices.py` looks up each card that it finds.
"""

import csv
from functools import cache
from importlib.resources import files

from tailor.estimator.record import record

TERA = 1e12
GIGA = 1e9
GIB = 2**30
MEMORY_TOLERANCE = 0.15
"""A card of the same name with other memory is another card, and a slice of a card is not a
card."""


@record
class Gpu:
    """One row of the table."""

    name: str
    memory_bytes: int
    bandwidth_bytes_per_second: float
    flops_per_second: float | None
    """Dense tensor FLOP/s at 16 bits with fp32 accumulation; None where no source was trusted."""
    power_watts: float
    has_bf16: bool


def find_gpu(driver_name: str, memory_bytes: int) -> Gpu | None:
    """The row for a card, or None when name or memory is not in the table."""
    gpu = _table().get(_normalised(driver_name))
    if gpu is None:
        return None
    difference = abs(memory_bytes - gpu.memory_bytes) / gpu.memory_bytes
    return gpu if difference <= MEMORY_TOLERANCE else None


@cache
def _table() -> dict[str, Gpu]:
    text = files("tailor.estimator").joinpath("gpus.csv").read_text("utf-8")
    found: dict[str, Gpu] = {}
    for row in csv.DictReader(text.splitlines()):
        tflops = row["tflops_16bit_fp32_accumulate"]
        gpu = Gpu(
            name=row["name"],
            memory_bytes=round(float(row["memory_gib"]) * GIB),
            bandwidth_bytes_per_second=float(row["bandwidth_gb_per_second"]) * GIGA,
            flops_per_second=float(tflops) * TERA if tflops else None,
            power_watts=float(row["power_watts"]),
            has_bf16=row["has_bf16"] == "yes",
        )
        for name in row["driver_names"].split("|"):
            key = _normalised(name)
            if key in found:
                raise ValueError(f"gpus.csv names {name} twice")
            found[key] = gpu
    return found


def _normalised(driver_name: str) -> str:
    return driver_name.lower().removeprefix("nvidia ").replace("-", " ").strip()
