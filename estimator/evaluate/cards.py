"""The machine of a measured run, from words such as "RTX 3090 24GB (no NVLink, 280W limit)".

Speed needs a card of the table. Memory does not: it is the same on every card that holds it, so a
run on unknown cards keeps its memory prediction, and its verdict where the words tell how much
memory they have. `rows.py` asks here.
"""

import re

from tailor.estimator.evaluate.refused import Code, RefusalError
from tailor.estimator.gpus import Gpu, find_card_by_words
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.models.model_names import Refusal

GIB = 2**30
USABLE_SHARE = 0.95
"""What a program can have of a card whose usable memory is not in the table."""
MEMORY_WORDS = re.compile(r"(\d+(?:\.\d+)?)\s*(?:gb|gib|g)\b", re.IGNORECASE)
SEVERAL = re.compile(r"^\s*(\d{1,4})\s*[x\u00d7]\s*(?=\d*\s*[a-z])", re.IGNORECASE)
SERVER_CORES = 16
SERVER_BYTES = 2**40
"""Machines behind public measurements hardly ever tell their memory; none of them lacked it."""


def count_cards(words: str) -> int:
    """How many cards words such as "8x A100 80GB" speak of."""
    found = SEVERAL.match(words)
    return int(found.group(1)) if found else 1


def find_hardware(words: str, cards: int, *, is_memory: bool) -> HardwareSpec:
    """The machine; `is_memory` says that only memory is asked for."""
    found = find_card_by_words(words)
    if isinstance(found, Refusal):
        if not is_memory:
            code: Code = "ambiguous_card" if found.code == "ambiguous_card" else "unknown_card"
            raise RefusalError(code, found.words)
        return _machine(_nameless(words, found), cards)
    return _machine(_card(found), cards)


def _card(gpu: Gpu) -> Card:
    return Card(
        name=gpu.name,
        kind="cuda",
        memory_bytes=gpu.memory_bytes,
        free_bytes=gpu.usable_bytes,
        bandwidth_bytes_per_second=gpu.bandwidth_bytes_per_second,
        flops_per_second=gpu.flops_per_second,
        power_watts=gpu.power_watts,
        has_bf16=gpu.has_bf16,
    )


def _nameless(words: str, refusal: Refusal) -> Card:
    found = MEMORY_WORDS.search(words)
    memory_bytes = round(float(found.group(1)) * GIB) if found else 0
    return Card(
        name=words or refusal.words,
        kind="cuda",
        memory_bytes=memory_bytes,
        free_bytes=round(memory_bytes * USABLE_SHARE),
    )


def _machine(card: Card, cards: int) -> HardwareSpec:
    return HardwareSpec(
        cards=(card,) * cards,
        cpu_cores=SERVER_CORES,
        cpu_has_bf16=True,
        ram_bytes=SERVER_BYTES,
        ram_free_bytes=SERVER_BYTES,
        disk_free_bytes=SERVER_BYTES,
    )
