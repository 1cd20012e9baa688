"""Counts from config.json against sizes that their makers published."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from tailor.estimator.architecture import Architecture

LLAMA_2_7B = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
    "vocab_size": 32000, "max_position_embeddings": 4096, "tie_word_embeddings": False,
}  # fmt: skip
LLAMA_3_8B = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "vocab_size": 128256, "max_position_embeddings": 8192, "tie_word_embeddings": False,
}  # fmt: skip
MISTRAL_7B = {
    "model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "vocab_size": 32000, "max_position_embeddings": 32768, "sliding_window": 4096,
}  # fmt: skip
SMOLLM2_135M = {
    "model_type": "llama", "hidden_size": 576, "intermediate_size": 1536,
    "num_hidden_layers": 30, "num_attention_heads": 9, "num_key_value_heads": 3,
    "vocab_size": 49152, "max_position_embeddings": 8192, "tie_word_embeddings": True,
}  # fmt: skip
QWEN_25_05B = {
    "model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
    "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2,
    "vocab_size": 151936, "max_position_embeddings": 32768, "tie_word_embeddings": True,
}  # fmt: skip
GEMMA_2B = {
    "model_type": "gemma", "hidden_size": 2048, "intermediate_size": 16384,
    "num_hidden_layers": 18, "num_attention_heads": 8, "num_key_value_heads": 1, "head_dim": 256,
    "vocab_size": 256000, "max_position_embeddings": 8192,
}  # fmt: skip
GPT_2 = {
    "model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024,
    "vocab_size": 50257,
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "published"),
    [
        (LLAMA_2_7B, 6_738_415_616),
        (LLAMA_3_8B, 8_030_261_248),
        (MISTRAL_7B, 7_241_732_096),
        (SMOLLM2_135M, 134_515_008),
        (QWEN_25_05B, 494_032_768),
        (GEMMA_2B, 2_506_172_416),
    ],
    ids=["llama-2-7b", "llama-3-8b", "mistral-7b", "smollm2-135m", "qwen2.5-0.5b", "gemma-2b"],
)
def test_parameters_are_within_half_a_percent_of_the_published_size(
    config: dict[str, Any], published: int
) -> None:
    architecture = Architecture.from_config(config)
    assert architecture.parameters == pytest.approx(published, rel=0.005)
    assert not architecture.is_guess


def test_other_names_of_the_same_fields_are_understood() -> None:
    architecture = Architecture.from_config(GPT_2)
    assert architecture.other_parameters == 1024 * 768
    assert architecture.parameters == pytest.approx(124_439_808, rel=0.005)
    assert architecture.mlp == 4 * 768
    assert architecture.kv_heads == 12
    assert architecture.max_positions == 1024
    assert not architecture.is_gated_mlp
    assert architecture.has_tied_embeddings


def test_a_nested_language_part_is_found() -> None:
    nested = {
        "model_type": "gemma3",
        "tie_word_embeddings": True,
        "text_config": {**QWEN_25_05B, "model_type": "gemma3_text"},
        "vision_config": {"hidden_size": 1152},
    }
    architecture = Architecture.from_config(nested)
    assert architecture.hidden == 896
    assert architecture.model_type == "gemma3_text"


def test_a_head_size_of_its_own_is_kept() -> None:
    assert Architecture.from_config(GEMMA_2B).attention_width == 8 * 256
    assert Architecture.from_config(LLAMA_3_8B).kv_width == 1024


@pytest.mark.parametrize(
    "field", ["hidden_size", "num_hidden_layers", "vocab_size", "intermediate_size",
              "num_attention_heads", "max_position_embeddings", "model_type"],
)  # fmt: skip
def test_a_missing_field_is_guessed_and_said_so(field: str) -> None:
    config = {name: told for name, told in LLAMA_2_7B.items() if name != field}
    if field == "num_attention_heads":
        del config["num_key_value_heads"]
    architecture = Architecture.from_config(config)
    assert architecture.is_guess
    assert architecture.parameters == pytest.approx(6_738_415_616, rel=0.02)


def test_an_empty_config_is_a_guess_and_no_error() -> None:
    assert Architecture.from_config({}).is_guess


@pytest.mark.parametrize("field", ["num_local_experts", "kv_lora_rank", "mamba_d_state"])
def test_a_shape_that_the_counts_do_not_describe_is_a_guess(field: str) -> None:
    assert Architecture.from_config({**MISTRAL_7B, field: 8}).is_guess


def test_layers_of_plain_attention_are_no_guess() -> None:
    plain = {**QWEN_25_05B, "layer_types": ["full_attention", "sliding_attention"] * 12}
    assert not Architecture.from_config(plain).is_guess
    assert Architecture.from_config({**plain, "layer_types": ["mamba"] * 24}).is_guess


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hidden_size", 0),
        ("hidden_size", -1),
        ("hidden_size", "4096"),
        ("hidden_size", 4096.0),
        ("hidden_size", True),
        ("hidden_size", [4096]),
        ("hidden_size", 10**12),
        ("num_attention_heads", 10**6),
        ("num_key_value_heads", 3),
        ("num_key_value_heads", 64),
        ("vocab_size", float("nan")),
        ("tie_word_embeddings", "yes"),
    ],
)
def test_nonsense_is_refused_by_the_name_of_its_field(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=field):
        Architecture.from_config({**LLAMA_2_7B, field: value})


def test_an_adapter_on_every_linear_layer_is_counted() -> None:
    # Rank 16 on all linear layers, counted by peft 0.21 on the same shape.
    assert Architecture.from_config(SMOLLM2_135M).lora_parameters(16) == 4_884_480
    assert Architecture.from_config(SMOLLM2_135M).lora_parameters(0) == 0


MIXTRAL = {**MISTRAL_7B, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
DEEPSEEK_V2_LITE = {
    "model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944,
    "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16,
    "num_key_value_heads": 16, "n_routed_experts": 64, "n_shared_experts": 2,
    "num_experts_per_tok": 6, "first_k_dense_replace": 1, "kv_lora_rank": 512,
    "q_lora_rank": None, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "vocab_size": 102400, "max_position_embeddings": 163840, "tie_word_embeddings": False,
}  # fmt: skip


def test_a_token_passes_only_the_experts_that_are_chosen_for_it() -> None:
    mixtral = Architecture.from_config(MIXTRAL)
    assert mixtral.parameters == pytest.approx(46_702_792_704, rel=0.001)
    # The makers tell 12.9 billion active, vocabulary included.
    active = mixtral.active_linear_parameters + mixtral.embedding_parameters
    assert active == pytest.approx(12.9e9, rel=0.01)
    assert mixtral.has_irregular_layers
    assert mixtral.active_mlp == 2 * 14336


def test_experts_in_one_tensor_are_neither_packed_nor_adapted() -> None:
    fused = Architecture.from_config(MIXTRAL)
    apart = replace(fused, has_fused_experts=False)
    experts = 32 * 8 * 3 * 4096 * 14336
    assert apart.quantised_linear_parameters - fused.quantised_linear_parameters == pytest.approx(
        experts, rel=0.001
    )
    assert fused.linear_parameters == apart.linear_parameters
    attention = 32 * (2 * (4096 + 4096) + 2 * (4096 + 1024))
    assert fused.lora_parameters(16) == 16 * attention
    assert apart.lora_parameters(16) > 10 * fused.lora_parameters(16)


def test_latent_attention_and_the_first_dense_layer_are_counted() -> None:
    lite = Architecture.from_config(DEEPSEEK_V2_LITE)
    assert lite.parameters == pytest.approx(15_706_484_224, rel=0.001)
    assert (lite.expert_layers, lite.plain_mlp_layers, lite.shared_mlp) == (26, 1, 2816)
    assert lite.head_dim == 192
    assert not lite.is_guess


def test_an_adapter_on_named_layers_is_counted() -> None:
    architecture = Architecture.from_config(LLAMA_3_8B)
    queries, keys = 32 * (4096 + 4096), 32 * (4096 + 1024)
    assert architecture.lora_parameters(8, ("q", "v")) == 8 * (queries + keys)
    whole = architecture.lora_parameters(8)
    assert architecture.lora_parameters(8, ("q", "k", "v", "o", "gate", "up", "down")) == whole


def test_a_joined_layer_is_meant_by_any_of_its_parts() -> None:
    architecture = Architecture.from_config(GPT_2)
    assert architecture.lora_parameters(8, ("q", "v")) == 8 * 12 * (768 + 3 * 768)


def test_counts_of_a_plain_model_do_not_depend_on_the_newer_fields() -> None:
    architecture = Architecture.from_config(LLAMA_3_8B)
    shapes = sum(inputs * outputs for inputs, outputs in architecture.linear_shapes)
    assert architecture.linear_parameters == 32 * shapes
    assert architecture.active_linear_parameters == architecture.linear_parameters
    assert architecture.quantised_linear_parameters == architecture.linear_parameters
    assert not architecture.has_irregular_layers


def test_an_architecture_that_was_written_before_is_still_read() -> None:
    stored = {
        "model_type": "llama", "layers": 2, "hidden": 64, "heads": 4, "kv_heads": 2,
        "head_dim": 16, "mlp": 128, "vocabulary": 256, "max_positions": 512,
        "is_gated_mlp": True, "has_tied_embeddings": True, "is_guess": False,
    }  # fmt: skip
    reader = TypeAdapter(Architecture)
    read = reader.validate_python(stored)
    assert reader.validate_json(reader.dump_json(read)) == read
    lite = Architecture.from_config(DEEPSEEK_V2_LITE)
    assert reader.validate_json(reader.dump_json(lite)) == lite


def test_windows_are_counted_layer_by_layer() -> None:
    alternating = Architecture.from_config(
        {**QWEN_25_05B, "sliding_window": 4096, "use_sliding_window": False}
    )
    assert (alternating.sliding_window, alternating.sliding_layers) == (0, 0)
    mistral = Architecture.from_config(MISTRAL_7B)
    assert (mistral.sliding_window, mistral.sliding_layers) == (4096, 32)
    gemma = {**GEMMA_2B, "model_type": "gemma2", "sliding_window": 4096}
    assert Architecture.from_config(gemma).sliding_layers == 9


def test_the_first_qwen_tells_gate_and_up_together() -> None:
    config = {
        "model_type": "qwen", "hidden_size": 4096, "intermediate_size": 22016,
        "num_hidden_layers": 32, "num_attention_heads": 32, "kv_channels": 128,
        "vocab_size": 151936, "seq_length": 8192, "tie_word_embeddings": False,
    }  # fmt: skip
    architecture = Architecture.from_config(config)
    assert architecture.mlp == 11008
    assert architecture.parameters == pytest.approx(7_721_324_544, rel=0.001)


@pytest.mark.parametrize(
    "config",
    [
        {**LLAMA_2_7B, "model_type": "never_heard_of"},
        {**LLAMA_2_7B, "vision_config": {"hidden_size": 1024}},
        {**LLAMA_2_7B, "type_vocab_size": 2},
        {**QWEN_25_05B, "layer_types": ["something_new"] * 24},
    ],
)
def test_a_family_or_part_that_was_never_compared_is_a_guess(config: dict[str, Any]) -> None:
    assert Architecture.from_config(config).is_guess


FIELDS = (
    *LLAMA_2_7B, "num_experts", "num_local_experts", "moe_intermediate_size", "layer_types",
    "kv_lora_rank", "mamba_d_state", "mamba_n_heads", "sliding_window", "text_config", "head_dim",
    "num_experts_per_tok", "first_k_dense_replace", "hybrid_override_pattern", "attn_config",
    "num_kv_shared_layers", "hidden_size_per_layer_input", "intermediate_size", "mlp_only_layers",
    "linear_num_value_heads", "block_ffn_dim_multiplier", "per_layer_config", "attn_layer_indices",
)  # fmt: skip
FAMILIES = ("llama", "qwen", "mixtral", "gemma4_text", "lfm2", "nemotron_h", "mamba", "jamba", "x")
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 300), st.floats(), st.text(max_size=4),
    st.lists(st.one_of(st.integers(-1, 4), st.text(max_size=9)), max_size=4),
    st.dictionaries(st.sampled_from(FIELDS), st.integers(-1, 64), max_size=3),
)  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True)
@example("gemma4_text", {"num_kv_shared_layers": 14, "num_hidden_layers": 1})
@given(st.sampled_from(FAMILIES), st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=8))
def test_any_file_is_read_or_refused_in_words(family: str, fields: dict[str, Any]) -> None:
    try:
        architecture = Architecture.from_config({**LLAMA_2_7B, "model_type": family, **fields})
    except ValueError:
        return
    assert architecture.parameters > 0
    assert 0 <= architecture.active_linear_parameters <= architecture.linear_parameters
    assert 0 <= architecture.quantised_linear_parameters <= architecture.linear_parameters
    assert architecture.attending_layers >= architecture.sliding_layers >= 0
    assert architecture.lora_parameters(8) >= architecture.lora_parameters(8, ("q",)) >= 0


def test_a_file_of_endless_layers_is_refused_before_they_are_looked_at() -> None:
    with pytest.raises(ValueError, match="num_hidden_layers"):
        Architecture.from_config({**LLAMA_2_7B, "num_hidden_layers": 9_000_000})
