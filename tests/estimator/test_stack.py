"""Which habits a framework's name stands for."""

import csv
from importlib.resources import files
from typing import get_args

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.stack import (
    TAILOR,
    Head,
    Layers,
    Stack,
    Stream,
    arrange_experts,
    find_stack,
)
from tailor.estimator.workload import Optimizer

ROWS = tuple(
    csv.DictReader(files("tailor.estimator").joinpath("stacks.csv").read_text("utf-8").splitlines())
)
TARGETS = {"q", "k", "v", "o", "gate", "up", "down"}


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_every_row_speaks_the_estimators_words_and_names_its_source(row: dict[str, str]) -> None:
    assert row["head"] in get_args(Head)
    assert row["layers"] in get_args(Layers)
    assert row["stream"] in get_args(Stream)
    assert row["optimizer"] in get_args(Optimizer)
    assert set(row["adapter_targets"].split()) <= TARGETS
    assert int(row["adapter_rank"]) > 0
    assert float(row["adapter_bytes"]) in (2, 4)
    assert 0 < float(row["reserve_share"]) < 0.5
    # Logits have a price exactly where they are made in full.
    assert bool(row["logit_bytes"]) == (row["head"] == "logits")
    yes_or_no = ("is_autocast", "is_reentrant", "is_offloading_activations", "has_own_loss")
    assert all(row[name] in ("yes", "no") for name in yes_or_no)
    assert row["has_apart_experts"] in ("yes", "no")
    assert row["is_checkpointing"] in ("yes", "no", "")
    assert len(row["source"]) > 10


def test_ids_are_given_once() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    ("framework", "stack"),
    [
        ("fms-hf-tuning sft_trainer (TRL SFTTrainer)+none", "fms-4.48"),
        ("fms-hf-tuning sft_trainer (TRL SFTTrainer)+foak-fast-kernels", "fms-kernels-4.48"),
        ("fms-hf-tuning sft_trainer (TRL SFTTrainer)+baseline-peft-bnb", "fms-kbit-4.48"),
        ("peft method_comparison 0.19.2.dev0 transformers 5.13.1", "peft-comparison"),
        ("fsdp_qlora train.py", "fsdp-qlora"),
        ("Unsloth 2024.12", "unsloth"),
        ("litgpt finetune_lora", "litgpt"),
        ("torchtune lora_finetune_distributed", "torchtune"),
        ("llm-foundry train.py (composer)", "llm-foundry"),
        ("Qwen finetune.py (deepspeed)", "qwen"),
        ("ms-swift sft", "hf-2023"),
        ("LLaMA-Factory", "hf-2023"),
        ("H2O LLM Studio", "h2o"),
        ("TRL 1.16 SFTTrainer", "trl-1.16"),
        ("HF Trainer with Liger kernels", "liger"),
        ("transformers 5.24 Trainer", "hf-5"),
        ("transformers 4.51.3", "hf-4.46"),
        ("transformers 4.36.2 Trainer", "hf-2023"),
        ("HF Trainer", "hf"),
        ("something else", "assumed"),
        ("", "assumed"),
    ],
)
def test_a_name_stands_for_one_stack(framework: str, stack: str) -> None:
    found = find_stack(framework)
    assert found.id == stack
    assert found.is_assumed == (stack == "assumed")


def test_notes_tell_the_version_where_the_name_does_not() -> None:
    name = "fms-hf-tuning sft_trainer (TRL SFTTrainer)+foak-fast-kernels"
    assert find_stack(name, "file=refs/a100_80gb_liger.csv").id == "fms-kernels-4.45-amp"
    assert find_stack(name, "file=refs/a100_80gb_granite.csv").id == "fms-kernels-4.45"


def test_our_own_stack_makes_no_full_logits_and_uses_a_fused_optimizer() -> None:
    assert TAILOR.is_own
    assert TAILOR.head == "tile"
    assert TAILOR.optimizer == "adamw"
    assert not TAILOR.is_checkpointing
    assert not find_stack("HF Trainer").is_own


def test_the_same_name_gives_the_same_stack() -> None:
    assert find_stack("HF Trainer") == find_stack("HF Trainer")
    assert isinstance(hash(find_stack("HF Trainer")), int)


def shape(model_type: str) -> Architecture:
    return Architecture(
        model_type=model_type, layers=4, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=128,
        vocabulary=500, max_positions=512, experts=8, experts_per_token=2, expert_mlp=128,
        expert_layers=4,
    )  # fmt: skip


def test_experts_lie_as_the_librarys_version_lays_them() -> None:
    old, new = find_stack("transformers 4.48.1"), find_stack("transformers 5.17")
    assert not arrange_experts(shape("mixtral"), old, "plain").has_fused_experts
    assert arrange_experts(shape("mixtral"), new, "plain").has_fused_experts
    assert arrange_experts(shape("mixtral"), TAILOR, "nf4_double").has_fused_experts
    assert arrange_experts(shape("granitemoe"), old, "plain").has_fused_experts
    # Files of GPTQ know linear layers alone.
    assert not arrange_experts(shape("mixtral"), TAILOR, "gptq").has_fused_experts


def test_an_unknown_field_is_no_stack() -> None:
    with pytest.raises(TypeError):
        Stack(id="x", head="logits", speed=3)  # type: ignore[call-arg]
