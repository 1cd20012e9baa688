"""What rests in memory through a whole run: weights, what learns, gradients, optimizer.

Exact arithmetic on counts; phases, sharding and disk are sums of these. `peak.py`, `processor.py`
and `disk.py` ask here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.experts import compute_expert_adapter_parameters
from tailor.estimator.memory.optimizers import compute_optimizer_bytes, compute_step_bytes
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.workload import BaseFormat, Workload

FP32_BYTES = 4
HALF_BYTES = 2

CODE_BYTES: dict[BaseFormat, float] = {"nf4": 0.5, "nf4_double": 0.5, "int8": 1.0, "gptq": 0.5}
"""The packed numbers of a quantised weight."""
STATISTICS_BYTES: dict[BaseFormat, float] = {
    # arXiv 2305.14314: an fp32 scale for 64 weights.
    "nf4": 4 / 64,
    # The same scales packed to 8 bits, with an fp32 scale for 256 of them: 0.5159 in all.
    "nf4_double": 1 / 64 + 4 / (64 * 256),
    "int8": 0.0,
    # Groups of 128: a 16-bit scale and a 4-bit zero each.
    "gptq": 2 / 128 + 0.5 / 128,
}
"""Scales of a quantised weight. They are no parameters, so sharding leaves them whole on every card
(seen in public rows: 2 and 4 cards differ by the packed numbers alone)."""
GPTQ_INDEX_BYTES = 4
"""Of each input of a GPTQ layer: the group that it belongs to."""


@record
class States:
    """Bytes of one card that holds everything itself."""

    weights: float
    """Weights that sharding can divide."""
    statistics: float = 0.0
    """Scales of quantised weights, whole on every card."""
    others: float = 0.0
    """Further frozen models: a reference, a teacher."""
    adapter: float = 0.0
    gradients: float = 0.0
    optimizer: float = 0.0
    step: float = 0.0
    """What the optimizer's step needs for itself."""


def compute_parameters(architecture: Architecture, weights_bytes: int) -> int:
    """Weights of the model; a guessed shape yields to the size of its 16-bit files."""
    if architecture.is_guess and weights_bytes:
        return weights_bytes // HALF_BYTES
    return architecture.parameters


def compute_trained_parameters(workload: Workload, architecture: Architecture, total: int) -> int:
    """Weights that learn."""
    if workload.technique == "full":
        return total
    trained = architecture.lora_parameters(workload.lora_rank, workload.adapter_targets)
    trained += compute_expert_adapter_parameters(workload, architecture)
    if workload.adapter_kind == "dora":
        # One size for each output; half of a linear layer's ends are outputs.
        trained += architecture.lora_parameters(1, workload.adapter_targets) // 2
    return trained


def compute_states(
    workload: Workload, architecture: Architecture, stack: Stack, *, weights_bytes: int
) -> States:
    """Everything that rests, on a card that shares nothing."""
    total = compute_parameters(architecture, weights_bytes)
    trained = compute_trained_parameters(workload, architecture, total)
    learned = trained * workload.trainable_bytes_per_parameter
    is_full = workload.technique == "full"
    weights, statistics = (
        (learned, 0.0) if is_full else compute_frozen_bytes(workload, architecture, stack, total)
    )
    return States(
        weights=weights,
        statistics=statistics,
        others=compute_other_models_bytes(workload, total),
        adapter=0.0 if is_full else learned,
        gradients=learned,
        optimizer=compute_optimizer_bytes(workload, architecture, trained),
        step=compute_step_bytes(workload, architecture, trained),
    )


def compute_frozen_bytes(
    workload: Workload, architecture: Architecture, stack: Stack, total: int
) -> tuple[float, float]:
    """An untouched base: what sharding can divide, and the scales that it cannot.

    Quantised, only the linear layers of the blocks are packed; vocabulary, norms, and experts that
    lie in one tensor keep 16 bits, or are raised to 32 by an old preparation.
    """
    size, packing = workload.weight_bytes_per_parameter, workload.base_format
    if workload.technique != "qlora" or (packing == "plain" and size >= HALF_BYTES):
        return total * size, 0.0
    packed = min(architecture.quantised_linear_parameters, total)
    rest = (total - packed) * (FP32_BYTES if stack.stream == "all" else HALF_BYTES)
    if packing == "plain":
        return packed * size + rest, 0.0
    statistics = packed * STATISTICS_BYTES[packing]
    if packing == "gptq":
        inputs = sum(group.inputs * group.count for group in architecture.linears)
        statistics += GPTQ_INDEX_BYTES * inputs
    return packed * CODE_BYTES[packing] + rest, statistics


def compute_other_models_bytes(workload: Workload, total: int) -> float:
    """A reference that is a copy, and a teacher; both rest in 16 bits."""
    reference = total if workload.has_reference_copy else 0
    return HALF_BYTES * float(reference + workload.teacher_parameters)
