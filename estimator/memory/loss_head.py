"""What the loss holds at its peak: logits, their gradient, or one tile of them.

Often the largest part where the vocabulary is large, and the part in which library stacks differ
most. `peak.py` asks here; `step_time.py` counts the same positions.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.activations import has_fp32_stream
from tailor.estimator.memory.states import FP32_BYTES, HALF_BYTES
from tailor.estimator.stack import Stack
from tailor.estimator.workload import Batches, Workload

TILE_TOKENS, TILE_VOCABULARY = 4096, 32_768
"""Largest tile of TRL 1.16's fused head (`kernels/chunked_logprob.py`, read)."""
TILE_TOKEN_BYTES = 24
"""Running sums of a labelled token beside its tile (read)."""
SLICE_LOGIT_BYTES = 8
"""Liger 0.8 and CCE work on a slice of rows whose logits take about as much as the rows themselves:
16-bit logits, their fp32 copy, and the gradient in place (read)."""

UNRAISED = frozenset(
    ("gpt_bigcode", "falcon", "bloom", "gpt2", "gpt_neox", "gptj", "opt", "mpt", "codegen")
)  # fmt: skip
"""Families whose loss does not raise 16-bit logits to fp32 (transformers before 5, read)."""


def compute_loss_bytes(
    workload: Workload, architecture: Architecture, batches: Batches, stack: Stack, tokens: float
) -> float:
    """Beside the last layer's rows: all that the loss of a micro-batch holds at its widest."""
    if stack.head == "logits":
        each = _logit_bytes(workload, architecture, stack)
        return each * tokens * architecture.vocabulary
    trained = architecture.vocabulary * architecture.hidden if _trains_head(workload) else 0
    if stack.head == "linear":
        slices = max(1.0, architecture.vocabulary / architecture.hidden)
        logits = SLICE_LOGIT_BYTES * tokens * architecture.vocabulary / slices
        return logits + HALF_BYTES * tokens * architecture.hidden + FP32_BYTES * trained
    share = compute_logit_tokens(workload, batches) / max(1, batches.longest_tokens)
    learned = share * tokens
    # The teacher's logits stand beside the pupil's, both in fp32 (`kernels/chunked_divergence.py`,
    # read).
    element = 2 * FP32_BYTES if workload.objective == "distill" else HALF_BYTES
    tile = min(learned, TILE_TOKENS) * min(architecture.vocabulary, TILE_VOCABULARY) * element
    rows = learned * architecture.hidden * (HALF_BYTES + FP32_BYTES)
    # The gradient of a trained head is summed up in fp32 and then made as narrow as its weight.
    return tile + rows + TILE_TOKEN_BYTES * learned + (FP32_BYTES + HALF_BYTES) * trained


def _logit_bytes(workload: Workload, architecture: Architecture, stack: Stack) -> float:
    """Of one logit. Older families hand their logits to the loss as they are: kept by the output,
    shifted, and twice more by a plain loss or once by one that works in place."""
    if not stack.has_own_loss or architecture.model_type not in UNRAISED:
        return stack.logit_bytes
    is_raised = stack.is_autocast or has_fp32_stream(workload, architecture, stack)
    copies = 4 if stack.layers == "eager" else 3
    return float(copies * (FP32_BYTES if is_raised else HALF_BYTES))


def compute_logit_tokens(workload: Workload, batches: Batches) -> float:
    """Positions of the longest micro-batch whose logits are made.

    Rows of a batch learn at different places and the worker takes every column where one of them
    does: half as many again is typical for rows of similar length.
    """
    spread = 1.5 if workload.micro_batch_rows > 1 else 1.0
    return min(1.0, batches.learned_share * spread) * batches.longest_tokens


def _trains_head(workload: Workload) -> bool:
    return workload.technique == "full"
