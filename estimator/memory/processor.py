"""Memory of a run on a processor, or on a card that shares the computer's memory.

The process, its libraries and the allocator's habits weigh more here than the kinds of layers, so
these formulas are measured on whole processes and kept apart from those of cards. The peak is the
larger of two moments of a step: the end of the forward pass, when all activations and the logits
are there, and the optimizer's turn, when the gradients are. `peak.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import DeviceKind
from tailor.estimator.memory.loss_head import compute_logit_tokens
from tailor.estimator.memory.optimizers import MOMENTS
from tailor.estimator.memory.parts import Memory
from tailor.estimator.memory.states import (
    FP32_BYTES,
    HALF_BYTES,
    compute_other_models_bytes,
    compute_parameters,
    compute_trained_parameters,
)
from tailor.estimator.workload import Batches, Workload

OVERHEAD_BYTES: dict[DeviceKind, int] = {
    # Resident after importing torch 2.13, transformers 5.24, peft 0.21 and trl 1.16: 0.51 GB
    # measured; tokenizer, rows and thread buffers come on top: 0.65. Exam, evaluations and the
    # second loading for the proof add 1.0 (SmolLM2-135M, 4 rows of 66 tokens, bf16: whole workers
    # peaked at 2.4 GB with LoRA and 2.8 with QLoRA, where a bare training loop takes 1.4 and 1.1).
    "cpu": 1_650_000_000,
    "mps": 650_000_000,
}

LOGIT_BYTES = {FP32_BYTES: 12, HALF_BYTES: 14}
"""Bytes a logit at the peak of the loss: measured with torch 2.13 and transformers 5.24 on a
CPU."""

HELD_FACTOR: dict[DeviceKind, float] = {"cpu": 2.0, "mps": 1.2}
"""What the allocator holds for each byte in use. CPU: 1.7 to 2.25 measured with glibc and fp32 (a
backward pass frees into other arenas than the next forward takes from); MPS: not measured."""
CPU_HALF_HELD_FACTOR = 1.25
"""The same in bf16, whose pieces are smaller: 1.1 to 1.3 measured on a CPU."""
LOW_FACTOR: dict[DeviceKind, float] = {"cpu": 0.62, "mps": 0.7}
HIGH_FACTOR: dict[DeviceKind, float] = {"cpu": 1.4, "mps": 1.5}
"""Ends of the range around everything that is not weights."""
GUESS_FACTOR = 1.6
"""A guessed shape widens the range by this much."""


def compute_processor_memory(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    device: DeviceKind,
    *,
    weights_bytes: int,
) -> Memory:
    """Parts of the larger of the two moments, with a range."""
    total = compute_parameters(architecture, weights_bytes)
    trained = compute_trained_parameters(workload, architecture, total)
    learned_bytes = round(trained * workload.trainable_bytes_per_parameter)
    is_full = workload.technique == "full"
    weights = learned_bytes if is_full else _frozen_bytes(workload, architecture, total)
    moments = MOMENTS * learned_bytes
    held = _held_factor(workload, device)
    weights += round(compute_other_models_bytes(workload, total))
    activations = round(held * _activation_bytes(workload, architecture, batches))
    loss = round(held * _loss_bytes(workload, architecture, batches))
    gradients = learned_bytes
    if is_full and workload.accumulation == 1:
        # Gradients grow while activations are given back: only the larger of both is there at once.
        if gradients > activations + loss:
            activations, loss = 0, 0
        else:
            gradients = 0
    overhead = OVERHEAD_BYTES[device]
    adapter = 0 if is_full else learned_bytes + gradients
    optimizer = moments + (gradients if is_full else 0)
    moving = adapter + optimizer + activations + loss + overhead
    widen = GUESS_FACTOR if architecture.is_guess else 1.0
    return Memory(
        weights=weights,
        adapter=adapter,
        optimizer=optimizer,
        activations=activations,
        loss=loss,
        overhead=overhead,
        low=weights + moving * LOW_FACTOR[device] / widen,
        likely=float(weights + moving),
        high=weights + moving * HIGH_FACTOR[device] * widen,
    )


def _held_factor(workload: Workload, device: DeviceKind) -> float:
    """Bytes that are held for each one in use; a pair of answers is passed through together."""
    is_half_on_cpu = device == "cpu" and computes_in_half(workload)
    held = CPU_HALF_HELD_FACTOR if is_half_on_cpu else HELD_FACTOR[device]
    return held * (2 if workload.objective == "dpo" else 1)


def _frozen_bytes(workload: Workload, architecture: Architecture, total: int) -> int:
    """The untouched base. Quantised: only the linear layers of the blocks are, the rest is not."""
    size = workload.weight_bytes_per_parameter
    if size >= HALF_BYTES:
        return round(total * size)
    linear = min(architecture.linear_parameters, total)
    return round(linear * size + (total - linear) * workload.trainable_bytes_per_parameter)


def _activation_bytes(workload: Workload, architecture: Architecture, batches: Batches) -> float:
    """What the forward pass keeps for the backward pass, for the longest micro-batch.

    Numbers kept by a block for each token (measured with saved-tensor hooks, torch 2.13, SDPA,
    within 5 %): two norms, four inputs of linear layers, queries, keys, values and attention's
    result, and four widths of the feed-forward part.
    """
    shape, is_half = architecture, computes_in_half(workload)
    element = HALF_BYTES if is_half else FP32_BYTES
    norms = 2 * shape.hidden * FP32_BYTES
    if workload.technique == "full":
        norms *= 2
    inputs = 2 * shape.hidden * element
    attention = (2 * shape.attention_width + 2 * shape.kv_width) * element
    if workload.technique != "full" and _mixes_precisions(workload):
        # PEFT casts what goes into an fp32 adapter to fp32 and keeps the copy.
        inputs += (2 * shape.hidden + shape.attention_width + shape.mlp) * FP32_BYTES
    copies = 0
    if workload.technique == "full" and _mixes_precisions(workload):
        # Autocast keeps a 16-bit copy of every trained matrix until the step is done.
        copies = shape.linear_parameters * HALF_BYTES
    feed_forward = (4 if shape.is_gated_mlp else 3) * shape.mlp * element
    block = norms + inputs + attention + feed_forward
    tokens = batches.longest_tokens
    if not workload.is_checkpointing_activations:
        return float(copies + shape.layers * tokens * block)
    backward = (2 * shape.mlp + 2 * shape.hidden) * element
    return float(copies + tokens * (shape.layers * shape.hidden * element + block + backward))


def _loss_bytes(workload: Workload, architecture: Architecture, batches: Batches) -> float:
    """Logits and their gradient. Only learned positions are projected onto the vocabulary."""
    learned = compute_logit_tokens(workload, batches)
    element = HALF_BYTES if computes_in_half(workload) else FP32_BYTES
    return float(learned * architecture.vocabulary * LOGIT_BYTES[element])


def computes_in_half(workload: Workload) -> bool:
    """Whether products are in 16 bits; a packed base is unpacked into what learns beside it."""
    size = workload.weight_bytes_per_parameter
    if size >= FP32_BYTES:
        return False
    return size >= HALF_BYTES or workload.trainable_bytes_per_parameter <= HALF_BYTES


def _mixes_precisions(workload: Workload) -> bool:
    """16-bit products with trained weights in fp32."""
    return computes_in_half(workload) and workload.trainable_bytes_per_parameter >= FP32_BYTES
