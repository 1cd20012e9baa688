"""Qwen 2, 2.5 and 3. They think before they answer where their template asks for it."""

from tailor.recipes.families.family import Family, GapMarks

FAMILY = Family(
    id="qwen",
    title="Qwen",
    model_types=("qwen2", "qwen3"),
    architectures=("Qwen2ForCausalLM", "Qwen3ForCausalLM"),
    tokenizer_classes=("Qwen2Tokenizer", "Qwen2TokenizerFast"),
    lora_targets=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
    gap_marks=(GapMarks(before="<|fim_prefix|>", after="<|fim_suffix|>", middle="<|fim_middle|>"),),
    licence="Apache-2.0 for most sizes; 3B and 72B of version 2.5 have licences of their own.",
    quirks=(
        "Version 3 thinks before it answers. Trained on answers without thoughts it learns to "
        "answer at once.",
    ),
)
