"""Model folders made by hand: a whole one, and tools to damage it."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CONFIG = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 8,
    "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    "num_key_value_heads": 1, "vocab_size": 32, "max_position_embeddings": 128,
    "tie_word_embeddings": True,
}  # fmt: skip
TOKENIZER = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": {"content": "<|im_end|>"}}


def write_safetensors(path: Path, header: dict[str, Any], data: bytes) -> None:
    table = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(table)) + table + data)


def write_weights(path: Path, name: str = "model.embed_tokens.weight") -> None:
    entry = {"dtype": "BF16", "shape": [32, 8], "data_offsets": [0, 512]}
    write_safetensors(path, {"__metadata__": {"format": "pt"}, name: entry}, b"\0" * 512)


def write_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "tokenizer_config.json").write_text(json.dumps(TOKENIZER))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "chat_template.jinja").write_text("{{ messages }}")
    (folder / "README.md").write_text("---\nlicense: apache-2.0\nlanguage: en\n---\n# A model\n")
    write_weights(folder / "model.safetensors")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder that nothing is wrong with."""
    return write_folder(tmp_path / "my-model")


@pytest.fixture
def change_json(folder: Path) -> Callable[..., None]:
    """Adds keys to a JSON file of the folder."""

    def change(name: str, **keys: Any) -> None:
        path = folder / name
        told = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(told | keys))

    return change
