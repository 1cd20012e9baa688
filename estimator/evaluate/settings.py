"""How a measured run was set up: sharing between cards, checkpointing, attention, optimizer, dtype.

Every function turns a source's words into the estimator's, or refuses; a blank becomes the default
of the program that was run and is told as assumed. `rows.py` asks here.
"""

import re

from tailor.estimator.evaluate.refused import RefusalError
from tailor.estimator.record import record
from tailor.estimator.workload import Attention, Optimizer, Sharding

YES = frozenset(("true", "yes", "1", "on", "full", "enabled"))
NO = frozenset(("false", "no", "0", "off", "none", "disabled"))
SELECTIVE_SHARE = 0.5
"""Layers that "selective" checkpointing computes again; programs differ (unverified)."""

OPTIMIZERS: tuple[tuple[str, Optimizer], ...] = (
    (r"paged.*8-?bit", "paged_adamw_8bit"),
    (r"8-?bit", "adamw_8bit"),
    (r"paged|fused|apex|32bit|cpu_?adam", "adamw"),
    (r"adafactor", "adafactor"),
    (r"^sgd|momentum|^lion", "sgd_momentum"),
)
PLAIN_ADAM = re.compile(r"^(adamw?|adamw?[-_ ]?(torch|hf|bnb|mini)?|lora-fa|torch\.?adamw?)$")
HALF_WORDS = re.compile(r"bf16|bfloat16|fp16|float16|half|16-?true|16-?mixed|16-?bit")
SINGLE_WORDS = re.compile(r"fp32|float32|32-?true|32-?bit|tf32|^float$")
MIXED_WORDS = re.compile(r"mixed|amp")
HALF_BYTES, SINGLE_BYTES = 2.0, 4.0


@record
class Checkpointing:
    """What is computed again in the backward pass."""

    is_on: bool
    is_selective: bool = False
    is_offloading: bool = False
    assumed: tuple[str, ...] = ()


@record
class Numbers:
    """In which numbers a run computes."""

    weight_bytes: float
    is_autocast: bool
    """Trained weights are kept in fp32 and multiplied in 16 bits."""
    assumed: tuple[str, ...] = ()


@record
class Sharing:
    """How cards share the model."""

    sharding: Sharding
    has_masters: bool = False
    """DeepSpeed keeps an fp32 copy of what learns, whatever it computes in."""
    is_offloading_activations: bool = False
    assumed: tuple[str, ...] = ()


def read_sharing(words: str, cards: int) -> Sharing:
    """How cards share the model; a blank on several cards is plain data parallelism."""
    low = words.lower().strip()
    is_offloading = "offload" in low and not re.search(
        r"no[- ]?(cpu )?offload|offload\w*[:=]no", low
    )
    activations = is_offloading and "activation" in low
    has_weights_away = is_offloading and not re.fullmatch(r".*\bactivation offload", low)
    name = _sharding_name(low, cards)
    if has_weights_away or (is_offloading and "cpu" in low):
        if name not in ("fsdp", "none") and cards > 0:
            raise RefusalError("unsupported_sharding", f"{words} is not known.")
        name = "fsdp_offload" if name == "fsdp" else name
    assumed: tuple[str, ...] = ()
    if not low and cards > 1:
        assumed = ("Every card is taken to hold the whole model.",)
    has_masters = "zero" in low or "deepspeed" in low
    return Sharing(
        sharding=name,
        has_masters=has_masters,
        is_offloading_activations=activations,
        assumed=assumed,
    )


def _sharding_name(low: str, cards: int) -> Sharding:
    squeezed = re.sub(r"[-_ ]", "", low)
    if re.search(r"tensorpar|pipeline|\btp\b|\bpp\b|tp=|pp=|megatron|hybrid|hsdp|naive|"
                 r"device_?map|model ?parallel|expertpar", low):  # fmt: skip
        raise RefusalError("unsupported_sharding", f"{low} is not known.")
    if "noshard" in squeezed or "ddp" in low or squeezed in ("dp", "dataparallel"):
        return "ddp" if cards > 1 else "none"
    if "shardgradop" in squeezed or re.search(r"zero(stage)?2|stage2", squeezed):
        return "zero2"
    if re.search(r"zero(stage)?1|stage1", squeezed):
        return "zero1"
    if re.search(r"fsdp|fullshard|zero(stage)?3|stage3", squeezed):
        return "fsdp"
    if low in ("", "none", "no", "false", "-", "n/a", "single"):
        return "ddp" if cards > 1 else "none"
    raise RefusalError("unsupported_sharding", f"{low} is not known.")


def read_checkpointing(words: str, *, is_default: bool) -> Checkpointing:
    """What is computed again; a blank is the program's default."""
    low = words.lower().strip()
    if "unsloth" in low or "offload" in low:
        return Checkpointing(is_on=True, is_offloading=True)
    if "selective" in low:
        told = f"Selective checkpointing is taken as {SELECTIVE_SHARE:.0%} of the layers."
        return Checkpointing(is_on=True, is_selective=True, assumed=(told,))
    first = re.split(r"[ (;,]", low)[0]
    if first in YES:
        return Checkpointing(is_on=True)
    if first in NO:
        return Checkpointing(is_on=False)
    kind = "on" if is_default else "off"
    told = f"Gradient checkpointing is taken to be {kind}, as this program has it."
    return Checkpointing(is_on=is_default, assumed=(told,))


def read_attention(words: str) -> tuple[Attention, tuple[str, ...]]:
    """Which attention kernels a run used; a blank is PyTorch's own."""
    low = words.lower()
    if "flash" in low or low in ("fa", "fa2", "fa3"):
        return "flash", ()
    if re.search(r"sdpa|xformers|flex|mem|efficient", low):
        return "sdpa", ()
    if re.search(r"eager|naive|math|vanilla|standard|none", low):
        return "eager", ()
    return "sdpa", ("Attention is taken to be PyTorch's own.",)


def read_optimizer(words: str, plain: Optimizer) -> tuple[Optimizer, tuple[str, ...]]:
    """Which optimizer; `plain` is how this program runs a plain AdamW."""
    low = words.lower().strip()
    if not low:
        return plain, ("The optimizer is taken to be AdamW.",)
    for pattern, name in OPTIMIZERS:
        if re.search(pattern, low):
            return name, ()
    if PLAIN_ADAM.match(low):
        return plain, ()
    raise RefusalError("unknown_technique", f"The optimizer {words} is not known.")


def read_numbers(words: str, *, is_full: bool, is_sharded: bool) -> Numbers:
    """Bytes of a weight that is not packed, and whether trained weights are kept in fp32.

    "bfloat16 (amp bf16)" is Hugging Face's way: weights in 16 bits with autocast over them, which
    only FSDP's mixed precision lifts to fp32. "mixed" alone is PyTorch's: fp32 weights throughout.
    """
    low = words.lower().strip()
    has_half, is_mixed = bool(HALF_WORDS.search(low)), bool(MIXED_WORDS.search(low))
    if low in ("", "auto", "default"):
        told = ("Numbers are taken to have 16 bits.",)
        return Numbers(weight_bytes=HALF_BYTES, is_autocast=False, assumed=told)
    if is_mixed and "(" in low:
        return Numbers(weight_bytes=HALF_BYTES, is_autocast=is_full and is_sharded)
    if is_mixed:
        return Numbers(weight_bytes=SINGLE_BYTES if is_full else HALF_BYTES, is_autocast=is_full)
    if SINGLE_WORDS.search(low) and not has_half:
        return Numbers(weight_bytes=SINGLE_BYTES, is_autocast=False)
    if not has_half:
        raise RefusalError("bad_number", f"Numbers of the kind {words} are not known.")
    return Numbers(weight_bytes=HALF_BYTES, is_autocast=False)


def is_packed(words: str) -> bool | None:
    """Whether every micro-batch is full; None where it is not said."""
    low = words.lower().strip()
    if not low:
        return None
    if re.search(r"fixed|dummy|synthetic|random", low):
        return True
    first = re.split(r"[ (;,]", low)[0]
    if first in YES or "pack" in first:
        return True
    return False if first in NO else None
