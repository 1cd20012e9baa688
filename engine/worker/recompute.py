"""Which layers are computed twice: as many as the plan says, and no more.

The library computes every layer twice or none; a plan that leaves some alone saves their second
computation where memory allows it. The last layers are left alone: the backward pass begins with
them, so what they keep is given back first. The method's trainer calls this when training begins.
"""

from typing import Any

from transformers import TrainerCallback
from transformers.modeling_layers import GradientCheckpointingLayer

from tailor.recipes.spec import TrainPlan


class RecomputeCallback(TrainerCallback):
    """Acts after the library has switched every layer on, and before the rehearsal."""

    def __init__(self, plan: TrainPlan) -> None:
        self._count = plan.workload.checkpointed_layers

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Switch off what the plan leaves alone."""
        if args.gradient_checkpointing and self._count is not None:
            recompute_first(kwargs["model"], self._count)


def recompute_first(model: Any, count: int) -> None:
    """Compute the first `count` layers twice and the others once."""
    layers = list_layers(model)
    # Counted from the end: a layer that the plan did not know of is rather computed twice.
    alone = max(0, model.config.get_text_config().num_hidden_layers - count)
    for place, layer in enumerate(layers):
        layer.gradient_checkpointing = place < len(layers) - alone


def can_recompute(model: Any, plan: TrainPlan) -> bool:
    """Whether as many layers as planned can be computed twice, and no more."""
    return plan.workload.checkpointed_layers is None or bool(list_layers(model))


def list_layers(model: Any) -> list[Any]:
    """Layers that can be switched one by one, in their order; empty for a model of an old kind."""
    return [layer for layer in model.modules() if isinstance(layer, GradientCheckpointingLayer)]
