"""Learn by small adapters beside a model that is packed into 4 bits.

For whom: a model that does not fit into the card's memory in 16 bits. How: as in `sft_lora`, with
the linear layers of the base packed (bitsandbytes NF4, twice quantised) and unpacked piece by piece
while computing.

Cost: about 0.52 bytes a packed weight instead of 2; embeddings and head stay as they are. Unpacking
takes time with every step. On a card a little: LoRA 8,210 and QLoRA 8,035 tokens/s in torchtune's
table for a 3B model. On a processor more, and the plan says so: SmolLM2-135M, 4 rows of 64 tokens,
one thread, torch 2.13, bitsandbytes 0.50 did 101 instead of 128 tokens/s in fp32 (weights 166
instead of 538 MB) and 142 instead of 189 in bf16 (110 instead of 269 MB). Answers get slightly
worse: the training loss of public runs was 0.3 to 2.1 % higher than with 16 bits.

Adapters learn in bf16, as TRL does it beside a packed base; in fp32 where the machine has no bf16.
Everything else as in `sft_lora`. Never chosen for somebody: a smaller precision is a person's
decision.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.adapter import compute_adapter, explain_adapter
from tailor.recipes.precision import choose_precision
from tailor.recipes.spec import Arguments, PlanReason, Precision, Recipe, RunSpec, TrainPlan
from tailor.recipes.supervised import KNOBS, Storage, plan_supervised

NF4_BYTES = 0.516
"""4 bits a weight and the twice quantised scales of each 64 (0.127 bits)."""
TORCH_NAMES: dict[Precision, str] = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


def plan(spec: RunSpec, hardware: HardwareSpec) -> TrainPlan:
    """The same as with a plain base, with the base packed."""
    precision = choose_precision(hardware)
    compute = TORCH_NAMES[precision.precision]
    quantisation: Arguments = (
        ("load_in_4bit", True),
        ("bnb_4bit_quant_type", "nf4"),
        ("bnb_4bit_use_double_quant", True),
        ("bnb_4bit_compute_dtype", compute),
        # A float type: sharding over several cards splits packed weights only then.
        ("bnb_4bit_quant_storage", compute),
    )
    return plan_supervised(
        spec,
        hardware,
        technique="qlora",
        precision=precision,
        storage=Storage(
            weight_bytes=NF4_BYTES,
            trainable_bytes=4.0 if precision.precision == "fp32" else 2.0,
            base_format="nf4_double",
        ),
        adapter=compute_adapter(spec.model),
        quantisation=quantisation,
        reasons=(explain_adapter(spec.model), _why_packed(hardware)),
    )


def _why_packed(hardware: HardwareSpec) -> PlanReason:
    words = "You chose to pack the model into 4 bits, which takes about a quarter of its memory. "
    if hardware.device == "cpu":
        words += "On a processor that saves memory and is slower, by about a quarter."
    else:
        words += "Choose it when the model does not fit otherwise: unpacking costs a little time."
    return PlanReason(setting="quantisation", value="NF4, 4 bits", words=words)


RECIPE = Recipe(
    id="sft_qlora",
    title="Small adapter on a packed model",
    for_whom="For a model that is too large for your memory.",
    how_it_works="As the small adapter, with the model packed into 4 bits while it learns. "
    "Answers may be slightly worse. Without a graphics card it saves memory and is slower.",
    method="sft",
    technique="qlora",
    needs="About a quarter of the model's memory and a little more.",
    knobs=KNOBS,
    plan=plan,
)
