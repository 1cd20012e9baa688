"""Supervised fine-tuning: the model learns to give the rows' answers. TRL's SFTTrainer inside.

Rows come tokenised with their labels, so TRL leaves both alone. Ours are the order of the rows, the
loss without the logits nobody needs, and loading an adapter bit for bit; all else is the library's.
The worker calls `make_trainer`; another method is another file with that function.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from datasets import Dataset
from peft import PeftModel
from transformers import TrainerCallback
from trl import SFTConfig, SFTTrainer

from tailor.engine.worker.build import keep_adapter_precision, load_weights
from tailor.engine.worker.data import Example
from tailor.engine.worker.final import save_weights
from tailor.engine.worker.loss import Batch, can_skip_logits, sum_loss
from tailor.engine.worker.packing import pack_batch
from tailor.engine.worker.recompute import RecomputeCallback
from tailor.recipes.spec import TrainPlan

MAX_LOG_POINTS = 5000
"""A curve never needs more; the chart shows 1,000."""


class OrderedTrainer(SFTTrainer):
    """SFTTrainer that sees the rows in our order and saves nothing but the run's own state."""

    def __init__(self, order: Sequence[int], **arguments: Any) -> None:
        """`order` holds the places of all rows of the whole run, one after the other."""
        self._order = order
        super().__init__(**arguments)
        # Without a CUDA card TRL projects every position onto the vocabulary, learned or not.
        base = self.model.get_base_model() if isinstance(self.model, PeftModel) else self.model
        self._is_loss_ours = self.args.device.type != "cuda" and can_skip_logits(base)

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return self._order

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Any = None,
    ) -> Any:
        """The mean over the learned tokens of the whole optimizer step."""
        if return_outputs or not self._is_loss_ours:
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        learned = num_items_in_batch
        if learned is None:
            learned = (inputs["labels"][:, 1:] != -100).sum()
        return sum_loss(model, inputs) / torch.as_tensor(learned).clamp(min=1)

    def create_model_card(self, *args: Any, **kwargs: Any) -> None:
        """A checkpoint is not published: no card, and no question to the hub for one."""

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        # The library's own would save a tokenizer, a pickle of arguments and, once words were
        # added, a copy of the whole vocabulary: none of it belongs into a checkpoint of ours.
        save_weights(self.model, Path(output_dir or self.args.output_dir), state_dict=state_dict)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        load_weights(self.model, Path(resume_from_checkpoint))


def make_trainer(
    plan: TrainPlan,
    model: Any,
    tokenizer: Any,
    *,
    examples: Sequence[Example],
    order: Sequence[int],
    callbacks: Sequence[TrainerCallback],
    folder: Path,
    seed: int,
    packs: bool = False,
) -> OrderedTrainer:
    """A trainer for `plan`, ready to `train`. It writes checkpoints into `folder` when told to.

    `packs` puts the rows of a micro-batch behind each other instead of filling them up.
    """
    rows = Dataset.from_dict(
        {
            "input_ids": [list(example.input_ids) for example in examples],
            "labels": [list(example.labels) for example in examples],
        }
    )
    trainer = OrderedTrainer(
        order=order,
        model=model,
        args=SFTConfig(**_arguments(plan, folder, seed)),
        train_dataset=rows,
        processing_class=tokenizer,
        data_collator=_packer(tokenizer.pad_token_id) if packs else None,
        callbacks=[RecomputeCallback(plan), *callbacks],
    )
    keep_adapter_precision(trainer.model, plan)
    return trainer


class _Tokens(NamedTuple):
    """A row as the loader hands it out."""

    input_ids: list[int]
    labels: list[int]


def _packer(padding: int) -> Callable[[list[dict[str, Any]]], Batch]:
    def collate(rows: list[dict[str, Any]]) -> Batch:
        told = [_Tokens(input_ids=row["input_ids"], labels=row["labels"]) for row in rows]
        return pack_batch(told, padding, torch.device("cpu"))

    return collate


def _arguments(plan: TrainPlan, folder: Path, seed: int) -> dict[str, Any]:
    defaults = {
        "logging_steps": max(1, -(-plan.steps // MAX_LOG_POINTS)),
        # TRL turns it on for everybody; it costs a third of the speed and is the plan's decision.
        "gradient_checkpointing": plan.workload.is_checkpointing_activations,
        "dataloader_pin_memory": plan.device == "cuda",
        "dataloader_num_workers": 0,
    }
    ours = {
        "output_dir": str(folder),
        "max_steps": plan.steps,
        "seed": seed,
        "bf16": plan.precision == "bf16",
        "fp16": plan.precision == "fp16",
        "use_cpu": plan.device == "cpu",
        "max_length": None,
        # Ours packs within a micro-batch, so that the rows of a step stay the same.
        "packing": False,
        "dataset_kwargs": {"skip_prepare_dataset": True},
        "report_to": [],
        "save_strategy": "no",
        "eval_strategy": "no",
        "logging_strategy": "steps",
        # A loss that is not a number must be seen, not smoothed over.
        "logging_nan_inf_filter": False,
        "disable_tqdm": True,
        "push_to_hub": False,
    }
    return defaults | dict(plan.training) | ours
