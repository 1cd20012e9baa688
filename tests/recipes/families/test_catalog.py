"""Families are found by a scan, and nothing is in two of them."""

from tailor.recipes.families.catalog import (
    families,
    family_for,
    family_of,
    may_load_architecture,
    may_load_tokenizer,
    may_load_type,
)


def test_a_llama_is_known_and_tested():
    family = family_for({"model_type": "llama"})
    assert family.id == "llama"
    assert family.is_tested
    assert "q_proj" in family.lora_targets


def test_another_text_model_belongs_to_the_general_family():
    assert family_for({"model_type": "qwen3"}).id == "other"
    assert family_for({}).id == "other"
    assert family_of("gone-since").id == "other"


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
