"""One search's view of a machine: whether a plan fits and how long its steps take, asked once each.

A search asks hundreds of times about plans that differ in one number. It asks the same memory,
speed and verdict as `estimate()`, without everything around them, and remembers the answers.
"""

from collections.abc import Callable

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import Calibration
from tailor.estimator.cost import Price
from tailor.estimator.device_memory import DeviceMemory, compute_device_memory
from tailor.estimator.estimate import estimate
from tailor.estimator.formulas import Formulas, compute_formulas
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Estimate
from tailor.estimator.verdict import HOST_HIGH_SHARE, RANK, compare
from tailor.estimator.workload import Workload

FITS, TIGHT, WILL_NOT_FIT = range(3)


class Bench:
    """Lives as long as one search."""

    def __init__(
        self,
        architecture: Architecture,
        hardware: HardwareSpec,
        *,
        weights_bytes: int,
        calibration: Calibration,
        price: Price | None = None,
        download_bytes: int = 0,
    ) -> None:
        self.architecture = architecture
        self.hardware = hardware
        self._weights_bytes = weights_bytes
        self._calibration = calibration
        self._price = price
        self._download_bytes = download_bytes
        self._formulas: dict[Workload, Formulas] = {}
        self._memory: dict[Workload, DeviceMemory] = {}
        self._promises: dict[Workload, Estimate] = {}

    def with_model(self, architecture: Architecture, weights_bytes: int) -> "Bench":
        """The same machine with another model, which would have to be fetched as this one has."""
        return Bench(
            architecture, self.hardware, weights_bytes=weights_bytes,
            calibration=self._calibration, price=self._price,
            download_bytes=weights_bytes if self._download_bytes else 0,
        )  # fmt: skip

    def with_hardware(self, hardware: HardwareSpec) -> "Bench":
        """The same model on another machine."""
        return Bench(
            self.architecture, hardware, weights_bytes=self._weights_bytes,
            calibration=self._calibration, price=self._price,
            download_bytes=self._download_bytes,
        )  # fmt: skip

    @property
    def layers(self) -> int:
        """Layers of the model."""
        return self.architecture.layers

    def memory(self, workload: Workload) -> DeviceMemory:
        """What it needs of cards and computer."""
        if workload not in self._memory:
            self._memory[workload] = compute_device_memory(
                workload, self.hardware, self._told(workload), self._calibration
            )
        return self._memory[workload]

    def rank(self, workload: Workload) -> int:
        """`FITS`, `TIGHT` or `WILL_NOT_FIT`, as far as memory decides."""
        memory = self.memory(workload)
        device = RANK[compare(memory.bytes, memory.capacity_bytes)]
        return max(device, self._rank_host(memory))

    def within(self, bound: int) -> Callable[[Workload], bool]:
        """Whether a plan is at most so bad."""
        return lambda workload: self.rank(workload) <= bound

    def seconds(self, workload: Workload) -> float:
        """All its steps, as the formulas have it: the same correction goes to every plan."""
        return self._told(workload).times.train_seconds[1]

    def promise(self, workload: Workload) -> Estimate:
        """The whole of it."""
        if workload not in self._promises:
            self._promises[workload] = estimate(
                workload, self.architecture, self.hardware, weights_bytes=self._weights_bytes,
                calibration=self._calibration, price=self._price,
                download_bytes=self._download_bytes,
            )  # fmt: skip
        return self._promises[workload]

    def _told(self, workload: Workload) -> Formulas:
        if workload not in self._formulas:
            self._formulas[workload] = compute_formulas(
                workload, self.architecture, self.hardware, weights_bytes=self._weights_bytes,
                calibration=self._calibration,
            )  # fmt: skip
        return self._formulas[workload]

    def _rank_host(self, memory: DeviceMemory) -> int:
        free = self.hardware.ram_free_bytes
        if memory.host_bytes > free:
            return WILL_NOT_FIT
        return TIGHT if memory.host_bytes * HOST_HIGH_SHARE > free else FITS
