"""Granite 3 and 4 (dense): models for business text and code."""

from tailor.recipes.families.family import Family, GapMarks

FAMILY = Family(
    id="granite",
    title="Granite",
    model_types=("granite",),
    architectures=("GraniteForCausalLM",),
    tokenizer_classes=("GPT2Tokenizer", "GPT2TokenizerFast"),
    lora_targets=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
    gap_marks=(
        GapMarks(before="<fim_prefix>", after="<fim_suffix>", middle="<fim_middle>"),
        GapMarks(before="<|fim_prefix|>", after="<|fim_suffix|>", middle="<|fim_middle|>"),
    ),
    licence="Apache-2.0.",
)
