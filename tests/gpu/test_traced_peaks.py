"""Traced peaks against a real card's, and the closed form beside them. Run with: pytest -m gpu -s

It prints the table: every technique, with and without checkpointing, with the tiled and with the
library's own loss, at three lengths. `TAILOR_PEAK_CASES` takes a part, such as "qlora" or "full 512".
"""

import gc
import itertools
import os
from pathlib import Path
from statistics import median

import pytest
import torch
from measured_steps import CardMeter, Measured, measure, write_model
from peak_cases import Case
from peak_table import Row, compare, read_context_bytes, render_table

pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore")]

CONFIG = {
    "model_type": "llama", "vocab_size": 64_000, "hidden_size": 2048, "intermediate_size": 5632,
    "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64,
    "max_position_embeddings": 8192, "tie_word_embeddings": False,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
"""A Llama of 0.97 billion weights."""
ROWS = 4
LENGTHS = (512, 2048, 4096)
CASES = tuple(
    Case(
        technique=technique, is_checkpointing=is_checkpointing, has_fused_head=has_fused_head,
        rows=ROWS, tokens=tokens,
    )
    for technique, is_checkpointing, has_fused_head, tokens in itertools.product(
        ("full", "lora", "qlora"), (True, False), (True, False), LENGTHS
    )
) + (
    Case(
        technique="lora", is_checkpointing=False, has_fused_head=True, rows=ROWS, tokens=2048,
        is_padded=True,
    ),
)  # fmt: skip


def chosen() -> list[Case]:
    words = os.environ.get("TAILOR_PEAK_CASES", "").split()
    return [
        case for case in CASES if all(word in f"{case.technique} {case.tokens}" for word in words)
    ]


def test_traced_peaks_are_the_cards(
    tmp_path: Path, tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model"
    write_model(model, CONFIG)

    def measure_case(case: Case) -> Measured:
        gc.collect()
        torch.cuda.empty_cache()
        return measure(case, model, tiny_model_folder, CardMeter(), tmp_path / "training")

    rows: list[Row] = [compare(case, CONFIG, measure_case) for case in chosen()]
    with capsys.disabled():
        print(
            f"\n{torch.cuda.get_device_name()}, torch {torch.__version__}, beside tensors ", end=""
        )
        print(f"{read_context_bytes() / 1e9:.3f} GB")
        print(render_table(rows))

    errors = [abs(row.trace_error) for row in rows]
    assert all(row.traced.ok for row in rows)
    assert median(errors) <= 0.01
    assert max(errors) <= 0.04
    assert median(abs(row.closed_error) for row in rows) <= 0.04
