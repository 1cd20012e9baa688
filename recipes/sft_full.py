"""Learn from answers with every weight of the model.

For whom: small models, large data, or a domain that adapters do not take up. How: plain
fine-tuning; the result is a complete model, as large as the base.

Cost: weights, gradients and two moments in fp32, 16 bytes a weight, where that fits; products are
still computed in 16 bits where the machine can. On a card that is too small for it the weights are
kept in bf16, 8 bytes a weight with gradient and moments: small steps are then rounded, so learning
is a little coarser, and the plan says so.

Defaults: learning rate 2e-5 at a width of 4096, a tenth of the adapter's, and more for narrower
models (1e-4 for the 135M starter model); the rest as in `sft_lora`. It forgets more of what the
model could do before than adapters do.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.batch import USABLE_SHARE
from tailor.recipes.precision import PrecisionChoice, choose_precision
from tailor.recipes.spec import ModelSpec, PlanReason, Recipe, RunSpec, TrainPlan
from tailor.recipes.supervised import KNOBS, Storage, plan_supervised

MASTER_BYTES = 16
"""A weight, its gradient and its two moments in fp32."""
STORED_BYTES = 2
"""Model folders hold 16-bit weights."""


def plan(spec: RunSpec, hardware: HardwareSpec) -> TrainPlan:
    """Every weight learns, in fp32 wherever that fits."""
    precision = choose_precision(hardware)
    storage, reason = _choose_storage(spec.model, hardware, precision)
    return plan_supervised(
        spec,
        hardware,
        technique="full",
        precision=precision,
        storage=storage,
        reasons=(reason,),
    )


def _choose_storage(
    model: ModelSpec, hardware: HardwareSpec, precision: PrecisionChoice
) -> tuple[Storage, PlanReason]:
    weights = model.weights_bytes // STORED_BYTES
    computes = 4.0 if precision.precision == "fp32" else 2.0
    need = MASTER_BYTES * weights
    free = hardware.cards[0].free_bytes if hardware.cards else hardware.ram_free_bytes
    # fp16 weights cannot learn by themselves: their steps vanish. Only bf16 may go without fp32.
    if need <= USABLE_SHARE * free or precision.precision != "bf16":
        words = "Weights are kept in 32 bits while they learn, so that even small steps count."
        storage = Storage(weight_bytes=computes, trainable_bytes=4.0)
        return storage, PlanReason(setting="weights", value="fp32", words=words)
    words = (
        f"In 32 bits the weights would need {need / 1e9:.0f} GB and {free / 1e9:.0f} GB are free, "
        "so they are kept in 16 bits. Small steps are rounded; the small adapter is often better."
    )
    storage = Storage(weight_bytes=2.0, trainable_bytes=2.0)
    return storage, PlanReason(setting="weights", value="bf16", words=words)


RECIPE = Recipe(
    id="sft_full",
    title="The whole model",
    for_whom="For small models and thousands of rows.",
    how_it_works="Every part of the model learns from your answers. The result is a complete "
    "model, and it forgets more of what it could before.",
    method="sft",
    technique="full",
    needs="About eight times the memory of the model's files.",
    knobs=KNOBS,
    plan=plan,
)
