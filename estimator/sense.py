"""What makes no sense is refused before it is worked out: no steps, no rank, more cards than there
are.

A formula answers anything it is asked, and an estimate of nothing looks like one of something. Each
refusal is a plain sentence that names the number. `estimate()` calls this first.
"""

import math

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import Workload


def refuse_nonsense(
    workload: Workload, architecture: Architecture, hardware: HardwareSpec, weights_bytes: int
) -> None:
    """Raise a ValueError with the first thing that makes no sense."""
    _refuse_counts(workload)
    _refuse_sizes(workload, architecture, weights_bytes)
    _refuse_hardware(workload, hardware)


def _refuse_counts(workload: Workload) -> None:
    at_least_one = (
        ("steps", workload.steps, "a run with nothing to do"),
        ("rows side by side", workload.micro_batch_rows, "a step that reads nothing"),
        ("parts of a step", workload.accumulation, "a step that reads nothing"),
        ("tokens of a row", workload.max_length_tokens, "rows that are cut to nothing"),
        ("cards", workload.cards, "nothing to train on"),
    )
    for what, count, why in at_least_one:
        if count < 1:
            raise ValueError(f"The plan has {count} {what}, which is {why}.")
    not_below_zero = (
        ("evaluations", workload.evaluations),
        ("held-out rows", workload.held_out_rows),
        ("held-out tokens", workload.held_out_tokens),
        ("exam questions", workload.exam_questions),
        ("tokens of an exam answer", workload.exam_new_tokens),
        ("checkpoints", workload.save_count),
        ("weights of a teacher", workload.teacher_parameters),
        ("rows", workload.lengths.rows),
    )
    for what, count in not_below_zero:
        if count < 0:
            raise ValueError(f"The plan has {count} {what}; there can be none, but not fewer.")


def _refuse_sizes(workload: Workload, architecture: Architecture, weights_bytes: int) -> None:
    if workload.technique != "full" and workload.lora_rank < 1:
        raise ValueError(
            f"The plan adds an adapter of rank {workload.lora_rank}, which can learn nothing."
        )
    for what, size in (
        ("a weight", workload.weight_bytes_per_parameter),
        ("a weight that learns", workload.trainable_bytes_per_parameter),
    ):
        if not math.isfinite(size) or not 0 < size <= 8:
            raise ValueError(f"The plan gives {what} {size} bytes; it has between 0 and 8.")
    layers = workload.checkpointed_layers
    if layers is not None and not 0 <= layers <= architecture.layers:
        raise ValueError(
            f"The plan computes {layers} layers twice, and the model has {architecture.layers}."
        )
    if weights_bytes < 0:
        raise ValueError(f"The model's files are said to have {weights_bytes} bytes.")


def _refuse_hardware(workload: Workload, hardware: HardwareSpec) -> None:
    there = len(hardware.cards)
    if workload.cards > max(1, there):
        have = "none" if not there else "1" if there == 1 else str(there)
        raise ValueError(
            f"The plan works on {workload.cards} graphics cards and this computer has {have}."
        )
    if not there and workload.sharding != "none":
        raise ValueError(
            "The plan cuts the model up between graphics cards and this computer has none."
        )
    for what, count in (
        ("processor cores", hardware.cpu_cores),
        ("bytes of memory", hardware.ram_bytes),
    ):
        if count < 1:
            raise ValueError(f"The computer is said to have {count} {what}.")
