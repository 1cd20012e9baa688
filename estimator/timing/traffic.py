"""Bytes that a training step moves through a card's memory beside its large products.

Norms, rotary embedding, activations, the adapters' side paths, the loss and the optimizer compute
next to nothing and wait for memory, so on a fast card they take a third of a step. Each operation
reads its inputs and writes its outputs; eager kernels do so once per operation, fused ones once in
all. Counts are derived from the operations of transformers 4.45 to 5.24; `efficiency.py` learns
which share of the bandwidth they reach.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.activations import has_fp32_stream
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.timing.work import FROZEN_PASSES, ROWS_PER_EXAMPLE, compute_recomputed_share
from tailor.estimator.workload import Optimizer, Workload

HALF, SINGLE = 2, 4

NORM_BYTES, FUSED_NORM_BYTES = 32, 4
"""Of each number that an eager RMSNorm meets: cast, square, mean, scale, cast back, weight. Fused,
and in the LayerNorm of older families, it is read and written once. Two norms a block."""
RESIDUAL_BYTES = 12
"""Two additions a block: two 16-bit inputs and one output each."""
ROTARY_BYTES, FUSED_ROTARY_BYTES = 24, 6
"""Of each number of queries and keys: turned, negated, joined, two products, one sum."""
GATED_BYTES, PLAIN_BYTES = 10, 4
"""Of each number of the feed-forward part: an activation, and for a gate one product."""
SINGLE_STREAM_BYTES = 130
"""More of each number of a residual stream in fp32. Sums, the norms' outputs, rotary embedding in
fp32 and a cast for each linear layer and for attention make 80 to 100 (derived); 130 is read off
development rows with and without the preparation for k bits on one card."""
ROUTED_BYTES = 16
"""Of each number that is sent to an expert and added back: gathered, weighed, added, and in the
backward pass sorted back into place (54, shared over 4 passes and rounded up)."""
STATE_BYTES = 24
"""Of each inner number of a state space layer: convolution, activation, gate, norm."""
BACKWARD_SHARE = 2
"""The backward pass moves twice what the forward pass does: each operation has two inputs."""

EAGER_SCORE_BYTES = 22
"""Of each score of eager attention, which writes them all: product (2), scaling (4), mask (4),
softmax in fp32 and back (12)."""

ADAPTER_SINGLE = 17
"""Of each input and output number of an adapted layer whose adapter is fp32 (PEFT's default). Twice
forward and once backward an input takes 17, 17 and 25 bytes (cast, drop, product; gradient, drop,
cast, sum), an output 28, 28 and 18 (product, scaling, sum, cast back): 66, shared over 4 passes."""
ADAPTER_HALF = 7
"""The same in 16 bits, without casts: 23 and 30."""
ADAPTER_FUSED = 2.5
"""The same in kernels that drop, scale and add on the way: 8 and 10."""

LOGIT_BYTES, FUSED_LOGIT_BYTES = 34, 14
"""Of each logit: cast to fp32, shifted copy, softmax, its gradient, cast back; a fused loss reads
it once and writes its gradient over it."""

UNPACKED_BYTES = 2.5
"""Read and written to unpack one 4-bit weight: 0.5 and 2."""

OPTIMIZER_BYTES: dict[Optimizer, tuple[float, float]] = {
    # Copies of a trained weight in its own bytes, and bytes beside them. Clipping reads the
    # gradient twice and writes it once. Fused: weight, gradient and moments in, weight and moments
    # out. Foreach: the same through eight operations with a copy each.
    "adamw": (10, 0),
    "adamw_foreach": (23, 0),
    "adamw_8bit": (6, 4),
    "paged_adamw_8bit": (6, 4),
    "adafactor": (12, 0),
    "sgd_momentum": (8, 0),
}


@record
class Traffic:
    """Bytes, all micro-batches of a step together unless said."""

    element_bytes: float
    """Norms, activations, sums, of one micro-batch."""
    adapter_bytes: float
    """Side paths of the adapters, of one micro-batch."""
    head_bytes: float
    """Around the logits, of one micro-batch."""
    unpacked_bytes: float
    """Packed weights that are unpacked, of one micro-batch."""
    optimizer_bytes: float
    """Of one optimizer step, whole model."""

    @property
    def moved_bytes(self) -> float:
        """Everything of a micro-batch but unpacking."""
        return self.element_bytes + self.adapter_bytes + self.head_bytes


def compute_traffic(
    workload: Workload,
    architecture: Architecture,
    stack: Stack,
    *,
    tokens: float,
    attended_tokens: float,
    head_tokens: float,
    trained_parameters: float,
) -> Traffic:
    """Bytes of `tokens` tokens of rows of data, forward and backward."""
    rows = ROWS_PER_EXAMPLE[workload.objective]
    again = compute_recomputed_share(workload, architecture)
    times = 1 + BACKWARD_SHARE + again
    copies, beside = OPTIMIZER_BYTES[workload.optimizer]
    each = workload.trainable_bytes_per_parameter * copies + beside
    return Traffic(
        element_bytes=rows
        * tokens
        * times
        * (
            _block_bytes(workload, architecture, stack)
            + _score_bytes(workload, architecture, attended_tokens)
        ),
        adapter_bytes=rows * tokens * times * _adapter_bytes(workload, architecture, stack)
        + _norm_of_adapted_bytes(workload, architecture) * (1 + again),
        head_bytes=rows * head_tokens * architecture.vocabulary * _logit_bytes(workload, stack),
        unpacked_bytes=_unpacked_bytes(workload, architecture) * (FROZEN_PASSES + again),
        optimizer_bytes=trained_parameters * each,
    )


def _block_bytes(workload: Workload, architecture: Architecture, stack: Stack) -> float:
    """Forward, one token, all blocks."""
    shape = architecture
    # Blocks without a gate are of the families with PyTorch's own LayerNorm, one kernel each.
    is_fused = workload.has_fused_kernels or not shape.is_gated_mlp
    flow = 2 * (FUSED_NORM_BYTES if is_fused else NORM_BYTES) + RESIDUAL_BYTES
    if has_fp32_stream(workload, shape, stack):
        flow += SINGLE_STREAM_BYTES
    rotary = FUSED_ROTARY_BYTES if is_fused else ROTARY_BYTES
    turned = shape.attending_layers * (shape.attention_width + shape.kv_width)
    wide = GATED_BYTES if shape.is_gated_mlp else PLAIN_BYTES
    routed = shape.expert_layers * shape.experts_per_token * shape.hidden * ROUTED_BYTES
    state = shape.state_space
    moved = (
        shape.layers * shape.hidden * flow
        + turned * rotary
        + shape.layers * shape.active_mlp * wide
        + routed
        + (state.layers * state.inner * STATE_BYTES if state else 0)
    )
    return moved * (SINGLE / HALF if is_single_precision(workload) else 1)


def _score_bytes(workload: Workload, architecture: Architecture, attended_tokens: float) -> float:
    """Forward, one token, all layers; flash kernels keep scores where they are made."""
    if workload.attention != "eager":
        return 0.0
    scores = architecture.attending_layers * architecture.heads * attended_tokens
    return EAGER_SCORE_BYTES * scores


def _adapter_bytes(workload: Workload, architecture: Architecture, stack: Stack) -> float:
    """Forward, one token, all adapters; methods without one have rank 0."""
    if workload.technique == "full" or not workload.lora_rank:
        return 0.0
    each: float = ADAPTER_HALF
    if has_fused_adapters(workload, stack):
        each = ADAPTER_FUSED
    elif _has_single_adapters(workload, stack):
        each = ADAPTER_SINGLE
    return float(each * architecture.lora_parameters(1, workload.adapter_targets))


def is_single_precision(workload: Workload) -> bool:
    """Whether all is computed in fp32."""
    return workload.weight_bytes_per_parameter >= SINGLE and not workload.is_autocast


def has_fused_adapters(workload: Workload, stack: Stack) -> bool:
    """Kernels for the adapters exist beside packed layers, and everywhere where all layers are
    written by hand."""
    is_packed = workload.has_fused_kernels and workload.technique == "qlora"
    return is_packed or stack.layers == "fused"


def _has_single_adapters(workload: Workload, stack: Stack) -> bool:
    """Whether what flows through the adapters is fp32: PEFT raises it beside a 16-bit layer where
    no autocast lowers it again, and leaves it beside a packed one (read: peft 0.21)."""
    is_lowered = workload.is_autocast or stack.is_autocast or workload.technique == "qlora"
    return workload.trainable_bytes_per_parameter >= SINGLE and not is_lowered


def _norm_of_adapted_bytes(workload: Workload, architecture: Architecture) -> float:
    """DoRA measures the length of every adapted column anew in each micro-batch."""
    if workload.technique == "full" or workload.adapter_kind != "dora":
        return 0.0
    # The product of both adapter matrices, its sum with the weight, and the norm over it.
    ends = architecture.lora_parameters(1, workload.adapter_targets)
    share = ends / max(1, architecture.lora_parameters(1))
    return (SINGLE * 5 + HALF) * share * architecture.linear_parameters


def _logit_bytes(workload: Workload, stack: Stack) -> float:
    is_plain = stack.head == "logits" and not workload.has_fused_kernels
    return LOGIT_BYTES if is_plain else FUSED_LOGIT_BYTES


def _unpacked_bytes(workload: Workload, architecture: Architecture) -> float:
    if workload.base_format == "plain":
        return 0.0
    return UNPACKED_BYTES * architecture.quantised_linear_parameters
