"""Machines that promises are made for in tests: no card, a small one, a large one, two at home."""

from tailor.estimator.gpus import find_gpu
from tailor.estimator.hardware import Card, HardwareSpec

GIB = 2**30


def card_of(name: str, gib: float, free_gib: float | None = None, **changes: object) -> Card:
    """A card as the engine reads it, with what the table knows."""
    known = find_gpu(name, round(gib * GIB))
    return Card(
        name=name,
        kind="cuda",
        memory_bytes=round(gib * GIB),
        free_bytes=round((free_gib or gib) * GIB),
        bandwidth_bytes_per_second=known.bandwidth_bytes_per_second if known else None,
        flops_per_second=known.flops_per_second if known else None,
        power_watts=known.power_watts if known else None,
        has_bf16=known.has_bf16 if known else True,
        **changes,  # type: ignore[arg-type]
    )


def machine_of(*cards: Card, ram_gib: int = 128) -> HardwareSpec:
    """A computer around these cards."""
    return HardwareSpec(
        cards=cards, cpu_cores=16, cpu_has_bf16=False, ram_bytes=ram_gib * GIB,
        ram_free_bytes=(ram_gib - 4) * GIB, disk_free_bytes=900 * GIB, cpu_name="a processor",
    )  # fmt: skip


RTX_3090 = "NVIDIA GeForce RTX 3090"
NO_CARD = machine_of(ram_gib=24)
SMALL_CARD = machine_of(card_of("NVIDIA T400 4GB", 4, 3.6), ram_gib=16)
TWO_3090 = machine_of(card_of(RTX_3090, 24, 23.2), card_of(RTX_3090, 24, 23.6))
A100 = machine_of(card_of("NVIDIA A100-SXM4-80GB", 80, 79))
