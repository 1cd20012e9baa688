"""Measures training steps of the real worker on a card.

A model with random weights is written to disk once; each case builds it with the worker's own
functions and trains a few steps with the worker's own trainer. Where there is no card the same
functions run with a ledger in the place of the card's allocator, which a test does with a tiny model.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import torch
from peak_cases import STEPS, Case, make_plan
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM, TrainerCallback

from tailor.engine.worker.build import build_model, precision_context
from tailor.engine.worker.data import NOT_LEARNED, Example
from tailor.engine.worker.loss import mean_loss
from tailor.engine.worker.methods import sft
from tailor.engine.worker.trace.card import as_on_a_card, compute_again_as_on_a_card
from tailor.engine.worker.trace.head import kernels_left_out
from tailor.engine.worker.trace.ledger import Ledger
from tailor.recipes.spec import TrainPlan


@dataclass(frozen=True)
class Measured:
    """What a case held and how long a step took."""

    weights_bytes: int
    training_bytes: int
    """Peak of forward and backward pass."""
    optimizer_bytes: int
    evaluation_bytes: int
    """0 for the library's own loss, which the worker does not evaluate with."""
    reserved_bytes: int
    step_seconds: float


class Meter(Protocol):
    """Knows what is held and was held at most since the last mark."""

    device: str

    def mark(self) -> int:
        """The peak since the last mark; from here on a new one counts."""

    def held(self) -> int:
        """What is held now."""

    def reserved(self) -> int:
        """The most that the allocator kept, 0 where there is none."""

    def watch(self, model: Any) -> Any:
        """A context in which everything is counted."""


class CardMeter:
    """The card's own allocator."""

    device = "cuda"

    def mark(self) -> int:
        torch.cuda.synchronize()
        peak = torch.cuda.max_memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        return peak

    def held(self) -> int:
        return torch.cuda.memory_allocated()

    def reserved(self) -> int:
        return torch.cuda.memory_reserved()

    @contextmanager
    def watch(self, model: Any) -> Iterator[None]:
        torch.cuda.reset_peak_memory_stats()
        yield


class LedgerMeter:
    """A ledger on a processor that takes a card's choices."""

    device = "cpu"

    def __init__(self) -> None:
        self._ledger = Ledger()

    def mark(self) -> int:
        peak = max(self._ledger.peaks.get("forward", {"": self._ledger.held_bytes}).values())
        self._ledger.forget_peaks()
        self._ledger.enter("forward")
        return peak

    def held(self) -> int:
        return self._ledger.held_bytes

    def reserved(self) -> int:
        return 0

    @contextmanager
    def watch(self, model: Any) -> Iterator[None]:
        with ExitStack() as stack:
            for context in (kernels_left_out(), as_on_a_card(), self._ledger):
                stack.enter_context(context)
            self._ledger.count([*model.parameters(), *model.buffers()])
            self.mark()
            yield


def write_model(folder: Path, config: dict[str, Any]) -> None:
    """Random weights in bf16, and the config."""
    torch.manual_seed(0)
    fields = {name: value for name, value in config.items() if name != "model_type"}
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        LlamaForCausalLM(LlamaConfig(**fields)).save_pretrained(folder)
    finally:
        torch.set_default_dtype(before)


def measure(case: Case, model: Path, tokenizer: Path, meter: Meter, folder: Path) -> Measured:
    """Train a few steps and evaluate once."""
    plan = make_plan(case, meter.device)
    trained = build_model(plan, model, seed=0)
    watcher = _Watcher(meter, case, plan)
    trainer = sft.make_trainer(
        plan, trained, AutoTokenizer.from_pretrained(tokenizer),
        examples=_examples(case), order=range(case.run_rows),
        callbacks=[watcher], folder=folder, seed=0,
    )  # fmt: skip
    trainer._is_loss_ours = False  # the loss of a card, also where there is none
    if not case.has_fused_head:
        trainer.compute_loss = _plain_loss
    with meter.watch(trained):
        weights = meter.held()
        trainer.train()
        reserved = meter.reserved()
    return Measured(
        weights_bytes=weights,
        training_bytes=watcher.training_bytes,
        optimizer_bytes=watcher.optimizer_bytes,
        evaluation_bytes=watcher.evaluation_bytes,
        reserved_bytes=reserved,
        step_seconds=median(watcher.seconds[1:]),
    )


class _Watcher(TrainerCallback):  # type: ignore[misc]
    """Reads the meter between the phases of the steps that come after the first."""

    def __init__(self, meter: Meter, case: Case, plan: TrainPlan) -> None:
        self._meter = meter
        self._case, self._plan = case, plan
        self._begun = 0.0
        self._is_first = True
        self.training_bytes = self.optimizer_bytes = self.evaluation_bytes = 0
        self.seconds: list[float] = []

    def on_train_begin(self, args: Any, state: Any, control: Any, **named: Any) -> None:
        if self._meter.device == "cpu":
            compute_again_as_on_a_card(named["model"])

    def on_step_begin(self, args: Any, state: Any, control: Any, **named: Any) -> None:
        self._meter.mark()
        self._begun = time.perf_counter()

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **named: Any) -> None:
        peak = self._meter.mark()
        if not self._is_first:
            self.training_bytes = max(self.training_bytes, peak)

    def on_optimizer_step(self, args: Any, state: Any, control: Any, **named: Any) -> None:
        peak = self._meter.mark()
        self.seconds.append(time.perf_counter() - self._begun)
        if not self._is_first:
            self.optimizer_bytes = max(self.optimizer_bytes, peak)
        self._is_first = False

    def on_step_end(self, args: Any, state: Any, control: Any, **named: Any) -> None:
        """Evaluate as the worker does it between two steps, moments and all in place."""
        if state.global_step == STEPS and self._case.has_fused_head:
            self._meter.mark()
            with precision_context(self._plan):
                mean_loss(
                    named["model"],
                    [_example(self._case, self._case.tokens)] * self._case.evaluation_rows,
                    0,
                )
            self.evaluation_bytes = self._meter.mark()


def _plain_loss(
    model: Any,
    inputs: dict[str, Any],
    return_outputs: bool = False,
    num_items_in_batch: Any = None,
) -> Any:
    """The library's own loss, with all logits."""
    return model(**inputs, use_cache=False).loss


def _examples(case: Case) -> list[Example]:
    whole, half = _example(case, case.tokens), _example(case, case.tokens // 2)
    pair = [whole, half if case.is_padded else whole]
    return (pair * case.run_rows)[: case.run_rows]


def _example(case: Case, tokens: int) -> Example:
    ids = tuple(3 + place % 200 for place in range(tokens))
    unlearned = (NOT_LEARNED,) * (tokens - case.learned)
    return Example(
        input_ids=ids, labels=(*unlearned, *ids[tokens - case.learned :]), text="",
        answers=(), cut_at=0, cut_tokens=0, last_learned_id=ids[-1],
    )  # fmt: skip
