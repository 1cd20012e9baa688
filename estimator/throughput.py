"""How long a run takes: its floating-point work over the machine's pace, and everything around it.

A run is more than its training steps: libraries load, the model sits its exam before and after, and
the result is proven with the model read back from disk. Each is counted, because on a processor
they are minutes. `estimate.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory import (
    MOMENTS,
    compute_logit_tokens,
    compute_parameters,
    compute_trained_parameters,
)
from tailor.estimator.pace import Pace, Triple
from tailor.estimator.record import record
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
SLOW, LIKELY, FAST = 0, 1, 2
"""Places of a pace's triple."""
OPTIMIZER_TOUCHES = 7
"""Times that AdamW's step reads or writes each trained number: weight, gradient, two moments."""


@record
class Times:
    """How long a run takes, low, likely and high."""

    seconds: Triple
    """The whole run."""
    train_seconds: Triple
    """Its training steps alone."""
    tokens_per_second: Triple
    """Through the model in training, padding included."""


def compute_times(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    pace: Pace,
    *,
    weights_bytes: int,
) -> Times:
    """Add up the parts of a run at the fast, the likely and the slow end."""
    run = _Run(
        workload=workload, architecture=architecture, batches=batches, weights_bytes=weights_bytes
    )
    slow, likely, fast = (_train_seconds(run, pace, end) for end in (SLOW, LIKELY, FAST))
    tokens = workload.steps * workload.accumulation * batches.mean_tokens
    return Times(
        seconds=(
            fast + _around_seconds(run, pace, FAST),
            likely + _around_seconds(run, pace, LIKELY),
            slow + _around_seconds(run, pace, SLOW),
        ),
        train_seconds=(fast, likely, slow),
        tokens_per_second=(tokens / slow, tokens / likely, tokens / fast),
    )


def compute_train_flops(
    workload: Workload, architecture: Architecture, batches: Batches, tokens: float
) -> float:
    """Forward and backward of `tokens` padded tokens.

    A frozen weight has no gradient of its own, so an adapter saves one of three passes and adds six
    operations for each of its own weights.
    """
    shape = architecture
    linear = 2.0 * shape.linear_parameters
    attention = _attention_flops(shape, batches)
    learned = compute_logit_tokens(workload, batches) / batches.longest_tokens
    head = 2.0 * shape.hidden * shape.vocabulary * learned
    if workload.technique == "full":
        each = 3 * (linear + attention + head)
    else:
        each = 2 * linear + 3 * attention + 2 * head
        each += 6.0 * shape.lora_parameters(workload.lora_rank)
    if workload.is_checkpointing_activations:
        each += linear + attention
    return each * tokens


def _attention_flops(architecture: Architecture, batches: Batches) -> float:
    """Of one token, half of the square: a token looks back only."""
    length = batches.longest_row_tokens
    mean = batches.mean_tokens / batches.longest_tokens * length
    return 2.0 * architecture.layers * architecture.attention_width * mean


@record
class _Run:
    """What is to be done."""

    workload: Workload
    architecture: Architecture
    batches: Batches
    weights_bytes: int


def _train_seconds(run: _Run, pace: Pace, end: int) -> float:
    """All optimizer steps."""
    workload = run.workload
    batch = _micro_batch_seconds(run, pace, end, run.batches.mean_tokens)
    trained = compute_trained_parameters(
        workload, run.architecture, compute_parameters(run.architecture, run.weights_bytes)
    )
    touched = trained * workload.trainable_bytes_per_parameter * OPTIMIZER_TOUCHES
    step = workload.accumulation * batch + touched / pace.bandwidth_bytes_per_second
    return max(workload.steps * step, 1e-3)


def _micro_batch_seconds(run: _Run, pace: Pace, end: int, tokens: float) -> float:
    flops = compute_train_flops(run.workload, run.architecture, run.batches, tokens)
    launch = run.architecture.layers * pace.launch_seconds[end]
    return _with_launch(pace, flops / pace.flops_per_second[end], launch)


def _with_launch(pace: Pace, seconds: float, launch: float) -> float:
    """Work and what starting it costs: a card works while the next piece is started."""
    return seconds + launch if pace.device == "cpu" else max(seconds, launch)


def _around_seconds(run: _Run, pace: Pace, end: int) -> float:
    """Start, preparation, rehearsal, exams and evaluations, saving, proof."""
    workload = run.workload
    slower = AROUND[FAST - end]
    start = pace.start_seconds[FAST - end]
    prepare = (workload.lengths.rows + workload.held_out_rows) / ROWS_PER_SECOND
    load = run.weights_bytes / DISK_BYTES_PER_SECOND[FAST - end]
    rehearsal = _micro_batch_seconds(run, pace, end, run.batches.longest_tokens)
    sittings = workload.evaluations + EXTRA_SITTINGS
    evaluations = sittings * (_held_out_seconds(run, pace, end) + _exam_seconds(run, pace, end))
    # Loaded twice: once to train, once more for the proof.
    return start + slower * prepare + 2 * load + rehearsal + evaluations + _save_seconds(run, end)


def _save_seconds(run: _Run, end: int) -> float:
    workload = run.workload
    total = compute_parameters(run.architecture, run.weights_bytes)
    trained = compute_trained_parameters(workload, run.architecture, total)
    each = trained * workload.trainable_bytes_per_parameter * (1 + MOMENTS)
    saves = workload.save_count + 1
    return saves * (SAVE_SECONDS * AROUND[FAST - end] + each / DISK_BYTES_PER_SECOND[FAST - end])


def _forward_flops(run: _Run, tokens: float) -> float:
    linear = 2.0 * run.architecture.linear_parameters
    return tokens * (linear + _attention_flops(run.architecture, run.batches))


def _held_out_seconds(run: _Run, pace: Pace, end: int) -> float:
    """One loss on the held-out rows."""
    workload, shape = run.workload, run.architecture
    tokens = workload.held_out_tokens
    if not tokens:
        return 0.0
    head = 2.0 * shape.hidden * shape.vocabulary * run.batches.learned_share * tokens
    seconds = (_forward_flops(run, tokens) + head) / pace.flops_per_second[end]
    # Batches are large here, so a forward pass alone hardly waits for its launch.
    return _with_launch(pace, seconds, shape.layers * pace.launch_seconds[end] / 2)


def _exam_seconds(run: _Run, pace: Pace, end: int) -> float:
    """One sitting of the exam: the questions are read, then each batch is answered by token."""
    workload, shape = run.workload, run.architecture
    questions = workload.exam_questions
    if not questions:
        return 0.0
    asked = questions * run.batches.mean_tokens / workload.micro_batch_rows
    read = _forward_flops(run, asked) / pace.flops_per_second[end]
    rounds = -(-questions // EXAM_ROWS) * workload.exam_new_tokens * ANSWER_SHARE[FAST - end]
    parameters = compute_parameters(shape, run.weights_bytes)
    weights = parameters * workload.weight_bytes_per_parameter / pace.bandwidth_bytes_per_second
    rows = min(questions, EXAM_ROWS)
    write = rows * 2.0 * parameters / pace.flops_per_second[end]
    return read + rounds * (weights + write + shape.layers * pace.decode_seconds[end])
