"""Looks a model's folder over before any library opens it: standard library only, nothing is run.

A model from a stranger is a program in disguise when it brings pickles or code of its own, and a
trap when its tables lie. Each fault is a `Finding` that names the file. The fetch child and the
shelf call it; a "stop" among the findings means that the model is not taken.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tailor.engine.findings import Finding
from tailor.engine.models.allowed import is_loaded, is_pickle
from tailor.engine.models.safetensors_header import BadHeaderError, is_regular, read_header
from tailor.recipes.families.catalog import (
    may_load_architecture,
    may_load_tokenizer,
    may_load_type,
)

MOST_JSON_BYTES = 64 * 2**20
MOST_JSON_DEPTH = 64
CODE_KEYS = frozenset(
    ("auto_map", "auto_mapping", "trust_remote_code", "custom_pipelines", "_instantiator",
     "_class_path")
)  # fmt: skip
INDEX = "model.safetensors.index.json"
ADAPTER_CONFIG = "adapter_config.json"


class UnreadableJsonError(ValueError):
    """A JSON file that is too large, too deep or no JSON; the text says which."""


def scan_folder(path: Path) -> tuple[Finding, ...]:
    """Everything that speaks against loading this folder; empty when nothing does."""
    files = {entry.name for entry in path.iterdir() if not entry.name.startswith(".")}
    found = [*_check_kinds(path, files)]
    if not any(finding.level == "stop" for finding in found):
        found += _check_json(path, files)
        found += _check_config(path)
        found += _check_weights(path, files)
    return tuple(sorted(found, key=lambda finding: finding.level != "stop"))


def read_plain_json(path: Path) -> Any:
    """A JSON file of a stranger: size and depth first. Raises `UnreadableJsonError`."""
    if path.stat().st_size > MOST_JSON_BYTES:
        raise UnreadableJsonError(f"It is larger than {MOST_JSON_BYTES // 2**20} MB.")
    try:
        told = json.loads(path.read_bytes().decode())
    except (ValueError, RecursionError) as broken:
        raise UnreadableJsonError("It is not valid JSON.") from broken
    if _depth(told) > MOST_JSON_DEPTH:
        raise UnreadableJsonError(f"It is nested more than {MOST_JSON_DEPTH} levels deep.")
    return told


def _check_kinds(path: Path, files: set[str]) -> Iterator[Finding]:
    """Are there weights of a kind that we open, and are the files plain files?"""
    weights = {name for name in files if name.endswith(".safetensors")}
    pickles = sorted(name for name in files if is_pickle(name))
    if ADAPTER_CONFIG in files:
        yield _stop(
            "This is an adapter, not a model",
            "An adapter changes a model and cannot learn without it.",
            "Choose the folder of the model that it was made for.",
            ADAPTER_CONFIG,
        )
    elif not weights and pickles:
        yield _stop(
            "This model comes in a format that can run programs",
            f"Its weights are in {pickles[0]}. Opening such a file runs whatever was put into it.",
            "Ask for the safetensors version of this model.",
            pickles[0],
        )
    elif "config.json" not in files or not weights:
        missing = "config.json" if "config.json" not in files else ".safetensors file"
        yield _stop(
            "This is not a model folder",
            f"{path.name} has no {missing}.",
            "Choose the folder that holds config.json and the safetensors files.",
        )
    for name in sorted(files):
        if is_loaded(name) and not is_regular(path / name):
            yield _stop(
                "This model has a file that is not a plain file",
                f"{name} is a link or a device, so what would be read cannot be known.",
                "Copy the model into a folder of its own and choose that.",
                name,
            )


def _check_json(path: Path, files: set[str]) -> Iterator[Finding]:
    """No JSON file may name code."""
    for name in sorted(files):
        if not name.endswith(".json"):
            continue
        try:
            told = read_plain_json(path / name)
        except UnreadableJsonError as broken:
            if is_loaded(name):
                title = "A file of this model cannot be read"
                yield _stop(title, str(broken), "Fetch the model again.", name)
            continue
        key = _find_code(told)
        if key:
            yield _stop(
                "This model wants to run its own program",
                f'{name} asks for it with "{key}". Tailor never runs a program of a model.',
                "Choose a model that needs none; most well-known ones do not.",
                name,
            )


def _find_code(told: Any) -> str:
    """The first key that names code to be run or a kernel to be fetched; "" without one."""
    rest = [told]
    while rest:
        here = rest.pop()
        if isinstance(here, dict):
            for key, value in here.items():
                is_kernel = str(key).endswith("_implementation") and "/" in str(value)
                if (key in CODE_KEYS and value) or is_kernel:
                    return str(key)
            rest.extend(here.values())
        elif isinstance(here, list):
            rest.extend(here)
    return ""


def _check_config(path: Path) -> Iterator[Finding]:
    """Is it a kind of model that the library itself knows, and one that can learn?"""
    try:
        config = read_plain_json(path / "config.json")
        tokenizer = path / "tokenizer_config.json"
        told = read_plain_json(tokenizer) if is_regular(tokenizer) else {}
    except UnreadableJsonError:
        return
    if not isinstance(config, dict) or not isinstance(told, dict):
        yield _stop("A file of this model cannot be read", "It is no table.", "Fetch it again.")
        return
    yield from _check_names(config, told)
    packed = config.get("quantization_config")
    if packed:
        method = packed.get("quant_method", "unknown") if isinstance(packed, dict) else "unknown"
        yield _stop(
            "This model is packed for answering, not for learning",
            f"Its weights are stored as {method}.",
            "Choose the original of the same model. Tailor can pack it while it learns.",
            "config.json",
        )


def _check_names(config: dict[str, Any], tokenizer: dict[str, Any]) -> Iterator[Finding]:
    model_type = str(config.get("model_type", ""))
    classes = config.get("architectures") or []
    unknown = [name for name in classes if not may_load_architecture(str(name))]
    if not may_load_type(model_type) or unknown:
        yield _stop(
            "Tailor does not know this kind of model yet",
            f'It calls itself "{(unknown or [model_type or "nothing"])[0]}".',
            "Choose a text model of a family that the Model page lists.",
            "config.json",
        )
    name = tokenizer.get("tokenizer_class")
    if name and not may_load_tokenizer(str(name)):
        yield _stop(
            "This model cuts text in a way that Tailor does not know",
            f'It asks for "{name}".',
            "Choose another model.",
            "tokenizer_config.json",
        )


def _check_weights(path: Path, files: set[str]) -> Iterator[Finding]:
    """Do index and headers tell the truth?"""
    shards = sorted(name for name in files if name.endswith(".safetensors"))
    if INDEX in files:
        fault = _index_fault(path, set(shards))
        if fault:
            title = "This model's list of files is wrong"
            yield _stop(title, fault, "Fetch the model again.", INDEX)
            return
    for name in shards:
        try:
            read_header(path / name)
        except BadHeaderError as lie:
            yield _stop(
                "A file of this model is damaged or not what it claims",
                f"{name}: {lie}",
                "Fetch the model again. If it stays so, do not use it.",
                name,
            )


def _index_fault(path: Path, shards: set[str]) -> str:
    """What is wrong with the index, as a sentence; "" when nothing is."""
    try:
        told = read_plain_json(path / INDEX)
        names = Counter(told["weight_map"].values())
    except (UnreadableJsonError, KeyError, TypeError, AttributeError):
        return "It does not say which weights are in which file."
    for name in names:
        if not isinstance(name, str) or Path(name).name != name or name in ("", ".", ".."):
            return f'It points to "{name}", which is outside of the folder.'
        if name not in shards:
            return f"{name} is missing."
    return ""


def _depth(told: Any) -> int:
    deepest, rest = 0, [(told, 1)]
    while rest:
        here, level = rest.pop()
        deepest = max(deepest, level)
        inner = here.values() if isinstance(here, dict) else here if isinstance(here, list) else ()
        rest.extend((value, level + 1) for value in inner)
    return deepest


def _stop(title: str, detail: str, fix: str, where: str = "") -> Finding:
    return Finding(level="stop", title=title, detail=detail, fix=fix, where=where)
