"""Writes a finished model: weights, and every file of the base's tokenizer byte for byte.

A tokenizer that was loaded and saved again may differ from the one that was trained with, so its
files are copied; only added words make it write its own. The end of a run writes `final/` with it,
and the export its merged model.
"""

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from tailor.engine.json_file import write_json
from tailor.engine.worker.template import PLAIN_TEMPLATE

TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer.model", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.json", "vocab.txt", "merges.txt", "chat_template.jinja",
    "chat_template.json", "LICENSE", "LICENSE.txt",
)  # fmt: skip
ADAPTER_FILE = "adapter_model.safetensors"
ADAPTER_CONFIG = "adapter_config.json"
CARD = "README.md"
"""PEFT writes an empty model card; we write none that says nothing."""


def save_finished(
    model: Any,
    tokenizer: Any,
    folder: Path,
    *,
    base: Path,
    base_name: str,
    end_ids: Collection[int],
    has_added_words: bool = False,
) -> None:
    """Save an adapter or a complete model into `folder`, with all that is needed to use it."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    save_weights(model, folder)
    (folder / CARD).unlink(missing_ok=True)
    _name_base(folder / ADAPTER_CONFIG, base_name)
    for name in TOKENIZER_FILES:
        if (base / name).exists():
            shutil.copyfile(base / name, folder / name)
    if has_added_words:
        tokenizer.save_pretrained(folder)
    if tokenizer.chat_template == PLAIN_TEMPLATE:
        (folder / "chat_template.jinja").write_text(PLAIN_TEMPLATE, "utf-8")
    _name_end_tokens(folder / "generation_config.json", base, end_ids)


def save_weights(model: Any, folder: Path, **arguments: Any) -> None:
    """Save an adapter or a complete model.

    PEFT would put a whole copy of the vocabulary into an adapter whose vocabulary has grown; the
    rows of the added words are among its weights already.
    """
    from peft import PeftModel  # here: copying a finished adapter needs no torch

    if isinstance(model, PeftModel):
        arguments["save_embedding_layers"] = False
    model.save_pretrained(folder, **arguments)


def _name_base(config: Path, name: str) -> None:
    """An adapter may leave this computer: it names its base, and no folder of this computer."""
    if config.exists():
        told = json.loads(config.read_text("utf-8"))
        write_json(config, {**told, "base_model_name_or_path": name})


def _name_end_tokens(config: Path, base: Path, end_ids: Collection[int]) -> None:
    """Programs other than ours must stop at the same tokens: name all of them."""
    source = config if config.exists() else base / config.name
    told = json.loads(source.read_text("utf-8")) if source.exists() else {}
    ids = sorted(end_ids)
    write_json(config, {**told, "eos_token_id": ids if len(ids) > 1 else ids[0]})
