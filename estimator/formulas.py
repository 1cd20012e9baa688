"""What the formulas alone say of a run: memory, times, and under which circumstances.

Three askers need the same numbers before anything of this machine corrects them: the promise, the
advice about other plans, and learning, which compares them with what was measured. They are worked
out in one place so that none of them can differ.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import Calibration
from tailor.estimator.gpus import find_gpu
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.learned.corrected import spread
from tailor.estimator.learned.residual import SHARING, ResidualKey
from tailor.estimator.memory.parts import Memory
from tailor.estimator.memory.peak import compute_memory
from tailor.estimator.memory.processor import computes_in_half
from tailor.estimator.promise import Range, Uncorrected
from tailor.estimator.record import record
from tailor.estimator.stack import TAILOR, Stack
from tailor.estimator.timing.pace import Pace, Triple, compute_pace
from tailor.estimator.timing.throughput import Times, compute_times
from tailor.estimator.workload import Batches, Workload, compute_batches


@record
class Formulas:
    """A run by the formulas."""

    key: ResidualKey
    batches: Batches
    memory: Memory
    pace: Pace
    times: Times

    @property
    def step_seconds(self) -> Range:
        """One optimizer step."""
        return _range(self.times.step_seconds)

    @property
    def around_seconds(self) -> Range:
        """Everything of a run beside its steps."""
        whole, train = self.times.seconds, self.times.train_seconds
        return Range(low=whole[0] - train[0], likely=whole[1] - train[1], high=whole[2] - train[2])


def compute_formulas(
    workload: Workload,
    architecture: Architecture,
    hardware: HardwareSpec,
    *,
    weights_bytes: int,
    calibration: Calibration,
    stack: Stack = TAILOR,
    key: ResidualKey | None = None,
) -> Formulas:
    """Work everything out. `key` is for circumstances that workload and machine do not tell, such
    as another `stack`."""
    batches = compute_batches(workload)
    pace = compute_pace(hardware, is_half=computes_in_half(workload))
    return Formulas(
        key=key or find_key(workload, architecture, hardware),
        batches=batches,
        memory=compute_memory(
            workload, architecture, batches, hardware.device, weights_bytes=weights_bytes,
            stack=stack,
        ),
        pace=pace,
        times=compute_times(
            workload, architecture, batches, pace, weights_bytes=weights_bytes, stack=stack,
            efficiency=calibration.efficiency,
        ),
    )  # fmt: skip


def find_key(workload: Workload, architecture: Architecture, hardware: HardwareSpec) -> ResidualKey:
    """Under which circumstances a run is predicted."""
    return ResidualKey(
        technique=workload.technique,
        sharing=SHARING[workload.sharding],
        device=find_device_name(hardware),
        is_generic=architecture.is_guess,
    )


def find_device_name(hardware: HardwareSpec) -> str:
    """The processor's name, or the card's as the table of cards has it."""
    if not hardware.cards:
        return hardware.cpu_name
    card = hardware.cards[0]
    known = find_gpu(card.name, card.memory_bytes)
    return known.name if known is not None else card.name


def tell_uncorrected(
    formulas: Formulas, calibration: Calibration, *, memory_bytes: Range | None = None
) -> Uncorrected:
    """What learning compares with; a trace's or a rehearsal's `memory_bytes` outranks formulas."""
    memory, key = formulas.memory, formulas.key
    if memory_bytes is None and memory.allocated:
        before = calibration.without_runs()
        memory_bytes = spread(before, "allocated", key, float(memory.allocated))
    elif memory_bytes is None:
        memory_bytes = Range(low=memory.low, likely=memory.likely, high=memory.high)
    return Uncorrected(
        memory_bytes=memory_bytes,
        step_seconds=formulas.step_seconds,
        around_seconds=formulas.around_seconds,
        device_name=key.device,
    )


def _range(triple: Triple) -> Range:
    low, likely, high = triple
    return Range(low=low, likely=likely, high=high)
