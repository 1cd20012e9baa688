"""Llama and the many models that copied its shape, SmolLM2 among them."""

from tailor.recipes.families.family import Family, GapMarks

FAMILY = Family(
    id="llama",
    title="Llama and SmolLM",
    model_types=("llama",),
    architectures=("LlamaForCausalLM",),
    tokenizer_classes=(
        "TokenizersBackend", "PreTrainedTokenizerFast", "LlamaTokenizer", "LlamaTokenizerFast",
        "GPT2Tokenizer", "GPT2TokenizerFast",
    ),
    lora_targets=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
    gap_marks=(
        # Code Llama; the mark in front of each is the letter that stands for a space (U+2581).
        GapMarks(
            before="\u2581<PRE>", after="\u2581<SUF>", middle="\u2581<MID>", end="\u2581<EOT>"
        ),
        # DeepSeek Coder: begin, hole and end of the gap, in letters of full width.
        GapMarks(
            before="<\uff5cfim\u2581begin\uff5c>",
            after="<\uff5cfim\u2581hole\uff5c>",
            middle="<\uff5cfim\u2581end\uff5c>",
        ),
    ),
    licence="SmolLM2 is Apache-2.0; Meta's own models have a licence of their own.",
    is_tested=True,
)  # fmt: skip
