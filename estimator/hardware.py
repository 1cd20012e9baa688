"""What a machine can do: its cards, its processor, its memory and its disk.

Estimates and plans are made for a `HardwareSpec`, never for "this computer", so that any machine
can be asked about from any other. The engine reads the real one (`engine/machine/devices.py`).
"""

from typing import Literal

from tailor.estimator.record import record

DeviceKind = Literal["cpu", "cuda", "mps"]


@record
class Card:
    """One accelerator."""

    name: str
    """The maker's name, as the driver prints it."""
    kind: Literal["cuda", "mps"]
    """Which backend drives it."""
    memory_bytes: int
    """Memory that a program could use if it were alone."""
    free_bytes: int
    """Memory that is free now; displays and other programs are already taken off."""
    bandwidth_bytes_per_second: float | None = None
    """Memory bandwidth; None when the card is not in the table."""
    flops_per_second: float | None = None
    """Dense tensor FLOP/s at 16 bits with fp32 accumulation; None when unknown."""
    power_watts: float | None = None
    """Board power; None when unknown."""
    has_bf16: bool = True
    """Whether bf16 runs at full speed."""
    uuid: str = ""
    """The driver's id, empty where there is none."""
    context_bytes: int | None = None
    """What a process takes on the card before it holds anything; None when not measured."""
    product_flops_per_second: float | None = None
    """FLOP/s of the best large product in 16 bits; None when not measured."""


@record
class HardwareSpec:
    """One machine."""

    cards: tuple[Card, ...] = ()
    """Accelerators, in the driver's order; empty on a computer without one."""
    cpu_name: str = "unknown processor"
    """The maker's name."""
    cpu_cores: int
    """Cores that this process may use."""
    cpu_has_bf16: bool
    """Whether the processor has bf16 instructions; without them bf16 is about 100 times slower."""
    ram_bytes: int
    """Memory of the machine."""
    ram_free_bytes: int
    """Memory that is available now."""
    disk_free_bytes: int
    """Free space where Tailor keeps its runs."""
    cpu_flops_per_second: float | None = None
    """fp32 FLOP/s of all cores together in a large matrix product; None when not measured."""
    bus_bytes_per_second: float | None = None
    """Between the cards in an all-reduce; None when not measured or with one card."""
    host_to_card_bytes_per_second: float | None = None
    """From pinned memory to a card; None when not measured."""
    disk_bytes_per_second: float | None = None
    """Written and flushed; None when not measured."""
    launch_seconds: float | None = None
    """To start the kernels of one layer, forward and backward; None when not measured."""

    @property
    def device(self) -> DeviceKind:
        """The device that a run uses here."""
        return self.cards[0].kind if self.cards else "cpu"
