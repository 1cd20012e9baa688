"""StarCoder 1 and 2: models of code, made to fill gaps."""

from tailor.recipes.families.family import Family, GapMarks

FAMILY = Family(
    id="starcoder",
    title="StarCoder",
    model_types=("gpt_bigcode", "starcoder2"),
    architectures=("GPTBigCodeForCausalLM", "Starcoder2ForCausalLM"),
    tokenizer_classes=("GPT2Tokenizer", "GPT2TokenizerFast"),
    # Both generations are named; PEFT takes those that a model has.
    lora_targets=("q_proj", "k_proj", "v_proj", "o_proj", "c_attn", "c_proj", "c_fc"),
    gap_marks=(GapMarks(before="<fim_prefix>", after="<fim_suffix>", middle="<fim_middle>"),),
    licence="OpenRAIL-M, which forbids some uses.",
    quirks=("It was made for code and not for conversations.",),
)
