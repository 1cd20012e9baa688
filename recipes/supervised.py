"""The plan that every recipe of learning from answers has in common, decision by decision.

A recipe says which parts of the model learn; how often, how long, how strongly and in which numbers
is decided here in the same way for all, each with its sentence. Called by the `sft_` recipes.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.memory.states import FP32_BYTES
from tailor.estimator.record import record
from tailor.estimator.workload import BaseFormat, Technique, Workload
from tailor.recipes.adapter import explain_added_words
from tailor.recipes.answer_length import compute_max_new_tokens
from tailor.recipes.batch import Batch, choose_batch, compute_batch_rows, with_batch
from tailor.recipes.knobs import read_knobs
from tailor.recipes.packing import choose_packing, explain_packing
from tailor.recipes.passes import PASSES, choose_passes
from tailor.recipes.precision import PrecisionChoice
from tailor.recipes.row_length import LONGEST_ROW, choose_row_length
from tailor.recipes.schedule import (
    PATIENCE_EVALUATIONS,
    WARM_UP_SHARE,
    Schedule,
    compute_schedule,
)
from tailor.recipes.spec import Arguments, Knob, PlanReason, RunSpec, TrainPlan
from tailor.recipes.strength import STRENGTH, Strength, choose_strength

KNOBS: tuple[Knob, ...] = (STRENGTH, PASSES, LONGEST_ROW)


@record
class Storage:
    """How many bytes a weight takes while it rests and while it learns."""

    weight_bytes: float
    trainable_bytes: float
    base_format: BaseFormat = "plain"


def plan_supervised(
    spec: RunSpec,
    hardware: HardwareSpec,
    *,
    technique: Technique,
    precision: PrecisionChoice,
    storage: Storage,
    adapter: Arguments = (),
    quantisation: Arguments = (),
    reasons: tuple[PlanReason, ...] = (),
) -> TrainPlan:
    """The whole plan. `adapter` comes without a rank: strength sets it."""
    chosen = read_knobs(KNOBS, spec)
    rows, lengths = spec.dataset.train_rows, spec.dataset.lengths
    strength = choose_strength(chosen[STRENGTH.id], technique, spec.model.architecture.hidden)
    passes = choose_passes(chosen[PASSES.id], rows, hardware.device)
    row = choose_row_length(chosen[LONGEST_ROW.id], lengths, spec.model.architecture.max_positions)
    schedule = compute_schedule(rows, passes.count, compute_batch_rows(rows))
    new_tokens = compute_max_new_tokens(spec)
    workload = Workload(
        technique=technique,
        lengths=lengths,
        max_length_tokens=row.limit_tokens,
        micro_batch_rows=1,
        accumulation=1,
        steps=schedule.steps,
        evaluations=schedule.evaluations,
        held_out_rows=spec.dataset.held_out_rows,
        held_out_tokens=spec.dataset.held_out_tokens,
        exam_questions=len(spec.exam),
        exam_new_tokens=new_tokens,
        weight_bytes_per_parameter=storage.weight_bytes,
        trainable_bytes_per_parameter=storage.trainable_bytes,
        base_format=storage.base_format,
        is_autocast=precision.precision != "fp32" and storage.trainable_bytes >= FP32_BYTES,
        lora_rank=strength.rank if adapter else 0,
        save_count=schedule.evaluations,
    )
    batch = choose_batch(workload, spec.model, hardware)
    packing = choose_packing(with_batch(workload, batch), hardware.device)
    common = (
        PlanReason(setting="epochs", value=str(passes.count), words=passes.words),
        _strength_reason(strength, bool(adapter)),
        PlanReason(setting="batch", value=str(batch.rows), words=batch.rows_words),
        PlanReason(setting="micro batch", value=_feeding(batch), words=batch.feeding_words),
        *_twice_reason(batch),
        PlanReason(setting="max_length", value=str(row.limit_tokens), words=row.words),
        PlanReason(setting="steps", value=str(schedule.steps), words=schedule.words),
        PlanReason(setting="precision", value=precision.precision, words=precision.words),
        *explain_packing(packing),
        *explain_added_words(spec.added_words),
    )
    return TrainPlan(
        recipe=spec.recipe,
        method="sft",
        technique=technique,
        device=hardware.device,
        precision=precision.precision,
        precision_reason=precision.words,
        training=_training(
            spec,
            hardware,
            strength=strength,
            batch=batch,
            schedule=schedule,
            limit_tokens=row.limit_tokens,
            is_packing=packing.is_chosen,
        ),
        adapter=_with_rank(adapter, strength),
        quantisation=quantisation,
        max_length_tokens=row.limit_tokens,
        max_new_tokens=new_tokens,
        steps=schedule.steps,
        evaluate_every_steps=schedule.evaluate_every_steps,
        patience_evaluations=PATIENCE_EVALUATIONS,
        reasons=common + reasons,
        workload=with_batch(workload, batch),
    )


def _training(
    spec: RunSpec,
    hardware: HardwareSpec,
    *,
    strength: Strength,
    batch: Batch,
    schedule: Schedule,
    limit_tokens: int,
    is_packing: bool,
) -> Arguments:
    """Keyword arguments of SFTConfig. Only answers are learned, and the end of an answer too."""
    return (
        ("max_steps", schedule.steps),
        ("learning_rate", strength.learning_rate),
        ("lr_scheduler_type", "cosine"),
        # A float below 1 is a share of the steps (transformers 5).
        ("warmup_steps", WARM_UP_SHARE),
        ("per_device_train_batch_size", batch.micro_rows),
        ("per_device_eval_batch_size", batch.micro_rows),
        ("gradient_accumulation_steps", batch.accumulation),
        ("max_length", limit_tokens),
        ("packing", is_packing),
        ("optim", "adamw_torch_fused" if hardware.device == "cuda" else "adamw_torch"),
        ("weight_decay", 0.0),
        ("max_grad_norm", 1.0),
        ("seed", spec.seed),
    )


def _with_rank(adapter: Arguments, strength: Strength) -> Arguments:
    if not adapter:
        return ()
    return (("r", strength.rank), ("lora_alpha", 2 * strength.rank), *adapter)


def _twice_reason(batch: Batch) -> tuple[PlanReason, ...]:
    """How many layers are computed twice; nothing where none is."""
    if not batch.twice:
        return ()
    return (PlanReason(setting="checkpointing", value=batch.twice, words=batch.twice_words),)


def _strength_reason(strength: Strength, has_adapter: bool) -> PlanReason:
    rank = f", rank {strength.rank}" if has_adapter else ""
    return PlanReason(
        setting="learning rate",
        value=f"{strength.learning_rate:g}{rank}",
        words=strength.words,
    )


def _feeding(batch: Batch) -> str:
    return f"{batch.micro_rows} x {batch.accumulation}"
