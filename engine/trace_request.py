"""From a plan to the question that an exact trace answers: one step of it, on one card.

The plan's own arguments for the libraries are handed on, so that what is traced is what would run.
What a trace cannot follow is refused here in words, before anything is started. `tracing.py` asks.
"""

import json
from pathlib import Path

from tailor.estimator.gpus import find_gpu
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.memory.loss_head import compute_logit_tokens
from tailor.estimator.stack import TAILOR
from tailor.estimator.trace import TraceRequest
from tailor.estimator.workload import BaseFormat, Batches, Workload, compute_batches
from tailor.recipes.spec import Precision, RunSpec, TrainPlan

EVALUATION_TOKENS = 2048
"""Padded tokens in one evaluation batch; the worker's loss has the same number, a test holds them
together."""
WORKSPACE_BYTES = 2 * 8_519_680
"""cuBLAS keeps one for the forward and one for the backward thread (torch, CUDABlas.cpp:
:4096:2:16:8 in KiB); the published peaks of seven runs lie 17 to 20 MB above their tensors."""
HOPPER_WORKSPACE_BYTES = 2 * 33_554_432
"""The same from the H100 on (torch, CUDABlas.cpp: 32 MiB)."""
HOPPER = 9.0
FP32_BYTES = 4


class NotTraceableError(Exception):
    """This plan cannot be traced; the message says why, for a person."""


def make_request(spec: RunSpec, plan: TrainPlan, hardware: HardwareSpec) -> TraceRequest:
    """The step with the longest rows. Raises `NotTraceableError` in words."""
    _refuse_what_is_not_followed(spec, plan)
    workload, batches = plan.workload, compute_batches(plan.workload)
    evaluation_rows = max(1, EVALUATION_TOKENS // batches.longest_row_tokens)
    return TraceRequest(
        config=_read_config(Path(spec.model.path)),
        technique=plan.technique,
        weights=_resting_numbers(plan),
        products=plan.precision,
        is_autocast=plan.precision != "fp32",
        base_format=_base_format(plan),
        adapter=plan.adapter,
        # TRL casts the adapters of a packed base (sft_trainer.py, read).
        adapter_numbers="bf16" if plan.technique == "qlora" else None,
        rows=workload.micro_batch_rows,
        tokens=batches.longest_row_tokens,
        learned_tokens=max(1, round(compute_logit_tokens(workload, batches))),
        # Rows of one length throughout are too rare to promise anything by.
        has_padding=workload.micro_batch_rows > 1,
        accumulation=workload.accumulation,
        checkpointed_layers=_checkpointed_layers(workload),
        optimizer=workload.optimizer,
        head=TAILOR.head,
        # The worker builds with torch's attention, whose kernels are flash where no mask is.
        attention="eager" if workload.attention == "eager" else "sdpa",
        has_fused_kernels=workload.has_fused_kernels,
        evaluation_rows=evaluation_rows,
        evaluation_tokens=batches.longest_row_tokens,
        evaluation_columns=_evaluation_columns(batches),
        workspace_bytes=compute_workspace_bytes(hardware.cards[0]),
    )


def compute_workspace_bytes(card: Card) -> int:
    """What cuBLAS takes on a card; a card that is not in the table is taken for a new one."""
    known = find_gpu(card.name, card.memory_bytes)
    is_older = known is not None and known.compute_capability < HOPPER
    return WORKSPACE_BYTES if is_older else HOPPER_WORKSPACE_BYTES


def _refuse_what_is_not_followed(spec: RunSpec, plan: TrainPlan) -> None:
    workload = plan.workload
    if plan.device != "cuda":
        raise NotTraceableError(
            "The exact check is for graphics cards. Here the memory is the computer's own, and "
            "programs take more of it than the numbers of the model."
        )
    reasons = (
        (workload.objective != "sft", "It follows learning from answers only."),
        (workload.cards > 1, "It follows one card, and this plan shares the work between several."),
        (workload.is_offloading_activations, "It does not follow rows that wait in the computer's "
         "memory."),
        (workload.is_packed or workload.is_padding_free, "It does not follow rows that are packed "
         "behind each other."),
        (bool(spec.added_words), "It does not follow words that were added to the model."),
    )  # fmt: skip
    for is_so, words in reasons:
        if is_so:
            raise NotTraceableError(words)


def _read_config(folder: Path) -> str:
    try:
        text = (folder / "config.json").read_text("utf-8")
        is_readable = isinstance(json.loads(text), dict)
    except (OSError, ValueError):
        is_readable = False
    if not is_readable:
        raise NotTraceableError("The model's own description could not be read.")
    return text


def _resting_numbers(plan: TrainPlan) -> Precision:
    is_full = plan.technique == "full"
    if is_full and plan.workload.trainable_bytes_per_parameter >= FP32_BYTES:
        return "fp32"
    return plan.precision


def _base_format(plan: TrainPlan) -> BaseFormat:
    if plan.technique != "qlora":
        return "plain"
    is_nested = dict(plan.quantisation).get("bnb_4bit_use_double_quant", False)
    return "nf4_double" if is_nested else "nf4"


def _checkpointed_layers(workload: Workload) -> int | None:
    return workload.checkpointed_layers if workload.is_checkpointing_activations else 0


def _evaluation_columns(batches: Batches) -> int:
    """Every column where one of several rows learns is needed; rows learn at different places."""
    return max(1, round(batches.longest_row_tokens * min(1.0, 1.5 * batches.learned_share)))
