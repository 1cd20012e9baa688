"""Layers with experts: what the chosen ones keep, and what adapters on them cost.

Every chosen expert keeps what a plain feed-forward part of its width would. Adapters are another
matter: where all experts lie in one tensor, each layer makes a whole second copy of it to train
them. `activations.py` and `states.py` ask here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

FEED_FORWARD = ("gate", "up", "down")
COPY_BYTES = 2.0
"""Of each expert weight of a layer: the weight with its adapter added. Measured with torch 2.13,
transformers 5.24 and peft 0.21 on live tensors: 2.05."""
WORK_BYTES = 1.0
"""On top of that while the layer is in work: its gradient on the way to the adapter (0.7 to 0.9
measured)."""
GATE_UP_RANKS = 2
"""Gate and up in one tensor get an adapter of twice the rank (peft 0.21, read)."""


@record
class ExpertBytes:
    """Of a layer with experts."""

    kept: float
    """Of one token."""
    backward: float
    """Of one token, on top in the backward pass."""
    copy: float
    """Of the layer, however many tokens: kept while its activations are."""
    work: float
    """The same, on top while it is in work."""


def compute_expert_bytes(
    workload: Workload, architecture: Architecture, element: int
) -> ExpertBytes:
    """What a layer with experts keeps beside norms and attention.

    Apart from each other experts are passed backwards one after the other, in one tensor all at
    once.
    """
    shape = architecture
    matrices = 3 if shape.is_gated_mlp else 1
    chosen = float(shape.experts_per_token * shape.expert_mlp)
    shared = float(shape.shared_mlp)
    # A row's answer by each expert, before it is weighed.
    answers = float(element * shape.experts_per_token * shape.hidden)
    kept = element * matrices * (chosen + shared) + answers
    weights = _expert_weights(shape) if has_adapted_tensor(workload, shape) else 0
    if shape.has_fused_experts:
        # Inputs of the last matrices are given back before the widest moment.
        learns = workload.technique == "full" or weights
        backward = element * max((matrices - (1 if learns else 0)) * chosen, matrices * shared)
    else:
        # The gradients of the answers are there at once, those inside of one expert at a time.
        one = chosen / max(1, shape.experts)
        backward = element * matrices * max(one, shared) + answers
    return ExpertBytes(
        kept=kept + _input_bytes(workload, shape, element),
        backward=backward,
        copy=COPY_BYTES * weights,
        work=WORK_BYTES * weights,
    )


def has_adapted_tensor(workload: Workload, architecture: Architecture) -> bool:
    """Whether an adapter sits on experts that lie in one tensor: "all linear layers" means them
    too (peft 0.21, read)."""
    is_adapted = workload.technique != "full" and workload.lora_rank > 0
    is_everywhere = not workload.adapter_targets
    return is_adapted and is_everywhere and architecture.has_fused_experts


def compute_expert_adapter_parameters(workload: Workload, architecture: Architecture) -> int:
    """Weights of the adapters on experts in one tensor; every expert has its own."""
    shape = architecture
    if not shape.expert_layers or not has_adapted_tensor(workload, shape):
        return 0
    into = 2 if shape.is_gated_mlp else 1
    front = GATE_UP_RANKS * (shape.hidden + into * shape.expert_mlp)
    back = shape.expert_mlp + shape.hidden
    return workload.lora_rank * shape.experts * shape.expert_layers * (front + back)


def _expert_weights(architecture: Architecture) -> int:
    matrices = 3 if architecture.is_gated_mlp else 2
    return architecture.experts * matrices * architecture.hidden * architecture.expert_mlp


def _input_bytes(workload: Workload, architecture: Architecture, element: int) -> float:
    """Inputs of the linear layers that learn or have an adapter."""
    shape = architecture
    chosen = float(shape.experts_per_token * shape.expert_mlp)
    routed = float(shape.experts_per_token * shape.hidden)
    shared = float(shape.shared_mlp)
    if workload.technique == "full":
        return element * (chosen + routed + shared)
    targets = workload.adapter_targets or FEED_FORWARD
    if not workload.lora_rank or not any(name in targets for name in FEED_FORWARD):
        return 0.0
    readers = sum(name in targets for name in FEED_FORWARD[:2])
    beside = readers * (shape.hidden if shared else 0) + (shared if "down" in targets else 0.0)
    if has_adapted_tensor(workload, shape):
        # The router has an adapter as well.
        return element * (chosen + routed + shape.hidden + beside)
    if shape.has_fused_experts:
        return element * beside
    own = readers * routed + (chosen if "down" in targets else 0.0)
    return element * (own + beside)
