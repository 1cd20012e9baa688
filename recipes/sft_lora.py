"""Learn from answers by small adapters beside an untouched model. The default.

For whom: anybody with questions and answers, from fifty rows on, who wants a result they can undo.
How: each linear layer gets two thin matrices (LoRA); only these learn, about 1 to 4 % of the
weights. The base is shared by all projects and never changed; the adapter is a file of a few
megabytes.

Cost: the base in 16 bits (32 on a processor without bf16), plus 16 bytes for each adapter weight,
plus the rows in work. Speed is about one and a half times that of full fine-tuning.

Defaults: rank 16, alpha 32, no dropout, learning rate 2e-4 at a width of 4096 and more for narrower
models (1e-3 for the 135M starter model), cosine with 3 % warm-up, no weight decay; 4, 8 or 16 rows
a step and 5, 3, 2 or 1 passes by the number of rows. `strength.py`, `passes.py` and `batch.py` hold
the trials they come from. Refuses nothing; the estimate tells what does not fit.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.adapter import compute_adapter, explain_adapter
from tailor.recipes.precision import choose_precision
from tailor.recipes.spec import Recipe, RunSpec, TrainPlan
from tailor.recipes.supervised import KNOBS, Storage, plan_supervised


def plan(spec: RunSpec, hardware: HardwareSpec) -> TrainPlan:
    """Adapters in fp32 on a base in the machine's best numbers."""
    precision = choose_precision(hardware)
    base_bytes = 4.0 if precision.precision == "fp32" else 2.0
    return plan_supervised(
        spec,
        hardware,
        technique="lora",
        precision=precision,
        storage=Storage(weight_bytes=base_bytes, trainable_bytes=4.0),
        adapter=compute_adapter(spec.model),
        reasons=(explain_adapter(spec.model),),
    )


RECIPE = Recipe(
    id="sft_lora",
    title="Small adapter",
    for_whom="Right for most projects.",
    how_it_works="The model stays as it is and a small part is added that learns from your "
    "answers. You can switch it off, and it is a file of a few megabytes.",
    method="sft",
    technique="lora",
    needs="Memory for the model and a little more.",
    knobs=KNOBS,
    plan=plan,
)
