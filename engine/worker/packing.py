"""Rows of a micro-batch packed behind each other instead of filled up with padding.

A row of 400 tokens and three of 50 make 1,600 tokens when the short ones are filled up; packed
they make 800. It changes no result: the rows of a step stay the
same, each counts its positions from 0, and no row attends to another's tokens. The last is the
library's doing (it builds the mask from positions that start anew), so it is measured on the very
model before it is used. `training` asks, the method's trainer feeds by it.
"""

from collections.abc import Sequence
from typing import Any

import torch

from tailor.engine.worker.batch_order import padded_tokens
from tailor.engine.worker.data import NOT_LEARNED
from tailor.engine.worker.loss import Batch, Labelled, pad_batch

PROBE_TOKENS = (5, 3, 7)
"""Rows of the probe; any lengths do."""
EXACT_STEPS = 64
"""Rounding steps by which packed and separate logits may differ: the products have other shapes."""


def pack_rows(lengths: Sequence[int], capacity: int) -> list[list[int]]:
    """Places of the rows in each pack, first fit with the longest first; every row is in one."""
    packs: list[list[int]] = []
    room: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        need = lengths[place]
        if need > capacity:
            raise ValueError(f"a row of {need} tokens does not fit into {capacity}")
        fitting = next((number for number, free in enumerate(room) if free >= need), None)
        if fitting is None:
            packs.append([place])
            room.append(capacity - need)
        else:
            packs[fitting].append(place)
            room[fitting] -= need
    return packs


def packed_tokens(lengths: Sequence[int], micro_batch: Sequence[int]) -> int:
    """Tokens that go through the model for these rows when they are packed, filler included."""
    told = [lengths[place] for place in micro_batch]
    packs = pack_rows(told, max(told))
    return min(len(packs) * max(told), padded_tokens(lengths, micro_batch))


def pack_batch(rows: Sequence[Labelled], padding: int, device: torch.device) -> Batch:
    """Rows behind each other, as wide as the longest; filled up where nothing would be saved.

    There is no attention mask on purpose: with one, the library would not look at the positions.
    """
    lengths = [len(one.input_ids) for one in rows]
    packs = pack_rows(lengths, max(lengths))
    if len(packs) == len(rows):
        return pad_batch(rows, padding, device)
    packed = [_fill([rows[place] for place in pack], max(lengths), padding) for pack in packs]
    return {
        name: torch.tensor([row[name] for row in packed], device=device)
        for name in ("input_ids", "labels", "position_ids")
    }


def _fill(rows: Sequence[Labelled], width: int, padding: int) -> dict[str, list[int]]:
    """One pack. Filler counts from 0 too, as a row of its own that nobody attends to."""
    ids: list[int] = []
    labels: list[int] = []
    positions: list[int] = []
    for row in rows:
        ids += row.input_ids
        # The first token of a row would be told from the last of the row before it.
        labels += (NOT_LEARNED, *row.labels[1:])
        positions += range(len(row.input_ids))
    filler = width - len(ids)
    return {
        "input_ids": ids + [padding] * filler,
        "labels": labels + [NOT_LEARNED] * filler,
        "position_ids": positions + list(range(filler)),
    }


def measure_leak(model: Any, vocabulary: int) -> float:
    """How much a row hears of its neighbours: the largest change of a logit, in rounding steps.

    Rows are read packed and each alone, and once more packed with the first row exchanged. A model
    that keeps them apart gives a few steps; one that does not, thousands.
    """
    source = torch.Generator().manual_seed(0)
    rows = [
        torch.randint(0, vocabulary, (length,), generator=source).tolist()
        for length in PROBE_TOKENS
    ]
    other = [[(token + 1) % vocabulary for token in rows[0]], *rows[1:]]
    first = len(rows[0])
    was_training = model.training
    model.eval()
    with torch.no_grad():
        packed, changed = _read(model, rows), _read(model, other)
        alone = torch.cat([_read(model, [row]) for row in rows])
    model.train(was_training)
    heard = (packed[first:] - changed[first:]).abs().max()
    apart = (packed - alone).abs().max()
    step = torch.finfo(packed.dtype).eps * max(1.0, float(alone.abs().max()))
    return float(torch.maximum(heard, apart)) / step


def keeps_rows_apart(model: Any, vocabulary: int) -> bool:
    """Whether packed rows are exactly what they are alone, measured on this model."""
    return measure_leak(model, vocabulary) <= EXACT_STEPS


def _read(model: Any, rows: Sequence[Sequence[int]]) -> torch.Tensor:
    ids = [token for row in rows for token in row]
    positions = [place for row in rows for place in range(len(row))]
    told = model(
        input_ids=torch.tensor([ids], device=model.device),
        position_ids=torch.tensor([positions], device=model.device),
        use_cache=False,
    )
    return told.logits[0].float()
