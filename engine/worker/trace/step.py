"""One optimizer step and one evaluation batch, as the worker's trainer makes them.

Moments appear in the first step, so the second one is what a run repeats, and what is followed.
Every phase is told to the ledger, which counts. `tracer.py` calls it with a model that has weights.
"""

from collections.abc import Callable
from typing import Any

import torch

from tailor.engine.worker.trace import head
from tailor.engine.worker.trace.ledger import Ledger
from tailor.engine.worker.trace.model import DTYPES, list_tensors
from tailor.engine.worker.trace.optimizer import build_optimizer
from tailor.estimator.trace import TraceRequest

LARGEST_NORM = 1.0
"""Gradients are cut at this norm, as in every plan."""

Batch = dict[str, torch.Tensor]


def follow_run(model: Any, request: TraceRequest, ledger: Ledger) -> None:
    """A step of a run that is under way, and an evaluation; the ledger then holds all peaks."""
    learning = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
    optimizer = build_optimizer(request.optimizer, learning)
    ledger.enter("weights")
    ledger.count(list_tensors(model))
    ledger.enter("weights")
    resting = dict(ledger.peaks["weights"])
    _make_moments(optimizer)
    untouched = _step(model, request, ledger, optimizer)
    if untouched:
        # Whatever gets no gradient, such as the eyes of a model that reads text, gets no moments.
        for weight in untouched:
            del optimizer.state[weight]
        _step(model, request, ledger, optimizer)
    ledger.peaks["weights"] = resting
    ledger.enter("evaluation")
    _evaluate(model, request)


def _make_moments(optimizer: Any) -> None:
    """The first step, as far as it leaves something behind; any gradients will do."""
    for weight in list_learning(optimizer):
        weight.grad = torch.empty_like(weight)
    optimizer.step()
    optimizer.zero_grad()


def list_learning(optimizer: Any) -> list[torch.Tensor]:
    """The weights that an optimizer changes."""
    return [weight for group in optimizer.param_groups for weight in group["params"]]


def _step(model: Any, request: TraceRequest, ledger: Ledger, optimizer: Any) -> list[torch.Tensor]:
    """One step; answers what got no gradient in it."""
    ledger.forget_peaks()
    # The loader fetches the micro-batches of a whole step first, and they stay until its end.
    batches = [_make_batch(request.rows, request.tokens) for _ in range(request.accumulation)]
    for batch in batches:
        ledger.enter("forward")
        loss = _compute_loss(model, request, batch)
        ledger.enter("backward")
        loss.backward()
        del loss
    ledger.enter("optimizer")
    learning = list_learning(optimizer)
    untouched = [weight for weight in learning if weight.grad is None]
    torch.nn.utils.clip_grad_norm_(learning, LARGEST_NORM, foreach=True)
    optimizer.step()
    optimizer.zero_grad()
    return untouched


def _make_batch(rows: int, tokens: int) -> Batch:
    ids = torch.zeros((rows, tokens), dtype=torch.int64)
    return {
        "input_ids": ids, "labels": torch.zeros_like(ids), "attention_mask": torch.ones_like(ids),
    }  # fmt: skip


def _fed(batch: Batch, request: TraceRequest) -> Batch:
    """What the model is given. A mask that lets everything pass is dropped by the library, which it
    can't see without numbers."""
    if request.has_padding and batch["input_ids"].shape[0] > 1:
        return batch
    return {name: told for name, told in batch.items() if name != "attention_mask"}


def _compute_loss(model: Any, request: TraceRequest, batch: Batch) -> torch.Tensor:
    forward = _with_autocast(model, request)
    if request.head == "tile":
        learned = torch.tensor(float(request.learned_tokens))
        return head.compute_loss(forward, _fed(batch, request), learned)
    loss: torch.Tensor = forward(**_fed(batch, request), use_cache=False).loss
    return loss


def _with_autocast(model: Any, request: TraceRequest) -> Callable[..., Any]:
    """The model's forward pass as accelerate wraps it: 16-bit products, fp32 results."""
    if not request.is_autocast or request.products == "fp32":
        return model  # type: ignore[no-any-return]
    from accelerate.utils import convert_outputs_to_fp32

    context = torch.autocast("cpu", dtype=DTYPES[request.products])
    wrapped: Callable[..., Any] = convert_outputs_to_fp32(context(model.forward))
    return wrapped


def _evaluate(model: Any, request: TraceRequest) -> None:
    model.eval()
    batch = _fed(_make_batch(request.evaluation_rows, request.evaluation_tokens), request)
    is_cast = request.is_autocast and request.products != "fp32"
    with (
        torch.no_grad(),
        torch.autocast("cpu", dtype=DTYPES[request.products], enabled=is_cast),
    ):
        if request.head == "tile":
            from tailor.engine.worker.loss import sum_loss

            # The trainer has wrapped the very model that is evaluated.
            sum_loss(_with_autocast(model, request), batch)
        else:
            model(**batch, use_cache=False)
    model.train()
