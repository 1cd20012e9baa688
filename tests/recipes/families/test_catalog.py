"""Families are found by a scan, nothing is in two of them, and what they name exists."""

import pytest
from transformers import AutoConfig, AutoModelForCausalLM

from tailor.recipes.families.catalog import (
    all_gap_marks,
    families,
    family_for,
    family_of,
    may_load_architecture,
    may_load_tokenizer,
    may_load_type,
)

TINY = {
    "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4,
    "num_key_value_heads": 2, "vocab_size": 64, "n_embd": 32, "n_layer": 1, "n_head": 4,
    "max_position_embeddings": 64, "head_dim": 8, "pad_token_id": 0,
}  # fmt: skip
NAMED = [
    (family, model_type)
    for family in families()
    if family.lora_targets
    for model_type in family.model_types
]


def test_a_llama_is_known_and_tested():
    family = family_for({"model_type": "llama"})
    assert family.id == "llama"
    assert family.is_tested
    assert "q_proj" in family.lora_targets


def test_another_text_model_belongs_to_the_general_family():
    assert family_for({"model_type": "olmo2"}).id == "other"
    assert family_for({}).id == "other"
    assert family_of("gone-since").id == "other"


@pytest.mark.parametrize(
    ("model_type", "family"),
    [("qwen3", "qwen"), ("gemma3_text", "gemma"), ("mistral", "mistral"), ("phi3", "phi")],
)
def test_the_large_families_have_files_of_their_own(model_type, family):
    assert family_for({"model_type": model_type}).id == family


def test_only_kinds_of_a_family_may_be_loaded():
    assert may_load_type("llama")
    assert not may_load_type("made_up")
    assert may_load_architecture("LlamaForCausalLM")
    assert not may_load_architecture("EvilForCausalLM")
    assert may_load_tokenizer("TokenizersBackend")
    assert not may_load_tokenizer("EvilTokenizer")


def test_every_family_names_its_classes():
    for family in families():
        assert family.title
        assert family.model_types
        assert len(family.architectures) == len(set(family.architectures))


@pytest.mark.parametrize(
    ("family", "model_type"), NAMED, ids=[f"{family.id}-{kind}" for family, kind in NAMED]
)
def test_the_layers_that_get_adapters_are_all_linear_layers_of_a_block(family, model_type):
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(model_type, **TINY))
    assert type(model).__name__ in family.architectures
    head = model.get_output_embeddings()
    linear = {
        name.rpartition(".")[2]
        for name, module in model.named_modules()
        if type(module).__name__ in ("Linear", "Conv1D") and module is not head
    }
    assert linear <= set(family.lora_targets)


def test_gap_marks_are_whole_and_spelled_once():
    for marks in all_gap_marks():
        assert marks.before
        assert marks.after
        assert bool(marks.middle) != marks.is_after_first
    spelled = [(marks.before, marks.after) for marks in all_gap_marks()]
    assert len(spelled) == len(set(spelled))
