"""The parts of a run around its steps: start, preparation, exams, evaluations, saves, proof.

A run is more than its steps: libraries load, the model sits its exam before and after, and the
result is proven with the model read back from disk. On a processor these are minutes.
`throughput.py` adds them to the steps.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.optimizers import MOMENTS
from tailor.estimator.memory.states import (
    HALF_BYTES,
    compute_parameters,
    compute_trained_parameters,
)
from tailor.estimator.record import record
from tailor.estimator.timing.pace import Pace, Triple
from tailor.estimator.timing.step_time import FAST, compute_attended_tokens
from tailor.estimator.timing.work import compute_attention_flops
from tailor.estimator.workload import Batches, Workload

EXAM_ROWS = 16
"""Questions that the worker answers side by side."""
ANSWER_SHARE: Triple = (0.2, 0.6, 1.0)
"""Length of the longest answer of a batch against its limit; an answer ends earlier when it is
done."""
EXTRA_SITTINGS = 2
"""The untouched model before training, and the reloaded one in the proof."""
DISK_BYTES_PER_SECOND: Triple = (1e9, 3e8, 5e7)
"""Fast to slow; the likely figure is a plain SSD that also hashes what it writes."""
SAVE_SECONDS = 1.0
"""Of one checkpoint beside its bytes: flushing, hashing, renaming."""
ROWS_PER_SECOND = 1500.0
"""Rows prepared a second: tokenised with their labels."""
AROUND: Triple = (0.6, 1.0, 2.0)
"""How much saving and preparing differ between machines."""


@record
class Around:
    """What is done around the steps."""

    workload: Workload
    architecture: Architecture
    batches: Batches
    pace: Pace
    weights_bytes: int
    disk_bytes_per_second: float | None = None
    """Measured; None for the usual range."""


def compute_around_seconds(around: Around, end: int, *, rehearsal_seconds: float) -> float:
    """All of it at one end; `rehearsal_seconds` is the longest micro-batch, tried beforehand."""
    workload = around.workload
    slower = AROUND[FAST - end]
    start = around.pace.start_seconds[FAST - end]
    prepare = (workload.lengths.rows + workload.held_out_rows) / ROWS_PER_SECOND
    load = around.weights_bytes / _disk_speed(around, end)
    sittings = workload.evaluations + EXTRA_SITTINGS
    each = _held_out_seconds(around, end) + _exam_seconds(around, end)
    # Loaded twice: once to train, once more for the proof.
    seconds = start + slower * prepare + 2 * load + rehearsal_seconds + sittings * each
    return seconds + _save_seconds(around, end)


def compute_with_launch(pace: Pace, seconds: float, launch_seconds: float) -> float:
    """Work and what starting it costs: a card works while the next piece is started."""
    return seconds + launch_seconds if pace.device == "cpu" else max(seconds, launch_seconds)


def _disk_speed(around: Around, end: int) -> float:
    measured = around.disk_bytes_per_second
    if measured is None:
        return DISK_BYTES_PER_SECOND[FAST - end]
    # Everything that is written is hashed as well, and that is never faster.
    return min(measured, DISK_BYTES_PER_SECOND[0])


def _save_seconds(around: Around, end: int) -> float:
    workload = around.workload
    total = compute_parameters(around.architecture, around.weights_bytes)
    trained = compute_trained_parameters(workload, around.architecture, total)
    each = trained * workload.trainable_bytes_per_parameter * (1 + MOMENTS)
    saves = workload.save_count + 1
    return saves * (SAVE_SECONDS * AROUND[FAST - end] + each / _disk_speed(around, end))


def _forward_flops(around: Around, tokens: float) -> float:
    attention = compute_attention_flops(
        around.architecture, compute_attended_tokens(around.batches)
    )
    return tokens * (2.0 * around.architecture.active_linear_parameters + attention)


def _held_out_seconds(around: Around, end: int) -> float:
    """One loss on the held-out rows."""
    workload, shape, pace = around.workload, around.architecture, around.pace
    tokens = workload.read_held_out_tokens
    if not tokens:
        return 0.0
    head = 2.0 * shape.hidden * shape.vocabulary * around.batches.learned_share * tokens
    seconds = (_forward_flops(around, tokens) + head) / pace.flops_per_second[end]
    # Batches are large here, so a forward pass alone hardly waits for its launch.
    return compute_with_launch(pace, seconds, shape.layers * pace.launch_seconds[end] / 2)


def _exam_seconds(around: Around, end: int) -> float:
    """One sitting of the exam: the questions are read, then each batch is answered by token."""
    workload, shape, pace = around.workload, around.architecture, around.pace
    questions = workload.exam_questions
    if not questions:
        return 0.0
    asked = questions * around.batches.mean_tokens / workload.micro_batch_rows
    read = _forward_flops(around, asked) / pace.flops_per_second[end]
    rounds = -(-questions // EXAM_ROWS) * workload.exam_new_tokens * ANSWER_SHARE[FAST - end]
    parameters = compute_parameters(shape, around.weights_bytes)
    # A packed weight is written out whole before it is used.
    size = max(workload.weight_bytes_per_parameter, HALF_BYTES)
    weights = parameters * size / pace.bandwidth_bytes_per_second
    rows = min(questions, EXAM_ROWS)
    write = rows * 2.0 * parameters / pace.flops_per_second[end]
    return read + rounds * (weights + write + shape.layers * pace.decode_seconds[end])
