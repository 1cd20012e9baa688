"""The phases of a run on a card, each at its widest: what is there, part by part.

Weights are loaded, a micro-batch is passed forwards to the loss and backwards through each layer,
weights are changed, held-out rows are read, a checkpoint is saved. What one phase needs the next
has given back, so nothing is added up across phases. `peak.py` takes the largest.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.activations import LayerBytes
from tailor.estimator.memory.evaluation import compute_evaluation_bytes
from tailor.estimator.memory.loss_head import compute_loss_bytes
from tailor.estimator.memory.parts import Phase
from tailor.estimator.memory.sharding import FULL_SHARDS, Shared
from tailor.estimator.memory.states import HALF_BYTES
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.workload import Batches, Workload

TOKEN_BYTES = 24
"""Ids, labels and mask of a token, 8 bytes each: how public peaks without any activation grow with
their tokens."""
RESTING_LAYERS = 2
"""Layer inputs on the card while the others wait in the computer's memory."""
RELEASED_LAYERS = 2
"""Layers whose input and gradient are not kept by old checkpointing under FSDP: public peaks of
models with 32 and with 80 layers miss two."""


@record
class Moment:
    """One phase at its widest, by part; bytes."""

    phase: Phase
    weights: float
    adapter: float = 0.0
    optimizer: float = 0.0
    activations: float = 0.0
    loss: float = 0.0
    sharding: float = 0.0

    @property
    def bytes(self) -> float:
        """All parts."""
        own = self.weights + self.adapter + self.optimizer
        return own + self.activations + self.loss + self.sharding


@record
class CardRun:
    """What the phases of one card are worked out from."""

    workload: Workload
    architecture: Architecture
    batches: Batches
    stack: Stack
    shared: Shared
    layer: LayerBytes
    tokens: float
    """Of the longest micro-batch; a pair of answers counts both."""


def list_moments(run: CardRun) -> tuple[Moment, ...]:
    """Every phase, in the order in which they come; the backward pass at both of its ends."""
    return (
        _loading(run),
        _losing(run),
        _first_layer(run),
        _last_layer(run),
        _joining(run),
        _stepping(run),
        _evaluating(run),
        _saving(run),
    )


def _resting(
    run: CardRun,
    phase: Phase,
    *,
    gradients: float = 0.0,
    step: float = 0.0,
    activations: float = 0.0,
    loss: float = 0.0,
    sharding: float = 0.0,
) -> Moment:
    """A phase with everything that rests, and with what is there beside it."""
    states = run.shared.states
    is_full = run.workload.technique == "full"
    return Moment(
        phase=phase,
        weights=states.weights + states.statistics + states.others,
        adapter=0.0 if is_full else states.adapter + gradients,
        optimizer=states.optimizer + step + (gradients if is_full else 0.0),
        activations=activations + TOKEN_BYTES * run.tokens,
        loss=loss,
        sharding=sharding,
    )


def _loading(run: CardRun) -> Moment:
    """Weights and, for a moment, one matrix in 16 bits before it is packed or divided."""
    states, shape = run.shared.states, run.architecture
    largest = max(
        (group.inputs * group.outputs for group in shape.linears),
        default=shape.vocabulary * shape.hidden,
    )
    return Moment(
        phase="load",
        weights=states.weights + states.statistics + states.others,
        activations=float(HALF_BYTES * largest),
    )


def _losing(run: CardRun) -> Moment:
    """The end of the forward pass: every layer's store, and the loss."""
    casts = _checkpointed(run) * run.layer.cast
    loss = compute_loss_bytes(run.workload, run.architecture, run.batches, run.stack, run.tokens)
    return _resting(
        run,
        "loss",
        gradients=_gradients_before(run),
        activations=compute_store(run) + run.tokens * run.layer.rows + casts,
        loss=loss,
        sharding=run.shared.loss,
    )


def _first_layer(run: CardRun) -> Moment:
    """The backward pass begins: every store is there, and one layer in work."""
    head = HALF_BYTES * float(run.architecture.vocabulary * run.architecture.hidden)
    is_alone = run.shared.first_layer == 0
    whole = _gradients_before(run)
    started = head if run.workload.technique == "full" and is_alone and not whole else 0.0
    return _resting(
        run,
        "layer",
        gradients=whole + started,
        activations=compute_store(run) + _in_work(run),
        sharding=run.shared.first_layer,
    )


def _last_layer(run: CardRun) -> Moment:
    """The backward pass ends: all gradients are there, the stores are given back."""
    layer = run.layer
    kept = layer.stream
    if _keeps_every_input(run):
        layers = run.architecture.layers
        kept = layer.stream * (2 * layers - RELEASED_LAYERS)
    one = layer.kept + layer.backward
    gradients = max(run.shared.states.gradients - _missing(run), _gradients_before(run))
    return _resting(
        run,
        "layer",
        gradients=gradients,
        activations=run.tokens * (kept + one) + run.layer.work,
        sharding=run.shared.last_layer,
    )


def _missing(run: CardRun) -> float:
    """Gradients that are not there yet when the last layer is passed backwards: all of that layer
    but one matrix, and those of the embedding where the head has its own."""
    shape, states = run.architecture, run.shared.states
    if run.workload.technique != "full" or run.shared.first_layer:
        return 0.0
    block = shape.linear_parameters / max(1, shape.layers)
    largest = max((group.inputs * group.outputs for group in shape.linears), default=0)
    embedding = 0 if shape.has_tied_embeddings else shape.vocabulary * shape.hidden
    weights = max(0.0, block - largest) + embedding
    return min(states.gradients, weights * run.workload.trainable_bytes_per_parameter)


def _joining(run: CardRun) -> Moment:
    """The very end of the backward pass: a vocabulary that serves at both ends has two gradients,
    and their sum is a third."""
    shape, states = run.architecture, run.shared.states
    is_whole = run.workload.technique == "full" and not run.shared.first_layer
    size = run.workload.trainable_bytes_per_parameter if shape.has_tied_embeddings else 0.0
    further = 2 * size * shape.vocabulary * shape.hidden if is_whole else 0.0
    return _resting(run, "layer", gradients=states.gradients + further)


def _stepping(run: CardRun) -> Moment:
    states = run.shared.states
    return _resting(run, "optimizer", gradients=states.gradients, step=states.step)


def _evaluating(run: CardRun) -> Moment:
    """Held-out rows and exam questions; nothing is kept for a backward pass."""
    activations, loss = compute_evaluation_bytes(
        run.workload, run.architecture, run.batches, run.stack, layer=run.layer, tokens=run.tokens
    )
    return _resting(run, "evaluation", activations=activations, loss=loss, sharding=run.shared.loss)


def _saving(run: CardRun) -> Moment:
    """A checkpoint is written from where its numbers are; shards are gathered block by block."""
    return _resting(run, "save", sharding=run.shared.loss)


def _gradients_before(run: CardRun) -> float:
    """Gradients of earlier micro-batches of the same step; the first has none."""
    return 0.0 if run.workload.accumulation == 1 else run.shared.accumulated


def _checkpointed(run: CardRun) -> int:
    workload, layers = run.workload, run.architecture.layers
    if not workload.is_checkpointing_activations:
        return 0
    chosen = workload.checkpointed_layers
    return layers if chosen is None else max(0, min(layers, chosen))


def compute_store(run: CardRun, *, is_offloaded: bool | None = None) -> float:
    """What the forward pass leaves behind for the backward pass."""
    checkpointed = _checkpointed(run)
    offloads = run.workload.is_offloading_activations if is_offloaded is None else is_offloaded
    inputs = min(checkpointed, RESTING_LAYERS) if offloads else checkpointed
    open_layers = run.architecture.layers - checkpointed
    kept = inputs * run.layer.stream + open_layers * run.layer.kept_mean
    if checkpointed < run.architecture.layers:
        # The first layer's input, which no checkpoint holds.
        kept += run.layer.stream
    return run.tokens * kept + open_layers * run.layer.copies


def _in_work(run: CardRun) -> float:
    """One layer passed backwards.

    The worker leaves the last layers alone, so what the first of them needs is in the store; only
    where every layer is computed again does it come on top.
    """
    again = run.layer.kept if _checkpointed(run) == run.architecture.layers else 0.0
    return run.tokens * (again + run.layer.backward) + run.layer.work


def _keeps_every_input(run: CardRun) -> bool:
    """Old checkpointing under FSDP with a frozen base: hooks hold each input and its gradient."""
    is_frozen = run.workload.technique != "full"
    is_sharded = run.workload.sharding in FULL_SHARDS and run.workload.cards > 1
    return is_frozen and is_sharded and run.stack.is_reentrant and _checkpointed(run) > 0
