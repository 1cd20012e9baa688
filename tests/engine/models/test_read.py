"""What a model is, read from its folder."""

import pytest

from tailor.engine.errors import UserError
from tailor.engine.models.read import read_model


def test_the_shape_the_licence_and_the_end_token_are_read(folder):
    model = read_model(folder)
    assert (model.id, model.name, model.path) == ("my-model", "my-model", str(folder))
    assert (model.architecture.layers, model.architecture.hidden) == (1, 8)
    assert model.family == "llama"
    assert model.licence == "Apache 2.0"
    assert model.end_token == "<|im_end|>"
    assert model.has_chat_template
    assert model.weights_bytes == (folder / "model.safetensors").stat().st_size


def test_a_base_model_without_template_or_licence_says_so(folder):
    (folder / "chat_template.jinja").unlink()
    (folder / "README.md").unlink()
    model = read_model(folder)
    assert not model.has_chat_template
    assert model.licence == ""


def test_the_fingerprint_follows_what_is_loaded_and_nothing_else(folder):
    first = read_model(folder).fingerprint
    (folder / "notes.txt").write_text("mine")
    (folder / "pytorch_model.bin").write_bytes(b"x")
    assert read_model(folder).fingerprint == first
    (folder / "tokenizer.json").write_text('{"version": "1.0"}')
    assert read_model(folder).fingerprint != first


def test_a_config_that_makes_no_sense_is_told_in_words(folder):
    (folder / "config.json").write_text('{"model_type": "llama", "hidden_size": -8}')
    with pytest.raises(UserError, match="cannot be read"):
        read_model(folder)
