"""What an evaluation and an exam hold on the card: rows without a backward pass, and answers.

Both happen in the middle of training, with weights and optimizer in place, so they can be the peak
of an otherwise small run. `peak.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.activations import LayerBytes
from tailor.estimator.memory.loss_head import compute_loss_bytes
from tailor.estimator.memory.states import FP32_BYTES, HALF_BYTES
from tailor.estimator.stack import Stack
from tailor.estimator.workload import Batches, Workload

EXAM_ROWS = 16
"""Questions that the worker answers side by side (`engine/worker`, read)."""


def compute_evaluation_bytes(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    stack: Stack,
    *,
    layer: LayerBytes,
    tokens: float,
) -> tuple[float, float]:
    """Activations and loss of the wider of both; nothing where neither happens."""
    reading = (0.0, 0.0)
    if workload.evaluations and workload.held_out_rows:
        loss = compute_loss_bytes(workload, architecture, batches, stack, tokens)
        reading = (tokens * (layer.forward + layer.rows), loss)
    writing = _answer_bytes(workload, architecture, batches)
    return max(reading, (writing, 0.0), key=sum)


def _answer_bytes(workload: Workload, architecture: Architecture, batches: Batches) -> float:
    """Keys and values of every layer for the question and the answer, and the last logits."""
    rows = min(workload.exam_questions, EXAM_ROWS)
    if not rows:
        return 0.0
    length = batches.longest_row_tokens + workload.exam_new_tokens
    layers = architecture.attending_layers - architecture.kv_shared_layers
    latent = architecture.latent
    wide = latent.kv_rank + latent.rope_head_dim if latent else 2 * architecture.kv_width
    cache = float(HALF_BYTES * wide * layers * length)
    # The library grows the cache by copying it (transformers 5.24, read): one layer twice.
    cache += HALF_BYTES * wide * length
    return rows * (cache + (HALF_BYTES + FP32_BYTES) * architecture.vocabulary)
