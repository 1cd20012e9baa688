"""Joins a base and its adapter into one model, and proves that the two answer alike.

The joined model must answer like base and adapter apart, and the one loaded again from disk like
the one in memory. Called by the export child.
"""

import json
from dataclasses import replace
from pathlib import Path

import torch
from peft import PeftModel

from tailor.engine.child import Report
from tailor.engine.errors import UserError
from tailor.engine.run_dir import RunDir
from tailor.engine.types import FrozenRun
from tailor.engine.worker.added_words import add_words
from tailor.engine.worker.build import load_base
from tailor.engine.worker.endings import read_end_ids
from tailor.engine.worker.examples import build_examples
from tailor.engine.worker.final import save_finished
from tailor.engine.worker.proof import PROBE_ROWS, forget_models, read_probe
from tailor.engine.worker.rows import read_checked_rows
from tailor.engine.worker.template import load_tokenizer

MERGE_TOLERANCE = 1e-3
"""Absolute, on a logit in fp32: adding the adapter once to the weights rounds otherwise than adding
its product to each result."""


def merge(run_dir: RunDir, run: FrozenRun, staging: Path, report: Report) -> None:
    """Base and adapter in one, stored in the base's precision."""
    base = Path(run.spec.model.path)
    # On the processor and in fp32: exact, and it works while a card is busy with another run.
    plan = replace(run.plan, device="cpu", precision="fp32")
    tokenizer = load_tokenizer(base)
    added = add_words(tokenizer, run.spec.added_words)
    rows = read_checked_rows(run.spec.dataset)[: 10 * PROBE_ROWS]
    probes = build_examples(tokenizer, rows, plan.max_length_tokens).train
    report(0.1, "Loading model and adapter.")
    model = PeftModel.from_pretrained(
        load_base(plan, base, added, is_quantised=False), run_dir.final, local_files_only=True
    )
    apart = read_probe(model, plan, probes)
    report(0.4, "Joining them.")
    merged = model.merge_and_unload(safe_merge=True)
    _require_equal(apart, read_probe(merged, plan, probes))
    round_weights(merged, _read_dtype(base))
    save_finished(
        merged,
        tokenizer,
        staging,
        base=base,
        base_name=run.spec.model.name,
        end_ids=read_end_ids(tokenizer, base),
        has_added_words=bool(added),
    )
    stored = read_probe(merged.float(), plan, probes)
    del model, merged
    forget_models()
    report(0.7, "Loading the result again to compare.")
    _require_equal(stored, read_probe(load_base(plan, staging, is_quantised=False), plan, probes))


def round_weights(model: torch.nn.Module, dtype: torch.dtype) -> None:
    """Parameters only: `model.to` would also round buffers, which no file keeps.

    Measured on SmolLM2-135M in bf16: that alone moved a logit by 0.059.
    """
    for parameter in model.parameters():
        parameter.data = parameter.data.to(dtype)


def _require_equal(one: torch.Tensor, other: torch.Tensor) -> None:
    difference = float((one - other).abs().max())
    if not difference <= MERGE_TOLERANCE:
        raise UserError(
            title="The complete model would not answer like yours",
            detail=f"After joining, its numbers differ by {difference:.2g}; at most "
            f"{MERGE_TOLERANCE:g} is allowed. Nothing was kept.",
            fix="Use the adapter together with its base model.",
        )


def _read_dtype(base: Path) -> torch.dtype:
    """In which precision the base's files are."""
    config = json.loads((base / "config.json").read_text("utf-8"))
    # transformers 5 writes "dtype"; folders made by older versions have "torch_dtype".
    return getattr(torch, config.get("dtype") or config.get("torch_dtype") or "float32")
