"""Llama and the many models that copied its shape, SmolLM2 among them."""

from tailor.recipes.families.family import Family

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
    licence="SmolLM2 is Apache-2.0; Meta's own models have a licence of their own.",
    is_tested=True,
)  # fmt: skip
