"""How several cards share what rests, and what they gather from each other while they work.

Activations are never divided: every card has rows of its own. `peak.py` asks here for the share of
one card and for what it holds beside it in each phase.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.states import CODE_BYTES, FP32_BYTES, HALF_BYTES, States
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

FULL_SHARDS = frozenset(("fsdp", "fsdp_offload"))
OFFLOADED_BLOCKS = 2
"""Blocks on the card at once when they come from the computer's memory: the one in work and the
next on its way."""
ZERO_OPTIMIZER_BYTES = 12
"""DeepSpeed's own optimizer: an fp32 copy of each trained weight and two moments (read)."""
ZERO_BUCKET_BYTES = 2 * 500_000_000 * HALF_BYTES
"""DeepSpeed's default buckets of 500 million numbers, one in work and one on its way (read)."""


@record
class Shared:
    """What one card of several holds."""

    states: States
    """Its share of what rests."""
    accumulated: float
    """Gradients between the micro-batches of one step."""
    loss: float = 0.0
    """Gathered from the others while the loss is worked out."""
    first_layer: float = 0.0
    """Gathered when the backward pass begins."""
    last_layer: float = 0.0
    """Gathered when the backward pass ends."""


def share_states(states: States, workload: Workload, architecture: Architecture) -> Shared:
    """The share of one card."""
    cards, kind = max(1, workload.cards), workload.sharding
    if kind == "none" or (cards == 1 and kind in ("ddp", "fsdp")):
        return Shared(states=states, accumulated=states.gradients)
    if kind in FULL_SHARDS:
        return _share_fully(states, workload, architecture, cards)
    if kind in ("zero1", "zero2"):
        divided = _zero(states, workload, cards)
        return Shared(
            states=divided,
            accumulated=divided.gradients,
            last_layer=float(min(ZERO_BUCKET_BYTES, states.gradients)),
        )
    # DDP keeps everything whole, and trained gradients a second time in its buckets.
    return Shared(
        states=states,
        accumulated=states.gradients,
        last_layer=states.gradients if kind == "ddp" else 0.0,
    )


def _share_fully(
    states: States, workload: Workload, architecture: Architecture, cards: int
) -> Shared:
    is_offloaded = workload.sharding == "fsdp_offload"
    kept = 0.0 if is_offloaded else 1.0 / cards
    # Between the micro-batches of a step nothing is exchanged, so gradients stay whole, in the
    # format that layers compute in (public peaks of steps with two micro-batches on 2 to 8 cards).
    accumulated = 0.0 if is_offloaded else states.gradients * _half_share(workload)
    shared = States(
        weights=states.weights * kept,
        statistics=states.statistics,
        others=states.others * kept,
        adapter=states.adapter * kept,
        gradients=states.gradients * kept,
        optimizer=states.optimizer * kept,
        step=states.step * kept,
    )
    root = float(HALF_BYTES * architecture.embedding_parameters)
    block = compute_block_bytes(workload, architecture)
    blocks = OFFLOADED_BLOCKS * block if is_offloaded else block
    if workload.technique != "full":
        return Shared(
            states=shared,
            accumulated=accumulated,
            loss=root,
            first_layer=root + blocks,
            last_layer=root + blocks,
        )
    head = float(HALF_BYTES * architecture.vocabulary * architecture.hidden)
    # The first matrix that is passed backwards has its gradient before the widest moment.
    matrix = float(HALF_BYTES * _largest_matrix(architecture))
    return Shared(
        states=shared,
        accumulated=accumulated,
        loss=root,
        first_layer=root + head + blocks + matrix,
        last_layer=root + head + blocks + block,
    )


def compute_block_bytes(workload: Workload, architecture: Architecture) -> float:
    """One layer with all its weights, as the layers compute with it."""
    layers = max(1, architecture.layers)
    packed = architecture.quantised_linear_parameters / layers
    whole = architecture.linear_parameters / layers - packed
    size = float(HALF_BYTES)
    if workload.technique == "qlora":
        plain = min(workload.weight_bytes_per_parameter, HALF_BYTES)
        size = CODE_BYTES.get(workload.base_format, plain)
    return packed * size + whole * HALF_BYTES


def _largest_matrix(architecture: Architecture) -> int:
    return max((group.inputs * group.outputs for group in architecture.linears), default=0)


def _half_share(workload: Workload) -> float:
    return min(1.0, HALF_BYTES / workload.trainable_bytes_per_parameter)


def _zero(states: States, workload: Workload, cards: int) -> States:
    """DeepSpeed computes with 16-bit weights and keeps an fp32 copy inside its optimizer."""
    half = min(1.0, HALF_BYTES / workload.trainable_bytes_per_parameter)
    trained = states.gradients / workload.trainable_bytes_per_parameter
    gradients = states.gradients * half / (cards if workload.sharding == "zero2" else 1)
    is_full = workload.technique == "full"
    return States(
        weights=states.weights * (half if is_full else 1.0),
        statistics=states.statistics,
        others=states.others,
        adapter=states.adapter * half,
        gradients=gradients,
        optimizer=trained * ZERO_OPTIMIZER_BYTES / cards,
        # The step raises its share of the gradients.
        step=trained * FP32_BYTES / cards,
    )
