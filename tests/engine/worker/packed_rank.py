"""One of two processes that read packed rows together: `python packed_rank.py FOLDER RANK MODEL`

Each takes its half of the rows, as two cards would, and both add up what they found (gloo). Writes
rank-<n>.json into FOLDER. Started by `test_packing`.
"""

import json
import sys
from pathlib import Path

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel
from transformers import AutoModelForCausalLM

from tailor.engine.worker.data import NOT_LEARNED, Example
from tailor.engine.worker.loss import pad_batch, sum_loss
from tailor.engine.worker.packing import measure_leak, pack_batch

LENGTHS = (40, 9, 12, 7, 30, 11, 5, 13)
CPU = torch.device("cpu")


class Leaky(torch.nn.Module):
    """The same model with the mask spoiled: with one of its own the library forgets the rows."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model, self.device = model, CPU

    def forward(self, input_ids: torch.Tensor, **more: object) -> object:
        more["attention_mask"] = torch.ones_like(input_ids)
        return self.model(input_ids=input_ids, **more)


def rows_of(rank: int) -> list[Example]:
    source = torch.Generator().manual_seed(1)
    rows = []
    for length in LENGTHS:
        ids = tuple(torch.randint(0, 250, (length,), generator=source).tolist())
        labels = tuple(one if place % 3 else NOT_LEARNED for place, one in enumerate(ids))
        rows.append(
            Example(
                input_ids=ids, labels=labels, text="", answers=(), cut_at=0, cut_tokens=0,
                last_learned_id=ids[-1],
            )
        )  # fmt: skip
    return rows[rank * 4 : rank * 4 + 4]


def change_first(batch: dict[str, torch.Tensor]) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Another token in the middle of the first row, and which positions belong to other rows."""
    ids = batch["input_ids"].clone()
    starts = (batch["position_ids"] == 0).long().cumsum(dim=1)
    pack = int((starts.max(dim=1).values > 1).nonzero()[0])
    ids[pack, 3] = (ids[pack, 3] + 1) % 250
    others = starts != starts[pack, 3]
    others[torch.arange(len(ids)) != pack] = True
    return {**batch, "input_ids": ids}, others


def read(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    fed = {name: batch[name] for name in ("input_ids", "position_ids")}
    return model(**fed, use_cache=False).logits


def largest_change(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    changed, others = change_first(batch)
    with torch.no_grad():
        return (read(model, batch) - read(model, changed)).abs().amax(dim=2)[others].max()


def gradients(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    model.zero_grad()
    sum_loss(model, batch).backward()  # gradients are averaged over both processes here
    return {name: one.grad.clone() for name, one in model.named_parameters()}


def main(folder: Path, rank: int, model_folder: Path) -> None:
    distributed.init_process_group(
        "gloo", init_method=f"file://{folder / 'meeting'}", rank=rank, world_size=2
    )
    torch.set_num_threads(1)
    model = AutoModelForCausalLM.from_pretrained(model_folder, attn_implementation="sdpa")
    model.train()
    rows = rows_of(rank)
    packed, padded = pack_batch(rows, 256, CPU), pad_batch(rows, 256, CPU)
    told = torch.stack(
        [
            largest_change(model, packed),
            largest_change(Leaky(model), packed),
            torch.tensor(measure_leak(model, 250)),
            torch.tensor(measure_leak(Leaky(model), 250)),
        ]
    )
    weakest = told.clone()
    distributed.all_reduce(told, op=distributed.ReduceOp.MAX)
    distributed.all_reduce(weakest, op=distributed.ReduceOp.MIN)
    losses = torch.stack([sum_loss(model, batch).detach() for batch in (packed, padded)])
    distributed.all_reduce(losses, op=distributed.ReduceOp.SUM)
    both = DistributedDataParallel(model)
    one, other = gradients(both, packed), gradients(both, padded)
    apart = max(float((one[name] - other[name]).abs().max()) for name in one)
    size = max(float(grad.abs().max()) for grad in other.values())
    answer = {
        "shape": list(packed["input_ids"].shape),
        "padded_shape": list(padded["input_ids"].shape),
        "heard": float(told[0]),
        "heard_when_broken": float(weakest[1]),
        "steps": float(told[2]),
        "steps_when_broken": float(weakest[3]),
        "packed_loss": float(losses[0]),
        "padded_loss": float(losses[1]),
        "gradient_difference": apart / size,
    }
    (folder / f"rank-{rank}.json").write_text(json.dumps(answer))
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
