"""Text models that the library can train and that we have not tried each for itself."""

from tailor.recipes.families.family import Family

FAMILY = Family(
    id="other",
    title="Other text models",
    model_types=(
        "cohere", "cohere2", "exaone4", "falcon", "glm", "glm4", "gpt2", "gpt_neo", "gpt_neox",
        "helium", "internlm3", "nemotron", "olmo", "olmo2", "olmo3", "opt", "seed_oss", "smollm3",
        "stablelm",
    ),
    architectures=(
        "CohereForCausalLM", "Cohere2ForCausalLM", "Exaone4ForCausalLM", "FalconForCausalLM",
        "GlmForCausalLM", "Glm4ForCausalLM", "GPT2LMHeadModel", "GPTNeoForCausalLM",
        "GPTNeoXForCausalLM", "HeliumForCausalLM", "NemotronForCausalLM", "OlmoForCausalLM",
        "Olmo2ForCausalLM", "Olmo3ForCausalLM", "OPTForCausalLM", "SeedOssForCausalLM",
        "SmolLM3ForCausalLM", "StableLmForCausalLM",
    ),
    tokenizer_classes=(
        "SentencePieceBackend", "CohereTokenizer", "CohereTokenizerFast", "GPTNeoXTokenizer",
        "GPTNeoXTokenizerFast",
    ),
    quirks=("This family is not part of our tests yet. It should work; the rehearsal will tell.",),
)  # fmt: skip
