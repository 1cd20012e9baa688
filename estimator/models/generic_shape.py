"""Shapes of models that no table knows: those described in figures, and those known by size alone.

"GPT h2048 L24 a16" says everything; "a 7B model" says one number, and the rest is what a Llama of
that size has. The second is a guess and is told apart from everything else. `model_names.py` asks
here after its table.
"""

import re

from tailor.estimator.architecture import Architecture

BILLION = 1e9
GENERIC_VOCABULARY = 32_000
GENERIC_POSITIONS = 4096
GENERIC_HEAD = 128
"""Vocabulary, row length and head of Llama 2, whose proportions a model of known size is given."""
WIDTH_PER_LAYER = 128
"""Llama 7B to 65B are about 128 times as wide as they have layers."""
SMALLEST, LARGEST = 0.001, 5000.0
"""Billions of parameters between which a size makes sense."""
GPT_VOCABULARY = 50_257
GPT_POSITIONS = 2048
FIGURE = re.compile(r"(?<![a-z])(hidden|layers|heads|h|l|a|v|i|k)[ =:]?(\d+)(?![\d.]*[bm]?[a-z])")
NAMES = {"hidden": "h", "layers": "l", "heads": "a"}


def read_pattern(words: str) -> Architecture | None:
    """The shape that a name spells out: h hidden, L layers, a heads, and i k v where told."""
    told = {NAMES.get(name, name): int(count) for name, count in FIGURE.findall(words.lower())}
    if not {"h", "l", "a"} <= told.keys() or not all(told.values()):
        return None
    hidden, heads = told["h"], told["a"]
    if hidden % heads:
        return None
    is_gpt = "llama" not in words.lower() and "mistral" not in words.lower()
    vocabulary = told.get("v", GPT_VOCABULARY if is_gpt else GENERIC_VOCABULARY)
    return Architecture(
        model_type="gpt2" if is_gpt else "llama",
        layers=told["l"],
        hidden=hidden,
        heads=heads,
        kv_heads=told.get("k", heads),
        head_dim=hidden // heads,
        mlp=told.get("i", 4 * hidden if is_gpt else _gated_width(hidden)),
        vocabulary=vocabulary,
        max_positions=GPT_POSITIONS if is_gpt else GENERIC_POSITIONS,
        is_gated_mlp=not is_gpt,
        has_tied_embeddings=is_gpt,
        has_joined_attention=is_gpt,
        other_parameters=GPT_POSITIONS * hidden if is_gpt else 0,
    )


def build_generic(params_b: float) -> Architecture | None:
    """What a Llama of so many billion parameters looks like; None where the size is no size."""
    if not SMALLEST <= params_b <= LARGEST:
        return None
    wanted = params_b * BILLION
    hidden = GENERIC_HEAD
    while _shaped(hidden + GENERIC_HEAD).parameters <= wanted:
        hidden += GENERIC_HEAD
    return _shaped(hidden, wanted)


def _shaped(hidden: int, wanted: float = 0.0) -> Architecture:
    layers = max(2, hidden // WIDTH_PER_LAYER)
    # What is left after attention and vocabulary goes into the feed-forward part.
    rest = wanted - 2 * GENERIC_VOCABULARY * hidden - 4 * layers * hidden**2
    mlp = max(64, round(rest / (3 * layers * hidden))) if wanted else _gated_width(hidden)
    heads = hidden // GENERIC_HEAD
    return Architecture(
        model_type="llama",
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=heads,
        head_dim=GENERIC_HEAD,
        mlp=mlp,
        vocabulary=GENERIC_VOCABULARY,
        max_positions=GENERIC_POSITIONS,
        is_guess=True,
    )


def _gated_width(hidden: int) -> int:
    """Llama's rule: two thirds of four times the width, rounded up to 256."""
    return -(-8 * hidden // 3 // 256) * 256
