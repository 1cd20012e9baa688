"""Text models that the library can train and that we have not tried each for itself."""

from tailor.recipes.families.family import Family

FAMILY = Family(
    id="other",
    title="Other text models",
    model_types=(
        "cohere", "cohere2", "exaone4", "falcon", "gemma", "gemma2", "gemma3_text", "glm", "glm4",
        "gpt2", "gpt_bigcode", "gpt_neo", "gpt_neox", "granite", "helium", "internlm3", "mistral",
        "nemotron", "olmo", "olmo2", "olmo3", "opt", "phi", "phi3", "qwen2", "qwen3", "seed_oss",
        "smollm3", "stablelm", "starcoder2",
    ),
    architectures=(
        "CohereForCausalLM", "Cohere2ForCausalLM", "Exaone4ForCausalLM", "FalconForCausalLM",
        "GemmaForCausalLM", "Gemma2ForCausalLM", "Gemma3ForCausalLM", "GlmForCausalLM",
        "Glm4ForCausalLM", "GPT2LMHeadModel", "GPTBigCodeForCausalLM", "GPTNeoForCausalLM",
        "GPTNeoXForCausalLM", "GraniteForCausalLM", "HeliumForCausalLM", "MistralForCausalLM",
        "NemotronForCausalLM", "OlmoForCausalLM", "Olmo2ForCausalLM", "Olmo3ForCausalLM",
        "OPTForCausalLM", "PhiForCausalLM", "Phi3ForCausalLM", "Qwen2ForCausalLM",
        "Qwen3ForCausalLM", "SeedOssForCausalLM", "SmolLM3ForCausalLM", "StableLmForCausalLM",
        "Starcoder2ForCausalLM",
    ),
    tokenizer_classes=(
        "SentencePieceBackend", "CodeGenTokenizer", "CodeGenTokenizerFast", "CohereTokenizer",
        "CohereTokenizerFast", "GemmaTokenizer", "GemmaTokenizerFast", "GPTNeoXTokenizer",
        "GPTNeoXTokenizerFast", "Qwen2Tokenizer", "Qwen2TokenizerFast",
    ),
    quirks=("This family is not part of our tests yet. It should work; the rehearsal will tell.",),
)  # fmt: skip
