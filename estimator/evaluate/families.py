"""Which metrics are compared with which prediction, and in which unit.

Memory that was allocated, memory that the allocator reserved and what nvidia-smi shows differ by a
third, so they are never mixed. `rows.py` asks for the family of each row and for the factor that
brings its value to bytes, seconds, or tokens and samples a second of all cards together.
"""

import re
from typing import Literal

from tailor.estimator.evaluate.refused import RefusalError

Family = Literal[
    "peak_mem_alloc",
    "peak_mem_reserved",
    "peak_mem_other",
    "tokens/s",
    "samples/s",
    "train time",
    "oom",
]
"""What is compared."""
Kind = Literal["memory", "speed", "time", "outcome"]

FAMILIES: tuple[Family, ...] = (
    "peak_mem_alloc",
    "peak_mem_reserved",
    "peak_mem_other",
    "tokens/s",
    "samples/s",
    "train time",
)
"""Families with errors, in the order of the report; failures are counted apart."""
KINDS: dict[Family, Kind] = {
    "peak_mem_alloc": "memory",
    "peak_mem_reserved": "memory",
    "peak_mem_other": "memory",
    "tokens/s": "speed",
    "samples/s": "speed",
    "train time": "time",
    "oom": "outcome",
}

NAMED: dict[str, Family] = {
    "peak_mem_alloc": "peak_mem_alloc",
    "peak_mem_active": "peak_mem_alloc",
    "peak_mem_reserved": "peak_mem_reserved",
    "peak_mem_reserved_per_gpu": "peak_mem_reserved",
    "peak_mem_reserved_gpu0": "peak_mem_reserved",
    "peak_mem_reserved_gpu1": "peak_mem_reserved",
    "peak_mem_reserved_or_alloc": "peak_mem_other",
    "peak_mem_per_gpu": "peak_mem_other",
    "mem_nvidia_smi": "peak_mem_other",
    "tokens_per_s_total": "tokens/s",
    "tokens_per_s_per_gpu": "tokens/s",
    "tokens_per_s_hf": "tokens/s",
    "samples_per_s": "samples/s",
    "train_time_s": "train time",
    "sec_per_iter": "train time",
    "oom": "oom",
}
PER_CARD_SPEED = frozenset(("tokens_per_s_per_gpu", "tokens_per_s_hf"))
"""Speeds of one card or process; Hugging Face's trainer counts the tokens of one process."""

UNITS: dict[Kind, dict[str, float]] = {
    "memory": {
        "b": 1, "byte": 1, "bytes": 1,
        "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
        "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
    },
    "speed": {
        "tok/s": 1, "tokens/s": 1, "token/s": 1, "tokens/sec": 1, "tok/sec": 1, "tps": 1,
        "tokens/second": 1, "ktok/s": 1e3, "ktokens/s": 1e3,
        "samples/s": 1, "sample/s": 1, "samples/sec": 1, "samples/second": 1, "seq/s": 1,
        "sequences/s": 1, "it/s": 1, "examples/s": 1, "rows/s": 1,
        "samples/min": 1 / 60, "samples/h": 1 / 3600,
    },
    "time": {
        "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "s/it": 1, "s/iter": 1,
        "sec/iter": 1, "s/step": 1, "sec/step": 1, "ms": 1e-3, "ms/iter": 1e-3, "ms/step": 1e-3,
        "min": 60, "mins": 60, "minutes": 60, "m": 60, "h": 3600, "hr": 3600, "hrs": 3600,
        "hour": 3600, "hours": 3600, "day": 86400, "days": 86400,
    },
    "outcome": {"bool": 1, "boolean": 1, "flag": 1, "0/1": 1, "": 1},
}  # fmt: skip
"""Every unit as a factor. Gigabytes are 1e9 bytes and gibibytes 2^30, as they are written."""
HABITUAL_UNITS: dict[Kind, str] = {"speed": "tok/s", "time": "s", "outcome": "bool"}
"""What a blank unit means where the metric's own name says it; memory has none."""


def find_family(metric: str) -> Family:
    """The family of a metric, or a refusal."""
    name = metric.lower()
    if name in NAMED:
        return NAMED[name]
    if name.endswith("_unspecified") and "mem" in name:
        return "peak_mem_other"
    raise RefusalError("unsupported_metric", f"The metric {metric or '(blank)'} is not predicted.")


def find_scale(metric: str, unit: str, cards: int) -> float:
    """What a value is multiplied by to be bytes of one card, seconds, or speed of all cards."""
    kind = KINDS[find_family(metric)]
    name = re.sub(r"\s+", "", unit.lower()).replace("per", "/")
    plain = re.sub(r"/(gpu|card|device|process|rank)$", "", name)
    factor = UNITS[kind].get(plain or HABITUAL_UNITS.get(kind, "none"))
    if factor is None:
        raise RefusalError("bad_number", f"The unit {unit or '(blank)'} of {metric} is not known.")
    is_of_one_card = metric.lower() in PER_CARD_SPEED or plain != name
    return factor * (cards if kind == "speed" and is_of_one_card else 1)
