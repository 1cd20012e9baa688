"""Published peaks against the exact trace, in the versions that they were measured with.

`scripts/trace_published` makes that environment and runs this in it. The peaks are
`max_memory_allocated` of fms-acceleration's benchmarks (scripts/benchmarks/refs/a100_80gb.csv, A100
80 GB, transformers 4.48.1, peft 0.13.2, rows of 4,096 tokens, foreach AdamW, checkpointing of the
old kind, LoRA of rank 16 on q, k, v, o with dropout 0.1). 1 is the exit code when one is more than
1 % off.
"""

import json
import sys
from dataclasses import dataclass, replace

from tailor.engine.worker.trace.tracer import trace
from tailor.estimator.trace import TraceRequest

MOST_OFF = 0.01
WORKSPACE_BYTES = 2 * 8_519_680
"""cuBLAS' on an A100, for the forward and for the backward thread."""
MISTRAL_7B = {
    "model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
    "vocab_size": 32000, "max_position_embeddings": 32768, "sliding_window": None,
}  # fmt: skip
LLAMA_2_70B = {
    "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
    "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8,
    "vocab_size": 32000, "max_position_embeddings": 4096,
}  # fmt: skip
LORA = TraceRequest(
    config=json.dumps(MISTRAL_7B), technique="lora", weights="bf16", products="bf16",
    is_autocast=False, rows=4, tokens=4096, learned_tokens=4 * 4096, checkpointed_layers=None,
    is_reentrant=True, optimizer="adamw_foreach", head="logits", attention="flash",
    adapter=(
        ("r", 16), ("lora_alpha", 16), ("lora_dropout", 0.1),
        ("target_modules", ("q_proj", "k_proj", "v_proj", "o_proj")),
    ),
    evaluation_rows=1, evaluation_tokens=4096, workspace_bytes=WORKSPACE_BYTES,
)  # fmt: skip
FULL = replace(LORA, technique="full", adapter=())
# Their runs on a packed base used autocast: a bf16 copy of the adapters is part of their peaks.
QLORA = replace(LORA, technique="qlora", base_format="nf4_double", is_autocast=True)
PREPARED = replace(QLORA, stream="norms")
BIG = replace(QLORA, config=json.dumps(LLAMA_2_70B))


@dataclass(frozen=True)
class Published:
    """One measured peak."""

    name: str
    run: str
    """Which run of that table it was."""
    request: TraceRequest
    measured_bytes: int


def _rows(request: TraceRequest, rows: int) -> TraceRequest:
    return replace(request, rows=rows, learned_tokens=rows * request.tokens)


PUBLISHED = (
    Published("Mistral-7B LoRA, 4 rows", "fms-a100_80gb-32", LORA, 26_704_571_904),
    Published("Mistral-7B LoRA, 8 rows", "fms-a100_80gb-34", _rows(LORA, 8), 38_742_912_512),
    Published("Mistral-7B full, 4 rows", "fms-a100_80gb-8", FULL, 72_434_837_504),
    Published("Mistral-7B full, 8 rows", "fms-a100_80gb-10", _rows(FULL, 8), 72_435_230_720),
    Published("Mistral-7B QLoRA, 4 rows", "fms-a100_80gb-76", QLORA, 16_373_838_336),
    Published("Mistral-7B QLoRA, 8 rows", "fms-a100_80gb-78", _rows(QLORA, 8), 28_412_178_944),
    Published("Llama-2-70B QLoRA, 4 rows", "fms-a100_80gb-92", BIG, 68_126_381_056),
    Published("Mistral-7B QLoRA prepared, 4 rows", "fms-a100_80gb-56", PREPARED, 20_669_338_112),
    Published(
        "Mistral-7B QLoRA prepared, 8 rows", "fms-a100_80gb-58", _rows(PREPARED, 8), 37_002_646_016
    ),
)


def main() -> int:
    """Print the table; 1 when a row is off."""
    print(f"{'run':36}{'measured GB':>12}{'traced GB':>12}{'off':>10}{'seconds':>9}  peak, depths")
    worst = 0.0
    for row in PUBLISHED:
        told = trace(row.request)
        if not told.ok:
            print(f"{row.name:36}{told.reason}")
            return 1
        off = told.peak_bytes / row.measured_bytes - 1
        worst = max(worst, abs(off))
        print(
            f"{row.name:36}{row.measured_bytes / 1e9:12.4f}{told.peak_bytes / 1e9:12.4f}{off:10.3%}"
            f"{told.seconds:9.1f}  {told.peak_phase}, {', '.join(map(str, told.depths))}"
        )
    print(f"worst {worst:.3%}; {', '.join(' '.join(one) for one in told.versions)}")
    return int(worst > MOST_OFF)


if __name__ == "__main__":
    sys.exit(main())
