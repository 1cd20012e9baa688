"""Ways to train whose peaks are measured, each as the plan of a run and as the estimator sees it."""

from dataclasses import dataclass

from tailor.engine.trace_request import EVALUATION_TOKENS
from tailor.estimator.workload import LengthHistogram, Technique, Workload
from tailor.recipes.spec import TrainPlan

STEPS = 4
LEARNED_SHARE = 0.4
ADAPTER = (("r", 16), ("lora_alpha", 32), ("lora_dropout", 0.0), ("target_modules", "all-linear"))
NF4 = (
    ("load_in_4bit", True), ("bnb_4bit_quant_type", "nf4"), ("bnb_4bit_use_double_quant", True),
    ("bnb_4bit_compute_dtype", "bfloat16"), ("bnb_4bit_quant_storage", "bfloat16"),
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One way to train."""

    technique: Technique
    is_checkpointing: bool
    has_fused_head: bool
    rows: int
    tokens: int
    accumulation: int = 1
    is_padded: bool = False
    """Every second row is half as long and filled up, so that attention gets a mask."""

    @property
    def run_rows(self) -> int:
        """Rows of all steps together."""
        return STEPS * self.rows * self.accumulation

    @property
    def evaluation_rows(self) -> int:
        """Rows that the worker evaluates side by side."""
        return max(1, EVALUATION_TOKENS // self.tokens)

    @property
    def learned(self) -> int:
        """Tokens of a row with a label."""
        return max(1, int(LEARNED_SHARE * self.tokens))


def make_workload(case: Case) -> Workload:
    """The case as the estimator sees it."""
    count = case.run_rows
    lengths = LengthHistogram(
        edges_tokens=(case.tokens,), counts=(count,), total_tokens=count * case.tokens,
        learned_tokens=count * case.learned, longest_tokens=case.tokens,
    )  # fmt: skip
    is_packed = case.technique == "qlora"
    return Workload(
        technique=case.technique, lengths=lengths, max_length_tokens=case.tokens,
        micro_batch_rows=case.rows, accumulation=case.accumulation, steps=STEPS, evaluations=0, held_out_rows=0,
        held_out_tokens=0, weight_bytes_per_parameter=0.516 if is_packed else 2.0,
        trainable_bytes_per_parameter=4.0 if case.technique == "lora" else 2.0,
        lora_rank=0 if case.technique == "full" else 16,
        is_checkpointing_activations=case.is_checkpointing,
        base_format="nf4_double" if is_packed else "plain", is_autocast=case.technique != "full",
    )  # fmt: skip


def make_plan(case: Case, device: str) -> TrainPlan:
    """A plan in bf16, as recipes make it for a card."""
    training = {
        "learning_rate": 1e-4, "per_device_train_batch_size": case.rows,
        "gradient_accumulation_steps": case.accumulation, "optim": "adamw_torch_fused", "max_grad_norm": 1.0,
    }  # fmt: skip
    return TrainPlan(
        recipe=f"sft_{case.technique}", method="sft", technique=case.technique, device=device,
        precision="bf16", precision_reason="", training=tuple(training.items()),
        adapter=() if case.technique == "full" else ADAPTER,
        quantisation=NF4 if case.technique == "qlora" else (),
        max_length_tokens=case.tokens, max_new_tokens=4, steps=STEPS, evaluate_every_steps=STEPS,
        workload=make_workload(case),
    )  # fmt: skip
