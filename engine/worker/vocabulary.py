"""Room for added words in a model: one vector each, and the right to learn it.

A new word begins as the mean of the pieces that it was cut into, which is near to what the model
took it for; random numbers would first have to be unlearned. Only these rows of the vocabulary are
trained beside an adapter, so no other word changes. `build` calls it for every model that it loads.
"""

from collections.abc import Sequence
from typing import Any

import torch

from tailor.engine.worker.added_words import AddedWord


def extend_vocabulary(model: Any, added: Sequence[AddedWord]) -> None:
    """Make room for `added` words and give each the mean of its pieces."""
    if not added:
        return
    needed = max(word.id for word in added) + 1
    # Many vocabularies are padded with rows that no token uses: those are room already.
    if needed > model.get_input_embeddings().weight.shape[0]:
        model.resize_token_embeddings(needed, mean_resizing=False)
    for weight in _weights(model):
        with torch.no_grad():
            for word in added:
                weight[word.id] = weight[list(word.pieces)].float().mean(dim=0).to(weight.dtype)


def trainable_rows(model: Any, added: Sequence[AddedWord]) -> dict[str, list[int]]:
    """Argument `trainable_token_indices` of LoraConfig: rows by the name of their layer."""
    if not added:
        return {}
    ids = [word.id for word in added]
    names = {id(module): name for name, module in model.named_modules()}
    layers = [model.get_input_embeddings()]
    if not _is_tied(model):
        layers.append(model.get_output_embeddings())
    return {names[id(layer)]: ids for layer in layers}


def _weights(model: Any) -> list[torch.Tensor]:
    first = model.get_input_embeddings().weight
    return [first] if _is_tied(model) else [first, model.get_output_embeddings().weight]


def _is_tied(model: Any) -> bool:
    """Whether words are read and written with the same vectors."""
    return model.get_input_embeddings().weight is model.get_output_embeddings().weight
