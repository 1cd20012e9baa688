"""The shape of a language model, read from its config.json without transformers.

The estimator needs counts, not weights: how many parameters, how many of them in linear layers,
how wide a token's activations are. `Architecture.from_config` reads them; the model shelf calls it.
"""

from collections.abc import Mapping
from typing import Any

from tailor.estimator.record import record

NAMES: dict[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads"),
    "head_dim": ("head_dim",),
    "mlp": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"),
    "vocabulary": ("vocab_size",),
    "max_positions": (
        "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx",
    ),
}  # fmt: skip
"""Names under which config.json files say the same thing."""

HABITS = {"layers": 32, "hidden": 4096, "vocabulary": 32_000, "max_positions": 2048}
"""What a Llama has; used for a field that is missing, and told as a guess."""

HABITUAL_HEAD_DIM = 128

PLAIN_MLP = frozenset(
    ("gpt2", "gpt_neo", "gpt_neox", "gptj", "gpt_bigcode", "opt", "bloom", "falcon", "mpt", "phi",
     "starcoder2", "codegen", "stablelm_alpha")
)  # fmt: skip
"""Families whose feed-forward part has two matrices instead of three."""

TIED_BY_DEFAULT = frozenset(
    ("gpt2", "gpt_neo", "gpt_bigcode", "opt", "bloom", "falcon", "mpt", "smollm3", "starcoder2",
     "cohere", "cohere2", "gemma", "gemma2", "gemma3", "gemma3_text")
)  # fmt: skip
"""Families whose config class ties the embeddings when the file is silent (transformers 5.24)."""

UNUSUAL = (
    "num_experts", "num_local_experts", "n_routed_experts", "kv_lora_rank", "ssm_cfg",
    "mamba_d_state", "state_size", "layer_types",
)  # fmt: skip
"""Fields of shapes that the counts below do not describe (experts, latent attention, state
space)."""

ALL_ATTENTION = frozenset(("full_attention", "sliding_attention"))
LARGEST = 10_000_000
"""No field of a real model is larger; a larger one is nonsense and would make nonsense of the
sums."""


@record
class Architecture:
    """Counts that decide memory and time."""

    model_type: str
    """The `model_type` of config.json, such as "llama"."""
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    mlp: int
    """Width of the feed-forward part."""
    vocabulary: int
    max_positions: int
    """Longest row that the model was made for, in tokens."""
    is_gated_mlp: bool = True
    has_tied_embeddings: bool = False
    is_guess: bool = False
    """True when a field was missing and filled from habit; estimates then say "assumed"."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Architecture":
        """Read a config.json; a ValueError names the field that makes no sense."""
        inner = config.get("text_config")
        texts = inner if isinstance(inner, Mapping) else {}
        # A model that also sees keeps its language part nested; the rest of it stands outside.
        return _read({**{k: v for k, v in config.items() if k != "text_config"}, **texts})

    @property
    def attention_width(self) -> int:
        """Width of all query heads together; it may differ from `hidden`."""
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        """Width of all key heads together; the values have the same."""
        return self.kv_heads * self.head_dim

    @property
    def linear_shapes(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of each linear layer of one block."""
        hidden, wide, narrow = self.hidden, self.attention_width, self.kv_width
        into_mlp = 2 if self.is_gated_mlp else 1
        return (
            (hidden, wide), (hidden, narrow), (hidden, narrow), (wide, hidden),
            *(((hidden, self.mlp),) * into_mlp), (self.mlp, hidden),
        )  # fmt: skip

    @property
    def linear_parameters(self) -> int:
        """Weights of the linear layers of all blocks: what is quantised and what costs time."""
        return self.layers * sum(inputs * outputs for inputs, outputs in self.linear_shapes)

    @property
    def embedding_parameters(self) -> int:
        """Weights of the vocabulary, counted once when input and output share them."""
        return self.vocabulary * self.hidden * (1 if self.has_tied_embeddings else 2)

    @property
    def parameters(self) -> int:
        """All weights; biases are left out, they are below one part in a thousand."""
        norms = 2 * self.layers * self.hidden + self.hidden
        return self.linear_parameters + self.embedding_parameters + norms

    def lora_parameters(self, rank: int) -> int:
        """Weights of an adapter of this rank on every linear layer of every block."""
        ends = sum(inputs + outputs for inputs, outputs in self.linear_shapes)
        return rank * self.layers * ends


def _read(config: Mapping[str, Any]) -> Architecture:
    found = {field: _find(config, field) for field in NAMES}
    missing = [field for field in HABITS if found[field] is None]
    given = HABITS | {field: count for field, count in found.items() if count is not None}
    model_type = str(config.get("model_type", ""))
    is_gated = model_type not in PLAIN_MLP
    hidden = given["hidden"]
    if "heads" not in given:
        missing.append("heads")
    if "mlp" not in given and is_gated:
        missing.append("mlp")
    heads = given.get("heads", max(1, hidden // HABITUAL_HEAD_DIM))
    head_dim = given.get("head_dim", hidden // heads)
    # A plain feed-forward part that is not given is four times as wide by its definition.
    mlp = given.get("mlp", 8 * hidden // 3 if is_gated else 4 * hidden)
    kv_heads = given.get("kv_heads", 1 if config.get("multi_query") is True else heads)
    _check_heads(heads, kv_heads, head_dim)
    return Architecture(
        model_type=model_type,
        layers=given["layers"],
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        mlp=mlp,
        vocabulary=given["vocabulary"],
        max_positions=given["max_positions"],
        is_gated_mlp=is_gated,
        has_tied_embeddings=_is_tied(config, model_type),
        is_guess=bool(missing) or not model_type or _is_unusual(config),
    )


def _find(config: Mapping[str, Any], field: str) -> int | None:
    for name in NAMES[field]:
        told = config.get(name)
        if told is None:
            continue
        if isinstance(told, bool) or not isinstance(told, int) or not 0 < told <= LARGEST:
            raise ValueError(f"{name} is {told!r:.40}; it must be a whole number above 0")
        return told
    return None


def _check_heads(heads: int, kv_heads: int, head_dim: int) -> None:
    if head_dim < 1:
        raise ValueError(f"num_attention_heads is {heads}, more than hidden_size allows")
    if kv_heads > heads or heads % kv_heads:
        raise ValueError(
            f"num_key_value_heads is {kv_heads}; it must divide num_attention_heads ({heads})"
        )


def _is_tied(config: Mapping[str, Any], model_type: str) -> bool:
    told = config.get("tie_word_embeddings", model_type in TIED_BY_DEFAULT)
    if not isinstance(told, bool):
        raise ValueError(f"tie_word_embeddings is {told!r:.40}; it must be true or false")
    return told


def _is_unusual(config: Mapping[str, Any]) -> bool:
    for name in UNUSUAL:
        told = config.get(name)
        if name == "layer_types" and isinstance(told, list) and ALL_ATTENTION.issuperset(told):
            continue
        if told:
            return True
    return False
