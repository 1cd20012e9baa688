"""What an optimizer keeps for each trained weight, and what its step needs on top.

Half of the memory of full fine-tuning is here, so each kind is told exactly. `states.py` and
`disk.py` ask here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.workload import Workload

MOMENTS = 2
"""AdamW keeps two numbers a trained weight, in the weight's own format."""
EIGHT_BIT_BYTES = 2.0 + 2 * 4 / 256
"""Two moments of 8 bits, each with an fp32 scale for 256 weights (bitsandbytes 0.50, read)."""
FACTOR_BYTES = 4
"""Adafactor keeps one fp32 number for each row and each column of a matrix."""


def compute_moment_bytes(workload: Workload, trained: int) -> float:
    """What rests from step to step for each trained weight. Paged state is counted whole: after a
    resume it is plain device memory (bitsandbytes 0.50, read)."""
    kind = workload.optimizer
    if kind == "adafactor":
        return 0.0
    if kind in ("adamw_8bit", "paged_adamw_8bit"):
        return trained * EIGHT_BIT_BYTES
    copies = 1 if kind == "sgd_momentum" else MOMENTS
    return trained * copies * workload.trainable_bytes_per_parameter


def compute_optimizer_bytes(workload: Workload, architecture: Architecture, trained: int) -> float:
    """Everything that rests from step to step."""
    if workload.optimizer == "adafactor":
        return _factor_bytes(workload, architecture)
    return compute_moment_bytes(workload, trained)


def compute_step_bytes(workload: Workload, architecture: Architecture, trained: int) -> float:
    """What is held only while weights are changed.

    One copy of all that learns where PyTorch works list by list (foreach), one matrix where it
    works weight by weight, nothing where it is fused.
    """
    if workload.optimizer == "adamw_foreach":
        return trained * workload.trainable_bytes_per_parameter
    if workload.optimizer == "adafactor":
        largest = max((group.inputs * group.outputs for group in architecture.linears), default=0)
        return min(trained, largest) * 2.0 * FACTOR_BYTES
    return 0.0


def _factor_bytes(workload: Workload, architecture: Architecture) -> float:
    """Rows and columns of every trained matrix."""
    if workload.technique != "full":
        # Both halves of an adapter have the rank on one side.
        ends = architecture.lora_parameters(1, workload.adapter_targets)
        return FACTOR_BYTES * float(ends)
    ends = sum((group.inputs + group.outputs) * group.count for group in architecture.linears)
    vocabulary = (architecture.vocabulary + architecture.hidden) * (
        1 if architecture.has_tied_embeddings else 2
    )
    return FACTOR_BYTES * float(ends + vocabulary)
