"""Families of models whose counts were compared with real ones, part by part.

A config.json can be read without knowing its family, and then the counts are mostly right. Mostly
is no promise: a family that was never compared with the model that transformers builds is told as
a guess, and estimates widen. `config_reading.py` asks here.
"""

from collections.abc import Mapping
from typing import Any

from tailor.estimator.models.config_parts import Kind

DENSE = frozenset(
    ("apertus", "apertus1p5_text", "arcee", "biogpt", "bloom", "codegen", "cohere", "cohere2",
     "cwm", "diffllama", "ernie4_5", "exaone", "exaone4", "falcon", "fuyu", "gemma", "gemma2",
     "gemma3_text", "gemma3n_text", "gemma4_text", "glm", "glm4", "gpt-sw3", "gpt2",
     "gpt_bigcode", "gpt_neo", "gpt_neox", "gpt_neox_japanese", "gptj", "granite", "granite_swa",
     "helium", "hunyuan_v1_dense", "hyperclovax", "internlm3", "iquestcoder", "jais2", "llama",
     "ministral", "ministral3", "mistral", "mpt", "nanochat", "nemotron", "olmo", "olmo2",
     "olmo3", "opt", "persimmon", "phi", "phi3", "qwen2", "qwen3", "seed_oss", "smollm3",
     "stablelm", "starcoder2", "vaultgemma")
)  # fmt: skip
"""Within 0.4 % of the model that transformers 5.24 builds from the config (measured)."""
DENSE_ELSEWHERE = frozenset(
    ("RefinedWeb", "RefinedWebModel", "baichuan", "chatglm", "internlm", "internlm2", "minicpm",
     "orion", "phi3small", "qwen", "qwen2_5_vl_text", "qwen2_vl_text", "skywork",
     "stablelm_alpha", "xverse")
)  # fmt: skip
"""Not built by transformers 5.24; compared with the sizes that their makers published."""
EXPERTS = frozenset(
    ("cohere2_moe", "dbrx", "deepseek", "deepseek_v2", "deepseek_v3", "ernie4_5_moe",
     "exaone_moe", "flex_olmo", "gemma4_text", "glm4_moe", "glm4_moe_lite", "gpt_oss",
     "granitemoe", "granitemoe_swa", "granitemoehybrid", "granitemoeshared", "jamba", "lfm2_moe",
     "llama4_text", "mellum", "minimax_m2", "mixtral", "nemotron_h", "olmoe", "phimoe",
     "qwen2_moe", "qwen3_5_moe_text", "qwen3_moe", "qwen3_next", "sarvam_mla", "sarvam_moe")
)  # fmt: skip
LATENT = frozenset(
    ("deepseek_v2", "deepseek_v3", "glm4_moe_lite", "minicpm3", "sarvam_mla", "youtu")
)
STATE = frozenset(
    ("bamba", "falcon_h1", "falcon_mamba", "granitemoehybrid", "jamba", "lfm2", "lfm2_moe",
     "mamba", "mamba2", "nemotron_h", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_next")
)  # fmt: skip
"""Compared in the same way, each with the part that gives the set its name."""
PER_LAYER = frozenset(("gemma3n_text", "gemma4_text"))

PARTS: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
    (("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"), EXPERTS),
    (("kv_lora_rank",), LATENT),
    (("mamba_d_state", "state_size", "ssm_state_size", "linear_num_value_heads", "conv_L_cache"),
     STATE),
    (("hidden_size_per_layer_input", "num_kv_shared_layers"), PER_LAYER),
)  # fmt: skip
"""Fields that tell of a part, and the families in which it was compared."""
UNKNOWN_PARTS = (
    "ssm_cfg", "index_topk", "moe_latent_size", "num_mem_blocks", "use_shared_attention_adapter",
    "recurrent_block_type", "lru_width", "vision_config", "audio_config", "encoder_layers",
    "add_cross_attention", "num_mtp_modules", "type_vocab_size", "is_encoder_decoder",
)  # fmt: skip
"""Fields of parts that are not read at all."""


def is_known_family(model_type: str) -> bool:
    """Whether the counts of this family were ever compared."""
    return model_type in DENSE | DENSE_ELSEWHERE | EXPERTS | LATENT | STATE


def is_unknown(config: Mapping[str, Any], model_type: str, kinds: tuple[Kind, ...]) -> bool:
    """Whether the file tells of a part, or a family, that was never compared."""
    if not is_known_family(model_type):
        return True
    if "unknown" in kinds or ("state" in kinds and model_type not in STATE):
        return True
    told = (families for names, families in PARTS if any(config.get(name) for name in names))
    if any(model_type not in families for families in told):
        return True
    return any(config.get(name) for name in UNKNOWN_PARTS)
