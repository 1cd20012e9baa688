"""Reads what a model is from its folder, without any library: shape, licence, end token,
fingerprint.

Estimates and plans need the shape, and a run must be able to tell that its base is still the same.
Called after the scan, by the fetch child and the shelf.
"""

import hashlib
import re
from pathlib import Path
from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.engine.models.allowed import is_loaded
from tailor.engine.models.safetensors_header import is_regular
from tailor.engine.models.scan import UnreadableJsonError, read_plain_json
from tailor.estimator.architecture import Architecture
from tailor.recipes.families.catalog import family_for
from tailor.recipes.spec import ModelSpec

README_BYTES = 65_536
LICENCE_LINE = re.compile(r"^license:\s*[\"']?([\w .+-]+?)[\"']?\s*$", re.MULTILINE)
LICENCES = {"apache-2.0": "Apache 2.0", "mit": "MIT", "other": ""}


def read_model(path: Path, *, model_id: str = "", name: str = "") -> ModelSpec:
    """The model in this folder; `model_id` and `name` default to the folder's name."""
    try:
        config = read_plain_json(path / "config.json")
        architecture = Architecture.from_config(config)
        tokenizer_path = path / "tokenizer_config.json"
        tokenizer = read_plain_json(tokenizer_path) if is_regular(tokenizer_path) else {}
    except (UnreadableJsonError, ValueError, OSError) as wrong:
        raise UserError(
            title="This model cannot be read",
            detail=f"{path.name}: {wrong}",
            fix="Fetch the model again, or choose another one.",
        ) from wrong
    files = loaded_files(path)
    weights = [file for file in files if file.suffix == ".safetensors"]
    return ModelSpec(
        id=model_id or path.name,
        name=name or path.name,
        path=str(path),
        family=family_for(config).id,
        architecture=architecture,
        weights_bytes=sum(file.stat().st_size for file in weights),
        licence=_read_licence(path),
        end_token=_token_text(tokenizer.get("eos_token")),
        has_chat_template=_has_template(path, tokenizer),
        fingerprint=compute_fingerprint(files),
    )


def loaded_files(path: Path) -> tuple[Path, ...]:
    """Files of the folder that are opened when the model is loaded, by name."""
    return tuple(
        sorted(entry for entry in path.iterdir() if is_loaded(entry.name) and is_regular(entry))
    )


def compute_fingerprint(files: tuple[Path, ...]) -> str:
    """sha256 over names and hashes of the files."""
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.name}\0{hash_file(file)}\n".encode())
    return total.hexdigest()


def _token_text(token: Any) -> str:
    """A token is written as text, or as a table with its text under "content"."""
    if isinstance(token, dict):
        token = token.get("content")
    return token if isinstance(token, str) else ""


def _has_template(path: Path, tokenizer: dict[str, Any]) -> bool:
    return bool(tokenizer.get("chat_template")) or is_regular(path / "chat_template.jinja")


def _read_licence(path: Path) -> str:
    readme = path / "README.md"
    if not is_regular(readme):
        return ""
    with readme.open("rb") as file:
        head = file.read(README_BYTES).decode("utf-8", "replace")
    found = LICENCE_LINE.search(head)
    return LICENCES.get(found[1], found[1]) if found else ""
