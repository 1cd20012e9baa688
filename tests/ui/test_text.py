"""The sentences: all used, none missing, no jargon, nothing shouted."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from tailor.recipes.catalog import recipes

UI = Path(importlib.import_module("tailor.ui").__file__).parent
SOURCES = {path: path.read_text("utf-8") for path in sorted(UI.rglob("*.py"))}
TEXT_FILES = sorted(path for path in UI.glob("text*.py"))
JARGON = re.compile(
    r"\b(epochs?|lora|qlora|bf16|fp16|fp32|batch(es)?|tokens?|loss|gradients?|hyperparameters?|"
    r"tensors?|checkpoints?|inference|optimi[sz]er|overfit(ting)?)\b",
    re.IGNORECASE,
)
REAL_NAMES = re.compile(r"real name|_NOTE$|EXPERT|YAML|ARGUMENTS|SNIPPET|^LOG|^PARTS$")
"""Keys that show the real name small and grey, or stand in a fold for experts."""

TERMINAL = "text_estimate.py"
"""A question on a terminal is asked in tokens and techniques; the main path is the wizard's."""


def text_keys():
    """(file, class, key, strings) of every sentence."""
    for path in TEXT_FILES:
        for node in ast.parse(SOURCES[path]).body:
            if not isinstance(node, ast.ClassDef):
                continue
            for line in node.body:
                if isinstance(line, ast.AnnAssign | ast.Assign):
                    target = line.target if isinstance(line, ast.AnnAssign) else line.targets[0]
                    strings = [
                        one.value
                        for one in ast.walk(line.value)
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    ]
                    yield path.name, node.name, target.id, strings


def test_every_sentence_is_used_and_every_used_one_exists() -> None:
    known = {(owner, key) for _, owner, key, _ in text_keys()}
    owners = {owner for owner, _ in known}
    used = {
        (node.value.id, node.attr)
        for source in SOURCES.values()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in owners
    }
    assert sorted(used - known) == []
    assert sorted(known - used) == []


def test_the_main_path_is_free_of_jargon() -> None:
    found = [
        (owner, key, match.group(0))
        for file, owner, key, strings in text_keys()
        if file != TERMINAL
        for text in strings
        if not REAL_NAMES.search(key) and not REAL_NAMES.search(text)
        for match in JARGON.finditer(re.sub(r"\{\w+\}", "", text))
    ]
    assert found == []


def test_nothing_is_shouted_and_no_dash_is_longer_than_a_hyphen() -> None:
    odd = [
        (owner, key, text)
        for _, owner, key, strings in text_keys()
        for text in strings
        if "!" in text or "\u2014" in text or "\u2013" in text
    ]
    assert odd == []


def test_an_error_says_what_why_and_what_to_do() -> None:
    by_owner: dict[str, set[str]] = {}
    for _, owner, key, _ in text_keys():
        by_owner.setdefault(owner, set()).add(key)
    for owner, keys in by_owner.items():
        for key in keys:
            if key.endswith("_DETAIL") and key.replace("_DETAIL", "_TITLE") in keys:
                assert key.replace("_DETAIL", "_FIX") in keys, (owner, key)


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
def test_every_knob_says_what_one_would_notice(recipe) -> None:
    assert recipe.title
    assert recipe.for_whom
    assert recipe.how_it_works
    for knob in recipe.knobs:
        assert knob.title
        assert knob.why
        assert knob.expert_name
        assert knob.default in {choice.value for choice in knob.choices}
        for choice in knob.choices:
            assert choice.title
            assert choice.notice
