import pytest

from tailor.estimator.evaluate.refused import RefusalError
from tailor.estimator.evaluate.settings import (
    is_packed,
    read_attention,
    read_checkpointing,
    read_numbers,
    read_optimizer,
    read_sharing,
)


@pytest.mark.parametrize(
    ("words", "cards", "sharding"),
    [
        ("none", 1, "none"),
        ("", 1, "none"),
        ("", 4, "ddp"),
        ("DDP (FSDP NO_SHARD)", 2, "ddp"),
        ("FSDP FULL_SHARD", 2, "fsdp"),
        ("FSDP FULL_SHARD (no offload)", 2, "fsdp"),
        ("FSDP FULL_SHARD + CPU offload", 2, "fsdp_offload"),
        ("FSDP FULL_SHARD + CPU+activation offload", 2, "fsdp_offload"),
        ("DeepSpeed ZeRO-3", 8, "fsdp"),
        ("DeepSpeed ZeRO-3 CPU offload", 1, "fsdp_offload"),
        ("deepspeed zero2", 4, "zero2"),
        ("ZeRO Stage 1", 4, "zero1"),
        ("FSDP SHARD_GRAD_OP", 4, "zero2"),
    ],
)
def test_ways_to_share_a_model_are_known_by_every_name(
    words: str, cards: int, sharding: str
) -> None:
    assert read_sharing(words, cards).sharding == sharding


def test_offloaded_activations_are_told_apart_from_offloaded_weights() -> None:
    both = read_sharing("FSDP FULL_SHARD + CPU+activation offload", 2)
    assert both.is_offloading_activations
    alone = read_sharing("FSDP FULL_SHARD + activation offload", 2)
    assert alone.is_offloading_activations
    assert alone.sharding == "fsdp"


@pytest.mark.parametrize(
    "words",
    [
        "tensor parallel",
        "TP=4",
        "PP2",
        "HYBRID_SHARD",
        "device_map=auto",
        "deepspeed",
        "zero2 offload",
    ],
)
def test_what_the_formulas_do_not_know_is_refused(words: str) -> None:
    with pytest.raises(RefusalError) as refusal:
        read_sharing(words, 4)
    assert refusal.value.code == "unsupported_sharding"


def test_deepspeed_keeps_an_fp32_copy_of_what_learns() -> None:
    assert read_sharing("DeepSpeed ZeRO-3", 2).has_masters
    assert not read_sharing("FSDP FULL_SHARD", 2).has_masters


def test_checkpointing_is_read_and_a_blank_is_the_programs_default() -> None:
    assert read_checkpointing("True (reentrant)", is_default=False).is_on
    assert not read_checkpointing("False", is_default=True).is_on
    assert read_checkpointing("unsloth", is_default=False).is_offloading
    assert read_checkpointing("selective", is_default=False).is_selective
    blank = read_checkpointing("", is_default=True)
    assert blank.is_on
    assert blank.assumed


def test_masters_in_fp32_come_with_sharded_autocast_or_with_mixed_numbers() -> None:
    amp = "bfloat16 (amp bf16)"
    assert read_numbers(amp, is_full=True, is_sharded=True).is_autocast
    assert not read_numbers(amp, is_full=True, is_sharded=False).is_autocast
    mixed = read_numbers("bf16-mixed", is_full=True, is_sharded=False)
    assert mixed.is_autocast
    assert mixed.weight_bytes == 4
    assert read_numbers("fp32", is_full=True, is_sharded=False).weight_bytes == 4
    assert read_numbers("bf16-true", is_full=True, is_sharded=False).weight_bytes == 2
    assert read_numbers("", is_full=True, is_sharded=False).assumed
    with pytest.raises(RefusalError):
        read_numbers("posit8", is_full=True, is_sharded=False)


def test_optimizers_and_attention_are_known_by_every_name() -> None:
    for words, expected in (
        ("adamw_torch", "adamw_foreach"),
        ("AdamW", "adamw_foreach"),
        ("adamw_torch_fused", "adamw"),
        ("adamw_bnb_8bit", "adamw_8bit"),
        ("paged_adamw_8bit", "paged_adamw_8bit"),
        ("paged_adamw_32bit", "adamw"),
        ("DeepSpeedCPUAdam", "adamw"),
        ("Adafactor", "adafactor"),
        ("SGD", "sgd_momentum"),
    ):
        assert read_optimizer(words, "adamw_foreach")[0] == expected, words
    assert read_optimizer("", "adamw")[1]
    with pytest.raises(RefusalError):
        read_optimizer("galore", "adamw")
    assert read_attention("flash_attention_2") == ("flash", ())
    assert read_attention("flash/sdpa")[0] == "flash"
    assert read_attention("sdpa (default)")[0] == "sdpa"
    assert read_attention("eager")[0] == "eager"


def test_packing_is_yes_no_or_not_said() -> None:
    assert is_packed("True") is True
    assert is_packed("dummy data fixed length") is True
    assert is_packed("False (bucketed by length)") is False
    assert is_packed("") is None
