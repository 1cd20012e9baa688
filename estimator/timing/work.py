"""Floating-point operations of a training step, by kind: linear layers, attention, adapters, head.

Time begins with what has to be computed, and that differs by technique: a frozen weight needs no
gradient of its own, a layer that is computed again needs one more forward pass, and a token sees
only the tokens before it. Counts only; `traffic.py` has the bytes and `throughput.py` the seconds.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

FULL_PASSES = 3
"""Forward, gradient of the inputs, gradient of the weights (arXiv 2203.15556: 6 FLOPs a weight and
token). A frozen weight has no third."""
FROZEN_PASSES = 2
ATTENTION_PASSES = 3
"""Scores and values have two gradients each; no weights are involved, so an adapter saves none."""
ROWS_PER_EXAMPLE = {"sft": 1, "dpo": 2, "kto": 1, "distill": 1}
"""Rows that pass the model for each row of data: a preference has two answers."""
STATE_FLOPS = 6
"""Operations for each number of a state and token of a state space layer: it decays, takes in and
is read out, a product and a sum each (derived)."""


@record
class Work:
    """Operations of `tokens` tokens."""

    linear_flops: float
    """Forward through the linear layers of the blocks."""
    attention_flops: float
    """Forward through attention and state space layers."""
    head_flops: float
    """Forward through the vocabulary."""
    adapter_flops: float
    """Forward through the adapters."""
    passes: float
    """Times that the linear layers are passed, forward pass and recomputation included."""
    attention_passes: float
    adapter_passes: float
    head_passes: float

    @property
    def matmul_flops(self) -> float:
        """All large products."""
        return (
            self.passes * self.linear_flops
            + self.head_passes * self.head_flops
            + self.adapter_passes * self.adapter_flops
        )

    @property
    def attending_flops(self) -> float:
        """All of attention."""
        return self.attention_passes * self.attention_flops

    @property
    def flops(self) -> float:
        """Everything."""
        return self.matmul_flops + self.attending_flops


def compute_work(
    workload: Workload,
    architecture: Architecture,
    *,
    tokens: float,
    attended_tokens: float,
    head_tokens: float,
    is_head_recomputed: bool = False,
    is_stopping_early: bool = False,
) -> Work:
    """Forward and backward of `tokens` padded tokens of rows of data.

    `attended_tokens` is the mean of a row's length over its tokens, `head_tokens` how many tokens
    get logits. A fused head recomputes the logits in its backward pass. Checkpointing that stops
    early computes a block again only up to what its backward pass needs.
    """
    is_full = workload.technique == "full"
    again = compute_recomputed_share(workload, architecture)
    more = _extra_forwards(workload)
    passes = FULL_PASSES if is_full else FROZEN_PASSES
    linear_again = again
    if is_stopping_early and not _needs_last_product(workload):
        linear_again = again * (1 - _last_product_share(architecture))
    rows = ROWS_PER_EXAMPLE[workload.objective]
    teacher = 2.0 * workload.teacher_parameters * tokens
    adapter = 0.0 if is_full else _adapter_parameters(workload, architecture)
    return Work(
        linear_flops=rows * tokens * 2.0 * architecture.active_linear_parameters,
        attention_flops=rows * tokens * compute_attention_flops(architecture, attended_tokens),
        head_flops=rows * head_tokens * 2.0 * architecture.hidden * architecture.vocabulary,
        adapter_flops=rows * tokens * 2.0 * adapter,
        passes=passes + linear_again + more + _share(teacher, tokens, architecture),
        attention_passes=ATTENTION_PASSES + again + more,
        adapter_passes=FULL_PASSES + again,
        head_passes=passes + (1 if is_head_recomputed else 0) + more,
    )


def compute_recomputed_share(workload: Workload, architecture: Architecture) -> float:
    """Share of the layers that pass forward a second time."""
    if not workload.is_checkpointing_activations:
        return 0.0
    if workload.checkpointed_layers is None:
        return 1.0
    return min(1.0, workload.checkpointed_layers / architecture.layers)


def _needs_last_product(workload: Workload) -> bool:
    """Whether a block's last product is computed again: an adapter on it comes after it."""
    if workload.technique == "full" or not workload.lora_rank:
        return False
    return not workload.adapter_targets or "down" in workload.adapter_targets


def _last_product_share(architecture: Architecture) -> float:
    """Of a token's linear layers; nothing that is kept comes after it in its block."""
    last = sum(group.active_parameters for group in architecture.linears if group.role == "down")
    return last / max(1, architecture.active_linear_parameters)


def compute_attention_flops(architecture: Architecture, attended_tokens: float) -> float:
    """Forward operations of one token in attention and state space layers.

    Scores and values take 2 operations for each of `attended_tokens` and number of a head; half of
    them fall away because a token looks back only.
    """
    second = architecture.second_attention
    wide_layers = second.layers if second else 0
    first = architecture.attending_layers - wide_layers
    windowed = min(architecture.sliding_layers, first)
    seen = (first - windowed) * attended_tokens + windowed * compute_seen_tokens(
        attended_tokens, architecture.sliding_window
    )
    flops = seen * _score_width(architecture)
    if second:
        flops += second.layers * attended_tokens * 2.0 * architecture.heads * second.head_dim
    state = architecture.state_space
    if state:
        flops += STATE_FLOPS * state.layers * state.inner * max(1, state.state)
    return flops


def compute_seen_tokens(length: float, window: int) -> float:
    """Twice the mean number of tokens that a token of a row of this length looks back at."""
    if window <= 0 or length <= window:
        return length
    return 2.0 * window - window * window / length


def _score_width(architecture: Architecture) -> float:
    """Numbers that meet in scores and in values, all heads together."""
    latent = architecture.latent
    if latent:
        keys = latent.plain_head_dim + latent.rope_head_dim
        return float(architecture.heads * (keys + latent.value_head_dim))
    return 2.0 * architecture.attention_width


def _adapter_parameters(workload: Workload, architecture: Architecture) -> float:
    return float(architecture.lora_parameters(workload.lora_rank, workload.adapter_targets))


def _extra_forwards(workload: Workload) -> float:
    """Forward passes of the reference: the frozen model judges every answer of a preference too.

    KTO also reads each prompt with another row's answer, model and reference both.
    """
    return {"sft": 0.0, "distill": 0.0, "dpo": 1.0, "kto": 3.0}[workload.objective]


def _share(teacher_flops: float, tokens: float, architecture: Architecture) -> float:
    """The teacher's forward pass, told in forward passes of the model that learns."""
    own = 2.0 * architecture.active_linear_parameters * tokens
    return teacher_flops / own if own else 0.0
