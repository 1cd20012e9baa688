"""The loss on learned tokens, computed without the logits of all the others.

Most tokens of a row are only read. Projecting them onto the vocabulary is the costliest single
product of a small model, so the model is asked for logits only where some row of the batch learns.
Evaluation, proof and, on a processor, training use this one function.
"""

import inspect
from collections.abc import Sequence
from typing import Any, Protocol

import torch

from tailor.engine.worker.data import NOT_LEARNED, Example

FED = ("input_ids", "attention_mask", "position_ids")
"""What a batch may hold for the model beside the labels."""
EVALUATION_TOKENS = 2048
"""Padded tokens in one evaluation batch."""


Batch = dict[str, torch.Tensor]


class Labelled(Protocol):
    """Tokens with their labels: an `Example`, or what a trainer's loader hands out."""

    input_ids: Sequence[int]
    labels: Sequence[int]


def sum_loss(model: Any, batch: Batch) -> torch.Tensor:
    """Sum of the cross-entropy over the learned tokens of a padded or packed batch."""
    targets = batch["labels"][:, 1:]
    columns = (targets != NOT_LEARNED).any(dim=0).nonzero().squeeze(1)
    logits = model(
        **{name: batch[name] for name in FED if name in batch},
        use_cache=False,
        logits_to_keep=columns,
    ).logits
    return torch.nn.functional.cross_entropy(
        logits.float().flatten(0, 1),
        targets[:, columns].flatten(),
        ignore_index=NOT_LEARNED,
        reduction="sum",
    )


def can_skip_logits(model: Any) -> bool:
    """Whether this architecture can be asked for the logits of some positions only."""
    return "logits_to_keep" in inspect.signature(type(model).forward).parameters


def mean_loss(
    model: Any, examples: Sequence[Example], padding: int, on_batch: Any = lambda: None
) -> float:
    """Mean loss of a learned token over all examples; the batches do not change it."""
    was_training = model.training
    model.eval()
    total, learned = 0.0, 0
    with torch.no_grad():
        for places in _batches(examples):
            batch = pad_batch([examples[place] for place in places], padding, model.device)
            total += sum_loss(model, batch).item()
            learned += int((batch["labels"][:, 1:] != NOT_LEARNED).sum())
            on_batch()
    model.train(was_training)
    return total / learned


def pad_batch(rows: Sequence[Labelled], padding: int, device: torch.device) -> Batch:
    """Rows side by side, padded on the right."""
    width = max(len(one.input_ids) for one in rows)
    fill = [width - len(one.input_ids) for one in rows]
    filled = list(zip(rows, fill, strict=True))
    padded = {
        "input_ids": [[*one.input_ids, *[padding] * n] for one, n in filled],
        "labels": [[*one.labels, *[NOT_LEARNED] * n] for one, n in filled],
        "attention_mask": [[1] * (width - n) + [0] * n for n in fill],
    }
    return {name: torch.tensor(told, device=device) for name, told in padded.items()}


def _batches(examples: Sequence[Example]) -> list[list[int]]:
    """Places by length, cut where a batch would hold more than `EVALUATION_TOKENS`."""
    by_length = sorted(range(len(examples)), key=lambda place: len(examples[place].input_ids))
    batches: list[list[int]] = []
    for place in by_length:
        width = len(examples[place].input_ids)
        if batches and (len(batches[-1]) + 1) * width <= EVALUATION_TOKENS:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches
