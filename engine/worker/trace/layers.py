"""The layers of a model: how they repeat, and the same model with fewer of them.

Which layers are alike is read from the layers themselves, not from names in a config, so that
models with a pattern of attention kinds, experts or state spaces need no list here. `tracer.py`
asks.
"""

import copy
from typing import Any

from torch import nn

from tailor.estimator.trace_depth import Pattern, find_pattern

PLACES = ("layer_idx", "layer_index", "layer_id", "layer_number")
"""What tells a layer only where it stands."""


def count_layers(model: Any) -> int:
    """The number of layers that the config tells."""
    return int(_text_config(model).num_hidden_layers)


def read_pattern(model: Any) -> Pattern | None:
    """How the layers repeat; None where they do not, or where they are no list."""
    layers = _find_layers(model)
    return None if layers is None else find_pattern([_describe(layer) for layer in layers])


def cut(model: Any, count: int) -> Any:
    """A copy of the model with its first `count` layers."""
    layers = _find_layers(model)
    if layers is None or count == len(layers):
        return copy.deepcopy(model)
    taken = list(layers)[count:]
    del layers[count:]
    told = copy.deepcopy(model)
    layers.extend(taken)
    _text_config(told).num_hidden_layers = count
    return told


def _find_layers(model: Any) -> nn.ModuleList | None:
    wanted = count_layers(model)
    for module in model.modules():
        if isinstance(module, nn.ModuleList) and len(module) == wanted:
            return module
    return None


def _describe(layer: nn.Module) -> tuple[object, ...]:
    """Everything that may tell two layers apart, but for their places."""
    return tuple(
        (
            name,
            type(module),
            tuple(
                (key, tuple(weight.shape)) for key, weight in module.named_parameters(recurse=False)
            ),
            tuple(
                sorted(
                    (key, repr(value)) for key, value in vars(module).items() if _tells(key, value)
                )
            ),
        )
        for name, module in layer.named_modules()
    )  # fmt: skip


def _tells(key: str, value: object) -> bool:
    return key not in PLACES and isinstance(value, (bool, int, float, str, type(None)))


def _text_config(model: Any) -> Any:
    return model.config.get_text_config()
