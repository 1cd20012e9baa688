"""The measuring script is rehearsed without a card: same functions, a tiny model, a ledger."""

from pathlib import Path

import pytest
from measured_steps import LedgerMeter, measure, write_model
from peak_cases import Case
from peak_table import compare, render_table

pytestmark = pytest.mark.long

CONFIG = {
    "model_type": "llama", "vocab_size": 2000, "hidden_size": 128, "intermediate_size": 384,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32,
    "max_position_embeddings": 512, "tie_word_embeddings": False,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_the_measuring_script_runs_through_without_a_card(
    tmp_path: Path, tiny_model_folder: Path
) -> None:
    model = tmp_path / "model"
    write_model(model, CONFIG)
    cases = (
        Case(technique="full", is_checkpointing=False, has_fused_head=False, rows=4, tokens=64),
        Case(
            technique="lora", is_checkpointing=True, has_fused_head=True, rows=4, tokens=64,
            accumulation=2,
        ),
        Case(
            technique="lora", is_checkpointing=False, has_fused_head=True, rows=4, tokens=64,
            is_padded=True,
        ),
        Case(technique="qlora", is_checkpointing=False, has_fused_head=True, rows=4, tokens=64),
    )  # fmt: skip

    rows = [
        compare(
            case,
            CONFIG,
            lambda case: measure(
                case, model, tiny_model_folder, LedgerMeter(), tmp_path / "training"
            ),
        )
        for case in cases
    ]

    print(render_table(rows))
    assert all(row.traced.ok for row in rows), [row.traced.reason for row in rows]
    assert [row.trace_error for row in rows] == pytest.approx([0, 0, 0, 0], abs=0.01)
    tiled = [row for row in rows if row.case.has_fused_head]
    assert [row.traced.evaluation_bytes / row.measured.evaluation_bytes for row in tiled] == (
        pytest.approx([1, 1, 1], abs=0.01)
    )
    assert all(row.closed_bytes > row.traced.weights_bytes for row in rows)
    assert "median" in render_table(rows)
