"""Packed rows are exactly what they are alone: in one process and in two that train together."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from tailor.engine.child import child_environment
from tailor.engine.worker.batch_order import padded_tokens
from tailor.engine.worker.data import NOT_LEARNED, Example
from tailor.engine.worker.loss import pad_batch, sum_loss
from tailor.engine.worker.packing import (
    EXACT_STEPS,
    keeps_rows_apart,
    measure_leak,
    pack_batch,
    pack_rows,
    packed_tokens,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
CPU = torch.device("cpu")


def rows_of(*lengths):
    source = torch.Generator().manual_seed(0)
    rows = []
    for length in lengths:
        ids = tuple(torch.randint(0, 250, (length,), generator=source).tolist())
        rows.append(
            Example(
                input_ids=ids, labels=ids, text="", answers=(), cut_at=0, cut_tokens=0,
                last_learned_id=ids[-1],
            )
        )  # fmt: skip
    return rows


@pytest.mark.parametrize("seed", range(20))
def test_every_row_is_in_one_pack_and_no_pack_is_too_long(seed):
    source = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, 100, (30,), generator=source).tolist()
    packs = pack_rows(lengths, max(lengths))
    assert sorted(place for pack in packs for place in pack) == list(range(30))
    assert all(sum(lengths[place] for place in pack) <= max(lengths) for pack in packs)
    assert packed_tokens(lengths, range(30)) <= padded_tokens(lengths, range(30))


def test_a_row_that_does_not_fit_is_never_dropped_in_silence():
    with pytest.raises(ValueError, match="101 tokens"):
        pack_rows([101], 100)


def test_positions_begin_anew_with_each_row_and_filler_is_never_learned():
    batch = pack_batch(rows_of(6, 2, 3), 256, CPU)
    assert batch["position_ids"].tolist() == [[0, 1, 2, 3, 4, 5], [0, 1, 2, 0, 1, 0]]
    assert batch["labels"][1, 5] == NOT_LEARNED
    assert batch["input_ids"][1, 5] == 256
    assert "attention_mask" not in batch


def test_the_first_token_of_a_row_is_not_learned_from_the_row_before():
    labels = pack_batch(rows_of(6, 2, 3), 256, CPU)["labels"]
    assert labels[:, 0].tolist() == [NOT_LEARNED, NOT_LEARNED]
    assert labels[1, 3] == NOT_LEARNED


def test_rows_that_would_not_share_a_line_are_filled_up_as_ever():
    rows = rows_of(6, 5, 4)
    packed, padded = pack_batch(rows, 256, CPU), pad_batch(rows, 256, CPU)
    assert packed.keys() == padded.keys()
    assert all(torch.equal(packed[name], padded[name]) for name in padded)


def test_the_loss_of_packed_rows_is_the_loss_of_padded_ones(tiny_model_folder):
    model = AutoModelForCausalLM.from_pretrained(tiny_model_folder, attn_implementation="sdpa")
    rows = rows_of(40, 9, 12, 7)
    packed, padded = pack_batch(rows, 256, CPU), pad_batch(rows, 256, CPU)
    assert packed["input_ids"].numel() < padded["input_ids"].numel()
    torch.testing.assert_close(sum_loss(model, packed), sum_loss(model, padded))


def test_the_trial_before_packing_tells_a_model_that_mixes_rows(tiny_model_folder):
    model = AutoModelForCausalLM.from_pretrained(tiny_model_folder, attn_implementation="sdpa")
    assert keeps_rows_apart(model, 250)

    class Mixing(torch.nn.Module):
        device = CPU

        def forward(self, position_ids, **told):
            return model(**told)

    assert not keeps_rows_apart(Mixing(), 250)
    assert measure_leak(Mixing(), 250) > 1000 * EXACT_STEPS


def test_two_processes_find_that_no_row_hears_of_another(tiny_model_folder, tmp_path):
    script = Path(__file__).with_name("packed_rank.py")
    environment = child_environment() | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    ranks = [
        subprocess.Popen(
            [sys.executable, str(script), str(tmp_path), str(rank), str(tiny_model_folder)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in (0, 1)
    ]
    try:
        for rank in ranks:
            _, complaint = rank.communicate(timeout=300)
            assert rank.returncode == 0, complaint
    finally:
        for rank in ranks:
            rank.kill()
    told = [json.loads((tmp_path / f"rank-{rank}.json").read_text()) for rank in (0, 1)]
    for one in told:
        assert one["shape"][0] < one["padded_shape"][0]
        assert one["heard"] == 0
        assert one["steps"] <= EXACT_STEPS
        assert one["packed_loss"] == pytest.approx(one["padded_loss"], rel=1e-5)
        assert one["gradient_difference"] < 1e-4
        # The measures are no empty words: with the mask spoiled they tell it.
        assert one["heard_when_broken"] > 1e-4
        assert one["steps_when_broken"] > 1000 * EXACT_STEPS


def test_a_run_that_packs_ends_where_one_that_fills_up_does(bench):
    rows = [("What is 2 plus 3?" + " Please tell." * 6 * (i % 7 == 0), str(i)) for i in range(20)]
    feeding = {"per_device_train_batch_size": 8, "gradient_accumulation_steps": 1}
    plan = replace(bench.plan("full", training=feeding), steps=4, evaluate_every_steps=2)
    packing = replace(plan, training=(*plan.training, ("packing", True)))
    losses = []
    for name, one in (("run_1", plan), ("run_2", packing)):
        run_dir = bench.make_run(name, one, train=rows)
        assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
        assert bench.events(run_dir, "warned") == []
        losses.append(bench.held_out_losses(run_dir))
        tokens = bench.events(run_dir, "measured")[-1].tokens
        losses.append(tokens)
    assert losses[2] == pytest.approx(losses[0], rel=1e-4)
    assert losses[3] < losses[1]
