"""Gemma 1, 2 and 3 (text). A turn of standing instructions exists from version 3 on."""

from tailor.recipes.families.family import Family, GapMarks

FAMILY = Family(
    id="gemma",
    title="Gemma",
    model_types=("gemma", "gemma2", "gemma3_text"),
    architectures=("GemmaForCausalLM", "Gemma2ForCausalLM", "Gemma3ForCausalLM"),
    tokenizer_classes=("GemmaTokenizer", "GemmaTokenizerFast"),
    lora_targets=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
    gap_marks=(GapMarks(before="<|fim_prefix|>", after="<|fim_suffix|>", middle="<|fim_middle|>"),),
    licence="Google's Gemma terms, which forbid some uses.",
    quirks=(
        "Its vocabulary is four times as large as others', so checking answers needs more memory.",
    ),
)
