"""Moves are told in plain words, with the numbers of this very plan."""

import random

import pytest

from tailor.estimator.search.words import cut_shares, list_moves
from tailor.estimator.workload import LengthHistogram

LAYERS = 32


def words(before, after):
    return [move.words for move in list_moves(before, after, LAYERS)]


def test_nothing_changed_is_no_move(lora):
    assert words(lora(), lora()) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"is_checkpointing_activations": True}, "Compute all 32 layers twice"),
        (
            {"is_checkpointing_activations": True, "checkpointed_layers": 20},
            "Compute 20 of 32 layers twice",
        ),
        ({"micro_batch_rows": 1, "accumulation": 16}, "Feed 1 row at a time instead of 4."),
        ({"optimizer": "adamw_8bit"}, "in 8 bits"),
        ({"sharding": "fsdp"}, "Split the model over the cards"),
        ({"max_length_tokens": 1024}, "Cut rows at 1,024 tokens instead of 2,048."),
        ({"adapter_dropout": 0.0}, "dropout 0"),
        ({"attention": "flash"}, "piece by piece"),
    ],
)
def test_each_move_has_its_sentence(lora, changes, told):
    before = lora(adapter_dropout=0.05, attention="eager")
    (move,) = list_moves(before, lora(**{"adapter_dropout": 0.05, "attention": "eager"} | changes),
                         LAYERS)  # fmt: skip
    assert told in move.words
    assert move.before != move.value


def test_fewer_layers_twice_is_not_told_as_more(lora):
    before = lora(is_checkpointing_activations=True)
    after = lora(is_checkpointing_activations=True, checkpointed_layers=20)
    assert words(before, after) == [
        "Compute only 20 of 32 layers twice and keep the numbers of the others."
    ]


def test_every_sentence_ends_and_speaks_plainly(lora, qlora):
    before = lora(technique="full", attention="eager", optimizer="adamw_foreach")
    after = qlora(
        optimizer="paged_adamw_8bit", micro_batch_rows=2, accumulation=8, sharding="fsdp_offload",
        is_checkpointing_activations=True, is_offloading_activations=True, max_length_tokens=512,
    )  # fmt: skip
    moves = tuple(list_moves(before, after, LAYERS))
    assert len(moves) == 9
    for sentence in (*[move.words for move in moves], *[move.cost for move in moves if move.cost]):
        assert sentence.endswith(".")
        assert "!" not in sentence
        assert "—" not in sentence


def test_cut_rows_and_tokens_are_what_cutting_gives(rows):
    lengths = rows(3_000, 2_048)
    assert cut_shares(lengths, 2_048) == (0.0, 0.0)
    assert cut_shares(lengths, 4_096) == (0.0, 0.0)
    share, tokens = cut_shares(lengths, 1_024)
    assert share == pytest.approx(1 / 3)
    assert 0.15 < tokens < 0.25


def test_cut_shares_agree_with_counting_each_row():
    chance = random.Random(7)
    counted = [chance.randint(1, 1_000) for _ in range(4_000)]
    edges = tuple(range(50, 1_001, 50))
    lengths = LengthHistogram(
        edges_tokens=edges,
        counts=tuple(sum(edge - 50 < one <= edge for one in counted) for edge in edges),
        total_tokens=sum(counted),
        learned_tokens=sum(counted) // 2,
        longest_tokens=max(counted),
    )
    for limit in (60, 300, 725, 990):
        share, tokens = cut_shares(lengths, limit)
        rows = sum(one > limit for one in counted) / len(counted)
        lost = sum(max(0, one - limit) for one in counted) / sum(counted)
        assert share == pytest.approx(rows, abs=0.01)
        assert tokens == pytest.approx(lost, abs=0.01)
