"""The table of public models: shape, published size and where both were read.

`architectures.csv` is made for people who check it against a model card, so every field has the
name it has in `Architecture`, and the rare parts of rare models stand in one column as words.
`model_names.py` looks names up here.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import Any

from tailor.estimator.architecture import Architecture
from tailor.estimator.models.layer_parts import (
    LatentAttention,
    PerLayerInputs,
    SecondAttention,
    StateSpace,
)
from tailor.estimator.record import record

COUNTS = (
    "layers", "hidden", "heads", "kv_heads", "head_dim", "mlp", "vocabulary", "max_positions",
)  # fmt: skip
EXTRAS = (
    "experts", "experts_per_token", "expert_mlp", "shared_mlp", "expert_layers", "sliding_window",
    "sliding_layers",
)  # fmt: skip
"""Counts that may be left blank; blank is 0."""
PARTS: dict[str, type] = {
    "latent": LatentAttention,
    "second_attention": SecondAttention,
    "state_space": StateSpace,
    "per_layer_inputs": PerLayerInputs,
}
"""Columns with a part as words: `kv_rank=512 rope_head_dim=64 ...`."""


@record
class KnownModel:
    """One row of the table."""

    name: str
    """As its makers write it, without their own name."""
    aliases: tuple[str, ...]
    """Other names of the same shape."""
    architecture: Architecture
    published_parameters: int
    source: str
    """Where shape and size were read."""


@cache
def read_models() -> tuple[KnownModel, ...]:
    """Every row, in the table's order."""
    text = files("tailor.estimator").joinpath("architectures.csv").read_text("utf-8")
    return tuple(_read_row(row) for row in csv.DictReader(text.splitlines()))


def _read_row(row: dict[str, str]) -> KnownModel:
    fields: dict[str, Any] = {name: int(row[name]) for name in COUNTS}
    fields |= {name: int(row[name] or 0) for name in EXTRAS}
    fields |= {name: part(**_read_words(row[name])) for name, part in PARTS.items() if row[name]}
    fields |= _read_words(row["other"])
    return KnownModel(
        name=row["name"],
        aliases=tuple(row["aliases"].split("|")) if row["aliases"] else (),
        architecture=Architecture(
            model_type=row["model_type"],
            has_tied_embeddings=row["tied"] == "yes",
            is_gated_mlp=row["gated"] == "yes",
            **fields,
        ),
        published_parameters=int(row["n_params_published"]),
        source=row["source"],
    )


def _read_words(words: str) -> dict[str, Any]:
    """`a=1 b=yes c=word` as values."""
    told: dict[str, Any] = {}
    for pair in words.split():
        name, _, value = pair.partition("=")
        told[name] = int(value) if value.lstrip("-").isdigit() else WORDS.get(value, value)
    return told


WORDS: dict[str, bool] = {"yes": True, "no": False}
