"""Where an answer ends, and which tokens end it.

A model that never learned its end token talks for ever, and one that learned another than the
programs around it wait for does so too. Templates put the token behind an answer in many ways, some
with a document's end behind it. Training, exam, preview and saving ask here.
"""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from tailor.engine.worker.habits import read_habits


def read_end_ids(tokenizer: Any, folder: Path) -> frozenset[int]:
    """Ids of the tokens that end an answer, by tokenizer and `generation_config.json`."""
    ids = set() if tokenizer.eos_token_id is None else {tokenizer.eos_token_id}
    config = folder / "generation_config.json"
    if config.exists():
        named = json.loads(config.read_text("utf-8")).get("eos_token_id")
        ids.update(named if isinstance(named, list) else [] if named is None else [named])
    # Base models often name only their end of document, while their template ends turns otherwise.
    ending = _last_token(tokenizer, template_ending(tokenizer))
    if ending:
        ids.add(tokenizer.convert_tokens_to_ids(ending))
    return frozenset(ids)


def template_ending(tokenizer: Any) -> str:
    """The special tokens that the template puts directly behind an answer; empty when none."""
    return match_ending(tokenizer, read_habits(tokenizer).ending, 0)


def match_ending(tokenizer: Any, text: str, place: int) -> str:
    """The special tokens at `place` that follow each other; white space may stand before them."""
    found = _ending_pattern(tokenizer).match(text, place)
    return found.group() if found else ""


def match_known_ending(tokenizer: Any, text: str, place: int) -> str:
    """The same up to the first token that ends an answer; empty when none of them does.

    Inside a conversation other marks may follow directly, such as the next speaker's.
    """
    run = match_ending(tokenizer, text, place)
    found = find_known_ending(tokenizer, run, 0)
    return run[: found[1]] if found else ""


def find_known_ending(tokenizer: Any, text: str, place: int) -> tuple[int, int] | None:
    """Where the first token behind `place` that ends an answer stands."""
    known = {tokenizer.eos_token, _last_token(tokenizer, template_ending(tokenizer))}
    for found in special_pattern(tokenizer).finditer(text, place):
        if found.group() in known:
            return found.span()
    return None


def find_special_ending(tokenizer: Any, text: str) -> str:
    """The special token that `text` ends with, or an empty string."""
    endings = [token for token in special_tokens(tokenizer) if text.endswith(token)]
    return max(endings, key=len, default="")


@lru_cache(maxsize=4)
def special_tokens(tokenizer: Any) -> tuple[str, ...]:
    """Spelling of every special token."""
    added = tokenizer.added_tokens_decoder.values()
    named = {*tokenizer.all_special_tokens, *(str(one) for one in added if one.special)}
    return tuple(sorted(named, key=len, reverse=True))


@lru_cache(maxsize=4)
def special_pattern(tokenizer: Any) -> re.Pattern[str]:
    """Finds any special token in a text."""
    return re.compile("|".join(map(re.escape, special_tokens(tokenizer))) or "(?!)")


@lru_cache(maxsize=4)
def _ending_pattern(tokenizer: Any) -> re.Pattern[str]:
    one = special_pattern(tokenizer).pattern
    return re.compile(rf"\s*(?:{one})+")


def _split(tokenizer: Any, run: str) -> list[str]:
    return special_pattern(tokenizer).findall(run)


def _last_token(tokenizer: Any, run: str) -> str:
    return next(reversed(_split(tokenizer, run)), "")
