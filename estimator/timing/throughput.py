"""How long a run takes: its steps, and everything around them.

On a processor and on Apple's chips a step is its operations over the machine's pace; on graphics
cards it is put together from products, memory, launches and links (`step_time.py`). `around.py`
adds loading, exams and saving. `estimate.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.loss_head import compute_logit_tokens
from tailor.estimator.memory.states import compute_parameters, compute_trained_parameters
from tailor.estimator.record import record
from tailor.estimator.stack import TAILOR, Stack
from tailor.estimator.timing.around import Around, compute_around_seconds, compute_with_launch
from tailor.estimator.timing.efficiency import Efficiency
from tailor.estimator.timing.pace import Pace, Triple
from tailor.estimator.timing.step_time import (
    FAST,
    LIKELY,
    SLOW,
    compute_attended_tokens,
    compute_step,
)
from tailor.estimator.timing.work import compute_work
from tailor.estimator.workload import Batches, Workload

OPTIMIZER_TOUCHES = 7
"""Times that AdamW's step reads or writes each trained number: weight, gradient, two moments."""
UNPACKING = 1.3
"""A packed base on a processor: 101 instead of 128 tokens/s in fp32, 142 instead of 189 in bf16
(measured, `recipes/sft_qlora.py`)."""


@record
class Times:
    """How long a run takes, low, likely and high."""

    seconds: Triple
    """The whole run."""
    train_seconds: Triple
    """Its training steps alone."""
    tokens_per_second: Triple
    """Through the model in training, padding included, all cards together."""
    step_seconds: Triple
    """One optimizer step."""


@record
class _Run:
    """What is to be done."""

    workload: Workload
    architecture: Architecture
    batches: Batches
    pace: Pace
    weights_bytes: int
    stack: Stack
    efficiency: Efficiency | None


def compute_times(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    pace: Pace,
    *,
    weights_bytes: int,
    stack: Stack = TAILOR,
    efficiency: Efficiency | None = None,
    disk_bytes_per_second: float | None = None,
) -> Times:
    """Add up the parts of a run at the fast, the likely and the slow end.

    `efficiency` is what was learned about cards; without it the shares of `efficiency.py` speak.
    """
    run = _Run(
        workload=workload,
        architecture=architecture,
        batches=batches,
        pace=pace,
        weights_bytes=weights_bytes,
        stack=stack,
        efficiency=efficiency,
    )
    around = Around(
        workload=workload,
        architecture=architecture,
        batches=batches,
        pace=pace,
        weights_bytes=weights_bytes,
        disk_bytes_per_second=disk_bytes_per_second,
    )
    step = _step_seconds(run)
    rehearsals = _rehearsal_seconds(run, step)
    slow, likely, fast = (
        compute_around_seconds(around, end, rehearsal_seconds=rehearsals[end])
        for end in (SLOW, LIKELY, FAST)
    )
    return _add_up(run, step, (slow, likely, fast))


def _add_up(run: _Run, step: Triple, around: Triple) -> Times:
    """From slow, likely, fast to low, likely, high."""
    workload = run.workload
    steps = max(1, workload.steps)
    tokens = workload.cards * workload.accumulation * run.batches.mean_tokens
    train = (steps * step[FAST], steps * step[LIKELY], steps * step[SLOW])
    return Times(
        seconds=(train[0] + around[FAST], train[1] + around[LIKELY], train[2] + around[SLOW]),
        train_seconds=train,
        tokens_per_second=(tokens / step[SLOW], tokens / step[LIKELY], tokens / step[FAST]),
        step_seconds=(step[FAST], step[LIKELY], step[SLOW]),
    )


def compute_step_seconds(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    pace: Pace,
    *,
    weights_bytes: int = 0,
    stack: Stack = TAILOR,
    efficiency: Efficiency | None = None,
) -> float:
    """One optimizer step, without a range."""
    run = _Run(
        workload=workload,
        architecture=architecture,
        batches=batches,
        pace=pace,
        weights_bytes=weights_bytes,
        stack=stack,
        efficiency=efficiency,
    )
    return _step_seconds(run)[LIKELY]


def compute_train_flops(
    workload: Workload, architecture: Architecture, batches: Batches, tokens: float
) -> float:
    """Forward and backward of `tokens` padded tokens."""
    learned = compute_logit_tokens(workload, batches) / batches.longest_tokens
    return compute_work(
        workload,
        architecture,
        tokens=tokens,
        attended_tokens=compute_attended_tokens(batches),
        head_tokens=learned * tokens,
    ).flops


def _step_seconds(run: _Run) -> Triple:
    """One optimizer step: slow, likely, fast."""
    if run.pace.device == "cuda":
        told = compute_step(
            run.workload,
            run.architecture,
            run.batches,
            run.pace,
            weights_bytes=run.weights_bytes,
            stack=run.stack,
            efficiency=run.efficiency,
        )
        slow, likely, fast = told.seconds
        return slow, likely, fast
    workload = run.workload
    unpacking = UNPACKING if workload.technique == "qlora" else 1.0
    trained = compute_trained_parameters(
        workload, run.architecture, compute_parameters(run.architecture, run.weights_bytes)
    )
    touched = trained * workload.trainable_bytes_per_parameter * OPTIMIZER_TOUCHES
    update = touched / run.pace.bandwidth_bytes_per_second
    slow, likely, fast = (
        workload.accumulation * unpacking * _micro_batch_seconds(run, end, run.batches.mean_tokens)
        + update
        for end in (SLOW, LIKELY, FAST)
    )
    return slow, likely, fast


def _micro_batch_seconds(run: _Run, end: int, tokens: float) -> float:
    flops = compute_train_flops(run.workload, run.architecture, run.batches, tokens)
    launch = run.architecture.layers * run.pace.launch_seconds[end]
    return compute_with_launch(run.pace, flops / run.pace.flops_per_second[end], launch)


def _rehearsal_seconds(run: _Run, step: Triple) -> Triple:
    """The longest micro-batch, tried before the first step: slow, likely, fast."""
    if run.pace.device != "cuda":
        slow, likely, fast = (
            _micro_batch_seconds(run, end, run.batches.longest_tokens)
            for end in (SLOW, LIKELY, FAST)
        )
        return slow, likely, fast
    share = run.batches.longest_tokens / run.batches.mean_tokens / run.workload.accumulation
    return step[SLOW] * share, step[LIKELY] * share, step[FAST] * share
