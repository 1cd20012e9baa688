"""Counts from config.json against sizes that their makers published."""

from typing import Any

import pytest

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
    # GPT-2 also learns 1,024 positions of 768 numbers, which nothing else here has.
    assert architecture.parameters + 1024 * 768 == pytest.approx(124_439_808, rel=0.005)
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
