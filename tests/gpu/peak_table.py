"""Sets measured peaks beside the exact trace and the closed form, case by case, and prints them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import torch
from measured_steps import Measured
from peak_cases import ADAPTER, Case, make_workload

from tailor.engine.trace_request import HOPPER_WORKSPACE_BYTES, WORKSPACE_BYTES
from tailor.engine.worker.trace.tracer import trace
from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.peak import compute_memory
from tailor.estimator.stack import TAILOR, Head
from tailor.estimator.trace import TraceRequest, TraceResult
from tailor.estimator.workload import compute_batches

LOGIT_BYTES = 12.0
"""Bytes a logit of the library's own loss, for the closed form: traced with transformers 5.24."""


@dataclass(frozen=True)
class Row:
    """A case with all that is known about it."""

    case: Case
    measured: Measured
    traced: TraceResult
    closed_bytes: int

    @property
    def peak_bytes(self) -> int:
        """The measured peak of a training step."""
        return max(self.measured.training_bytes, self.measured.optimizer_bytes)

    @property
    def trace_error(self) -> float:
        """Of the traced peak of a training step."""
        traced = self.traced
        peak = max(traced.forward_bytes, traced.backward_bytes, traced.optimizer_bytes)
        return peak / self.peak_bytes - 1

    @property
    def closed_error(self) -> float:
        """Of the closed form's."""
        return self.closed_bytes / self.peak_bytes - 1


def ask_trace(case: Case, config: dict[str, Any], workspace_bytes: int) -> TraceResult:
    """The exact trace of the case."""
    return trace(
        TraceRequest(
            config=json.dumps(config), technique=case.technique, weights="bf16", products="bf16",
            base_format=make_workload(case).base_format,
            adapter=() if case.technique == "full" else ADAPTER,
            adapter_numbers="bf16" if case.technique == "qlora" else None, rows=case.rows,
            tokens=case.tokens, learned_tokens=case.rows * case.learned,
            accumulation=case.accumulation, has_padding=case.is_padded,
            checkpointed_layers=None if case.is_checkpointing else 0,
            head="tile" if case.has_fused_head else "logits", attention="sdpa",
            evaluation_rows=case.evaluation_rows, evaluation_tokens=case.tokens,
            evaluation_columns=case.learned, workspace_bytes=workspace_bytes,
        )
    )  # fmt: skip


def ask_closed_form(case: Case, config: dict[str, Any]) -> int:
    """What the formulas say."""
    workload, shape = make_workload(case), Architecture.from_config(config)
    head: Head = "tile" if case.has_fused_head else "logits"
    stack = replace(TAILOR, head=head, logit_bytes=0.0 if head == "tile" else LOGIT_BYTES)
    memory = compute_memory(
        workload, shape, compute_batches(workload), "cuda",
        weights_bytes=2 * shape.parameters, stack=stack,
    )  # fmt: skip
    return memory.allocated


def read_workspace_bytes() -> int:
    """cuBLAS' on this card, 0 without one."""
    if not torch.cuda.is_available():
        return 0
    is_hopper = torch.cuda.get_device_capability()[0] >= 9
    return HOPPER_WORKSPACE_BYTES if is_hopper else WORKSPACE_BYTES


def read_context_bytes() -> int:
    """What is taken on the card beside this process's tensors; 0 without one."""
    if not torch.cuda.is_available():
        return 0
    free, total = torch.cuda.mem_get_info()
    return total - free - torch.cuda.memory_reserved()


def compare(case: Case, config: dict[str, Any], measure_case: Callable[[Case], Measured]) -> Row:
    """A case measured, traced and worked out."""
    return Row(
        case=case,
        measured=measure_case(case),
        traced=ask_trace(case, config, read_workspace_bytes()),
        closed_bytes=ask_closed_form(case, config),
    )


def _off(told: int, seen: int) -> str:
    return f"{told / seen - 1:.2%}" if seen else "-"


def render_table(rows: list[Row]) -> str:
    """The table that the script prints."""
    lines = [
        "technique ckpt head  tokens   measured GB    traced    off     closed    off   "
        "optimizer off  evaluation off  reserved  step s"
    ]
    for row in rows:
        case, seen, told = row.case, row.measured, row.traced
        peak = max(told.forward_bytes, told.backward_bytes, told.optimizer_bytes)
        lines.append(
            f"{case.technique:10}{'on' if case.is_checkpointing else 'off':5}"
            f"{'tile' if case.has_fused_head else 'all':5}"
            f"{case.tokens:6}{'p' if case.is_padded else ' '}"
            f"{row.peak_bytes / 1e9:14.4f}{peak / 1e9:10.4f}{row.trace_error:8.2%}"
            f"{row.closed_bytes / 1e9:10.3f}{row.closed_error:8.2%}"
            f"{told.optimizer_bytes / seen.optimizer_bytes - 1:13.2%}"
            f"{_off(told.evaluation_bytes, seen.evaluation_bytes):>15}"
            f"{seen.reserved_bytes / row.peak_bytes:11.3f}{seen.step_seconds:9.3f}"
        )
    for name, errors in (
        ("trace", [abs(row.trace_error) for row in rows]),
        ("closed form", [abs(row.closed_error) for row in rows]),
    ):
        lines.append(f"{name}: median {median(errors):.2%}, worst {max(errors):.2%}")
    return "\n".join(lines)
