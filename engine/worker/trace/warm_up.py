"""Loads beforehand what every trace needs, so that a fork finds it there.

transformers loads a family's module when a model of it is first made, and TRL its head when it is
first asked for; both take seconds. The server calls it once.
"""

import json
from typing import Any

from tailor.engine.worker.trace.tracer import trace
from tailor.estimator.trace import TraceRequest

TINY: dict[str, Any] = {
    "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 256,
}  # fmt: skip
FAMILIES = ("llama", "qwen3")
"""Families that most models on this computer belong to or are built like."""


def load_all() -> None:
    """Trace a model of next to nothing of each common family; nothing of it is left behind."""
    for family in FAMILIES:
        trace(
            TraceRequest(
                config=json.dumps(TINY | {"model_type": family}),
                technique="qlora",
                weights="bf16",
                products="bf16",
                base_format="nf4_double",
                adapter=(("r", 2), ("target_modules", "all-linear")),
                adapter_numbers="bf16",
                rows=1,
                tokens=8,
                learned_tokens=4,
                evaluation_tokens=8,
                evaluation_columns=4,
            )
        )
