"""Counts from a config.json against the model that transformers really builds from it.

Models stand on the meta device, so a family of any size costs a fraction of a second.
"""

from typing import Any

import pytest
import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, PreTrainedModel
from transformers.pytorch_utils import Conv1D

from tailor.estimator.architecture import Architecture

WIDTHS = {"hidden_size": 768, "num_attention_heads": 12, "vocab_size": 8000}
LAYERS = {"num_hidden_layers": 4, "intermediate_size": 2048, **WIDTHS}
GROUPED = {"num_key_value_heads": 4, **LAYERS}
EXPERTS = {"moe_intermediate_size": 512, "num_experts_per_tok": 2, **GROUPED}
LATENT = {
    "kv_lora_rank": 128, "qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "v_head_dim": 64,
    "n_routed_experts": 8, "n_shared_experts": 1, "first_k_dense_replace": 1,
    **EXPERTS, "num_key_value_heads": 12,
}  # fmt: skip
MAMBA = {"mamba_n_heads": 24, "mamba_d_head": 64, "mamba_d_state": 64, **GROUPED}
FAMILIES: dict[str, dict[str, Any]] = {
    "gpt2": {"n_layer": 4, "n_embd": 768, "n_head": 12, "vocab_size": 8000},
    "gpt_neox": LAYERS,
    "gpt_bigcode": {"n_layer": 4, "n_embd": 768, "n_head": 12, "vocab_size": 8000},
    "bloom": {"n_layer": 4, "hidden_size": 768, "n_head": 12, "vocab_size": 8000},
    "opt": {"num_hidden_layers": 4, "ffn_dim": 3072, "word_embed_proj_dim": 768, **WIDTHS},
    "falcon": {"num_hidden_layers": 4, **WIDTHS},
    "llama": GROUPED,
    "qwen3": {"head_dim": 128, **GROUPED},
    "phi3": {**GROUPED, "pad_token_id": 0},
    "gemma2": {"head_dim": 128, **GROUPED},
    "gemma3n_text": {"num_kv_shared_layers": 2, **LAYERS, "num_hidden_layers": 10},
    "gemma4_text": {"num_kv_shared_layers": 6, "use_double_wide_mlp": True,
                    **GROUPED, "num_hidden_layers": 12},
    "starcoder2": GROUPED,
    "mixtral": {"num_local_experts": 8, **GROUPED},
    "qwen2_moe": {"num_experts": 8, "shared_expert_intermediate_size": 1024, **EXPERTS},
    "qwen3_next": {"num_experts": 8, "shared_expert_intermediate_size": 512, **EXPERTS},
    "gpt_oss": {"num_local_experts": 8, **GROUPED},
    "deepseek_v3": {"q_lora_rank": 256, "n_group": 2, "topk_group": 1, **LATENT},
    "granitemoehybrid": {"num_local_experts": 8, "shared_intermediate_size": 1024,
                         "layer_types": ["mamba", "mamba", "mamba", "attention"], **MAMBA},
    "falcon_h1": {"mamba_d_ssm": 1536, **MAMBA},
    "jamba": {"num_experts": 4, "attn_layer_period": 4, "attn_layer_offset": 2, **GROUPED},
    "lfm2": {"layer_types": ["conv", "conv", "full_attention", "conv"], **GROUPED},
    "mamba": {"num_hidden_layers": 4, "hidden_size": 768, "vocab_size": 8000},
    "mamba2": {"num_hidden_layers": 4, "hidden_size": 768, "vocab_size": 8000, "num_heads": 24},
}  # fmt: skip
"""A small configuration of each family whose parts differ."""


def _read(family: str) -> tuple[Architecture, PreTrainedModel]:
    config = CONFIG_MAPPING[family](**FAMILIES[family])
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    return Architecture.from_config(config.to_dict()), model


@pytest.mark.parametrize("family", FAMILIES)
def test_parameters_are_those_of_the_real_model(family: str) -> None:
    architecture, model = _read(family)
    real = sum(weights.numel() for weights in model.parameters())
    assert architecture.parameters == pytest.approx(real, rel=0.005)
    assert not architecture.is_guess


@pytest.mark.parametrize("family", FAMILIES)
def test_linear_layers_are_those_that_packing_and_adapters_find(family: str) -> None:
    architecture, model = _read(family)
    linears = [
        layer.weight
        for name, layer in model.named_modules()
        if isinstance(layer, (torch.nn.Linear, Conv1D))
        and layer is not model.get_output_embeddings()
        and name != "lm_head"
    ]
    packed = sum(weights.numel() for weights in linears)
    assert architecture.quantised_linear_parameters == pytest.approx(packed, rel=0.003)
    ends = sum(sum(weights.shape) for weights in linears)
    assert architecture.lora_parameters(8) == pytest.approx(8 * ends, rel=0.01)
