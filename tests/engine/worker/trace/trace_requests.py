"""Requests for traces, small and large, that the tests of this folder share."""

import json
from dataclasses import replace
from typing import Any

from tailor.estimator.trace import TraceRequest

TINY: dict[str, Any] = {
    "model_type": "llama", "vocab_size": 1000, "hidden_size": 128, "intermediate_size": 384,
    "num_hidden_layers": 6, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32,
    "max_position_embeddings": 512, "tie_word_embeddings": False,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
LLAMA_8B: dict[str, Any] = {
    "model_type": "llama", "vocab_size": 128256, "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
    "max_position_embeddings": 131072, "tie_word_embeddings": False,
}  # fmt: skip
ADAPTER = (("r", 16), ("lora_alpha", 32), ("lora_dropout", 0.0), ("target_modules", "all-linear"))

LORA = TraceRequest(
    config=json.dumps(TINY), technique="lora", weights="bf16", products="bf16", adapter=ADAPTER,
    rows=4, tokens=64, learned_tokens=100, checkpointed_layers=0, attention="sdpa",
    evaluation_rows=2, evaluation_tokens=64, evaluation_columns=40,
)  # fmt: skip
FULL = replace(LORA, technique="full", adapter=())
QLORA = replace(LORA, technique="qlora", base_format="nf4_double", adapter_numbers="bf16")
FEW = (("r", 4), ("lora_dropout", 0.0), ("target_modules", ("q_proj", "down_proj")))
"""Adapters on some layers: as telling, and quicker to follow."""


def shaped(request: TraceRequest, **changes: Any) -> TraceRequest:
    """The request about a model whose config differs."""
    return replace(request, config=json.dumps(json.loads(request.config) | changes))


def large(request: TraceRequest) -> TraceRequest:
    """The same for a model of eight billion weights, and for rows as long as it is used with."""
    return replace(
        request, config=json.dumps(LLAMA_8B), rows=2, tokens=2048, learned_tokens=1500,
        evaluation_rows=1, evaluation_tokens=2048, evaluation_columns=1200,
    )  # fmt: skip
