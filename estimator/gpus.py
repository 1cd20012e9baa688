"""The table of graphics cards: speed, bandwidth and power by the name that the driver prints.

A driver tells memory and name but no speed; `gpus.csv` adds what makers and reviewers measured,
with the source of each value. `engine/machine/devices.py` looks up each card that it finds.
"""

import csv
from dataclasses import replace
from functools import cache
from importlib.resources import files

from tailor.estimator.card_words import HABITUAL_KIND, CardWords, read_card_words
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.models.model_names import Refusal
from tailor.estimator.record import record

TERA = 1e12
GIGA = 1e9
GIB = 2**30
MEMORY_TOLERANCE = 0.15
"""A card of the same name with other memory is another card, and a slice of a card is not a
card."""

USABLE_GIB = {
    "T4": 14.6, "L4": 22.16, "A10G (AWS g5)": 22.18, "A100 SXM 40GB": 39.5, "A100 PCIe 40GB": 39.5,
    "A100 SXM 80GB": 79.3, "A100 PCIe 80GB": 79.3,
}  # fmt: skip
"""What torch can have of a card, as people printed it (total_memory; estimator notes)."""
USABLE_SHARE = 0.95
"""The same where nobody printed it."""
HABITUAL_GIB = {"A100": 80.0}
"""Memory of a card that is told without it: of the development rows on A100 cards, 1,464 were on
80 GB and 9 on 40 GB (counted). Its speed is the same."""


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
    compute_capability: float
    """The maker's generation, such as 8.6."""
    measured_flops_per_second: float | None
    """Best FLOP/s of large matrix products that was ever measured; None where nobody published."""
    link_bytes_per_second: float | None
    """Own link between cards (NVLink), each way; None where a card has none or it is an extra."""
    slot_bytes_per_second: float
    """Its slot's nominal speed, each way."""

    @property
    def usable_bytes(self) -> int:
        """What a program can have of the card when it is alone on it."""
        told = USABLE_GIB.get(self.name)
        return round(told * GIB) if told else round(self.memory_bytes * USABLE_SHARE)


def find_gpu(driver_name: str, memory_bytes: int) -> Gpu | None:
    """The row for a card, or None when name or memory is not in the table."""
    gpu = _table().get(_normalised(driver_name))
    if gpu is None:
        return None
    difference = abs(memory_bytes - gpu.memory_bytes) / gpu.memory_bytes
    return gpu if difference <= MEMORY_TOLERANCE else None


def list_cards() -> tuple[Gpu, ...]:
    """Every card of the table, once, in its order."""
    return tuple({gpu.name: gpu for gpu in _table().values()}.values())


def find_card_by_words(words: str) -> Gpu | Refusal:
    """The card that somebody wrote down, such as "A100-80G" or "RTX 3090 24GB (no NVLink)"."""
    for asked in read_card_words(words):
        near = [gpu for gpu in list_cards() if _words_of(gpu).is_meant_by(asked)]
        near = _of_memory(near, asked.memory_gib)
        if not near:
            continue
        most = max(len(_words_of(gpu).name & asked.name) for gpu in near)
        near = [gpu for gpu in near if len(_words_of(gpu).name & asked.name) == most]
        if not asked.kinds:
            near = [gpu for gpu in near if HABITUAL_KIND in _words_of(gpu).kinds] or near
        near = _of_memory(near, HABITUAL_GIB.get(near[0].name.split()[0])) or near
        if len(near) == 1:
            return near[0]
        names = ", ".join(gpu.name for gpu in near)
        return Refusal(code="ambiguous_card", words=f"{words:.80} may be one of {names}.")
    return Refusal(
        code="unknown_card",
        words=f"{words.strip() or 'A card without a name':.80} is not in our table of cards.",
    )


def hardware_of(gpu: Gpu, count: int, *, around: HardwareSpec) -> HardwareSpec:
    """A computer like `around` with so many of these cards instead of its own."""
    card = Card(
        name=gpu.name, kind="cuda", memory_bytes=gpu.memory_bytes, free_bytes=gpu.usable_bytes,
        bandwidth_bytes_per_second=gpu.bandwidth_bytes_per_second,
        flops_per_second=gpu.flops_per_second, power_watts=gpu.power_watts, has_bf16=gpu.has_bf16,
    )  # fmt: skip
    # What was measured between this computer and its own cards says nothing about others.
    return replace(
        around,
        cards=(card,) * count,
        bus_bytes_per_second=None,
        host_to_card_bytes_per_second=None,
    )


def _of_memory(cards: list[Gpu], memory_gib: float | None) -> list[Gpu]:
    if memory_gib is None:
        return cards
    wanted = memory_gib * GIB
    return [gpu for gpu in cards if abs(wanted / gpu.memory_bytes - 1) <= MEMORY_TOLERANCE]


@cache
def _words_of(gpu: Gpu) -> CardWords:
    return read_card_words(gpu.name)[0]


@cache
def _table() -> dict[str, Gpu]:
    text = files("tailor.estimator").joinpath("gpus.csv").read_text("utf-8")
    found: dict[str, Gpu] = {}
    for row in csv.DictReader(text.splitlines()):
        gpu = Gpu(
            name=row["name"],
            memory_bytes=round(float(row["memory_gib"]) * GIB),
            bandwidth_bytes_per_second=float(row["bandwidth_gb_per_second"]) * GIGA,
            flops_per_second=_scaled(row["tflops_16bit_fp32_accumulate"], TERA),
            power_watts=float(row["power_watts"]),
            has_bf16=row["has_bf16"] == "yes",
            compute_capability=float(row["compute_capability"]),
            measured_flops_per_second=_scaled(row["measured_tflops"], TERA),
            link_bytes_per_second=_scaled(row["link_gb_per_second"], GIGA),
            slot_bytes_per_second=float(row["slot_gb_per_second"]) * GIGA,
        )
        # The table's own name is one more: a plan for a card that is not here is asked by it.
        for key in {_normalised(name) for name in (gpu.name, *row["driver_names"].split("|"))}:
            if key in found:
                raise ValueError(f"gpus.csv names {key} twice")
            found[key] = gpu
    return found


def _scaled(number: str, unit: float) -> float | None:
    return float(number) * unit if number else None


def _normalised(driver_name: str) -> str:
    return driver_name.lower().removeprefix("nvidia ").replace("-", " ").strip()
