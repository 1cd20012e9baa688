"""What the free words beside a measurement say: run, rank, layers with an adapter, steps.

Notes are written by people and differ by source; only `name=value` forms and a few plain ones are
read, and what is not said stays None. `rows.py` reads a row's notes once. The count of trainable
weights is left alone on purpose: it is a check, not an input.
"""

import re

from tailor.estimator.record import record

LAYER_WORDS: dict[str, tuple[str, ...]] = {
    "q_proj": ("q",), "k_proj": ("k",), "v_proj": ("v",), "o_proj": ("o",), "out_proj": ("o",),
    "q": ("q",), "k": ("k",), "v": ("v",), "o": ("o",), "wq": ("q",), "wk": ("k",), "wv": ("v",),
    "wo": ("o",), "query": ("q",), "key": ("k",), "value": ("v",), "output_proj": ("o",),
    "dense": ("o",), "qkv": ("q", "k", "v"), "qkv_proj": ("q", "k", "v"), "wqkv": ("q", "k", "v"),
    "c_attn": ("q", "k", "v"), "w_pack": ("q", "k", "v"), "query_key_value": ("q", "k", "v"),
    "self_attn": ("q", "k", "v", "o"), "attn": ("q", "k", "v", "o"),
    "attention": ("q", "k", "v", "o"), "gate_proj": ("gate",), "up_proj": ("up",),
    "down_proj": ("down",), "gate_up_proj": ("gate", "up"), "mlp": ("gate", "up", "down"),
    "w1": ("gate",), "w2": ("down",), "w3": ("up",), "fc1": ("up",), "fc2": ("down",),
    "c_fc": ("up",), "dense_h_to_4h": ("up",), "dense_4h_to_h": ("down",),
}  # fmt: skip
"""Names of linear layers in public models and what they are in a block."""
LAYER_ORDER = ("q", "k", "v", "o", "gate", "up", "down")
EVERY_LAYER = re.compile(r"\ball[- _]?linear\b|^\W*all\W*$", re.IGNORECASE)

NUMBER = r"(\d[\d_,]*(?:\.\d+)?(?:e[+-]?\d+)?)"
RANK = re.compile(rf"(?<![\w.])(?:lora_)?r(?:ank)?\s*=\s*{NUMBER}", re.IGNORECASE)
DROPOUT = re.compile(rf"\blora_dropout\s*=\s*{NUMBER}", re.IGNORECASE)
TARGETS = re.compile(
    r"\b(?:lora_)?(?:targets?|target_modules?)\s*[=:]\s*(\[[^\]]*\]|[^;,]+(?:,[^;=]+)*)",
    re.IGNORECASE,
)
STEPS = re.compile(rf"\b(?:max|total)_steps\s*[= ]\s*{NUMBER}", re.IGNORECASE)
EPOCHS = re.compile(rf"\b(?:num_train_)?epochs?\s*=\s*{NUMBER}", re.IGNORECASE)
SAMPLES = re.compile(
    rf"\b(?:dataset_samples|num_samples|samples|dataset_size|rows)\s*[= ]\s*{NUMBER}"
    rf"|{NUMBER}\s+(?:training\s+)?(?:samples|examples|rows)\b",
    re.IGNORECASE,
)
RUN = re.compile(r"\brun\s*=\s*([^;\s]+)", re.IGNORECASE)
KERNELS = re.compile(r"\bkernels\s*=\s*([^;\s]+)", re.IGNORECASE)
SUMMED = re.compile(
    r"\b(?:sum(?:med)?|total(?:led)?)\s+(?:over|of|across)\s+(?:all\s+|the\s+|\d+\s+|both\s+)*"
    r"(?:gpu|card|device|rank)s?\b",
    re.IGNORECASE,
)
CAPPED = re.compile(
    r"\b(?:seq_len|max_length|length|cutoff)\s+(?:is\s+)?(?:only\s+)?(?:a\s+)?"
    r"(?:cap|limit|maximum|max)\b",
    re.IGNORECASE,
)


@record
class Notes:
    """What the notes say; None or empty is not said."""

    run: str = ""
    rank: int | None = None
    targets: tuple[str, ...] | None = None
    """Layers with an adapter; empty is every linear layer."""
    dropout: float | None = None
    kernels: str = ""
    steps: int | None = None
    epochs: float | None = None
    samples: int | None = None
    is_dora: bool = False
    is_rslora: bool = False
    is_summed_over_cards: bool = False
    is_length_cap: bool = False
    is_without_padding: bool = False
    """Tokens are counted without padding."""
    is_offloading_activations: bool = False


def read_notes(text: str) -> Notes:
    """Read a row's notes."""
    low = text.lower()
    rank, steps = _number(RANK, text), _number(STEPS, text)
    return Notes(
        run=_word(RUN, text),
        rank=None if rank is None else round(rank),
        targets=read_targets(text),
        dropout=_number(DROPOUT, text),
        kernels=_word(KERNELS, text).lower(),
        steps=None if not steps else round(steps),
        epochs=_number(EPOCHS, text),
        samples=_samples(text),
        is_dora="use_dora=true" in low,
        is_rslora="use_rslora=true" in low,
        is_summed_over_cards=SUMMED.search(text) is not None,
        is_length_cap=CAPPED.search(text) is not None,
        is_without_padding=re.search(r"\b(?:non-?pad|without padding|unpadded)", low) is not None,
        is_offloading_activations="activation offload" in low or "offload activations" in low,
    )


def read_targets(text: str) -> tuple[str, ...] | None:
    """Layers with an adapter, in a block's order; empty is every one, None is not said."""
    found = TARGETS.search(text)
    if EVERY_LAYER.search(found.group(1) if found else text):
        return ()
    if found is None:
        return None
    words = re.findall(r"[A-Za-z_][\w]*", found.group(1).lower())
    named = {layer for word in words for layer in LAYER_WORDS.get(word, ())}
    # Names of no linear layer, such as norms or embeddings: nothing is known about adapters.
    return tuple(layer for layer in LAYER_ORDER if layer in named) if named else None


def _samples(text: str) -> int | None:
    found = SAMPLES.search(text)
    if found is None:
        return None
    return round(float((found.group(1) or found.group(2)).replace(",", "").replace("_", "")))


def _number(pattern: re.Pattern[str], text: str) -> float | None:
    found = pattern.search(text)
    return None if found is None else float(found.group(1).replace(",", "").replace("_", ""))


def _word(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return "" if found is None else found.group(1)
