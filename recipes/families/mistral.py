"""Mistral. Its templates know no thoughts, and the older ones no system turn."""

from tailor.recipes.families.family import Family, GapMarks

FAMILY = Family(
    id="mistral",
    title="Mistral",
    model_types=("mistral",),
    architectures=("MistralForCausalLM",),
    tokenizer_classes=("LlamaTokenizer", "LlamaTokenizerFast"),
    lora_targets=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
    gap_marks=(GapMarks(before="[PREFIX]", after="[SUFFIX]", is_after_first=True),),
    licence="Apache-2.0 for most; Codestral may not be used for business.",
    quirks=("Standing instructions are put in front of the first question.",),
)
