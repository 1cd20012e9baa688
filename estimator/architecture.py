"""The shape of a language model: what its layers are made of, and how many weights that is.

The estimator needs counts, not weights: how many parameters there are, how many of them a token
passes, how many of them 4-bit packing reaches. `Architecture.from_config` reads a config.json
without transformers (`config_reading.py`); `model_names.py` knows public models by their name.
"""

from collections.abc import Mapping
from typing import Any

from tailor.estimator.models.config_reading import read_fields
from tailor.estimator.models.layer_parts import (
    LatentAttention,
    LinearGroup,
    PerLayerInputs,
    SecondAttention,
    StateSpace,
    every,
)
from tailor.estimator.record import record

LINEAR_ROUTERS = frozenset(("gemma4_text", "llama4_text", "phimoe"))
"""Families whose choice of experts is a linear layer in transformers 5.24; elsewhere it lies beside
the experts (read)."""
GATED_SHARED_EXPERTS = frozenset(("qwen2_moe", "qwen3_next", "qwen3_5_moe_text"))
"""Families with a number from 0 to 1 for what every token passes (read)."""


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
    attention_layers: int | None = None
    """Layers with attention; None is all of them."""
    dense_layers: int | None = None
    """Layers with a plain feed-forward part; None is every layer without experts."""
    experts: int = 0
    """Feed-forward parts that a token is sent to by choice, in one layer; 0 without experts."""
    experts_per_token: int = 0
    """How many of them a token passes."""
    expert_mlp: int = 0
    """Width of one expert."""
    shared_mlp: int = 0
    """Width of the experts that every token passes, all of one layer together."""
    expert_layers: int = 0
    """Layers with experts."""
    has_fused_experts: bool = True
    """The experts of a layer lie in one tensor, as in transformers 5; then 4-bit packing and
    adapters leave them out. Before version 5 most families kept them apart."""
    sliding_window: int = 0
    """Tokens that the windowed layers look back; 0 without."""
    sliding_layers: int = 0
    """Attention layers with that window."""
    latent: LatentAttention | None = None
    second_attention: SecondAttention | None = None
    """Attention layers with other heads; they count among `attention_layers`."""
    kv_shared_layers: int = 0
    """Attention layers of the first kind that take keys and values from an earlier layer."""
    has_gated_attention: bool = False
    """Queries come with a gate of the same width (Qwen3-Next and later)."""
    state_space: StateSpace | None = None
    per_layer_inputs: PerLayerInputs | None = None
    double_mlp_layers: int = 0
    """Layers whose plain feed-forward part is twice as wide."""
    has_joined_attention: bool = False
    """Queries, keys and values are one linear layer; an adapter is then smaller."""
    has_joined_mlp: bool = False
    """Gate and up are one linear layer."""
    other_parameters: int = 0
    """Weights outside of blocks and vocabulary: learned positions, a part that sees."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Architecture":
        """Read a config.json; a ValueError names the field that makes no sense."""
        return cls(**read_fields(config))

    @property
    def attention_width(self) -> int:
        """Width of all query heads together; it may differ from `hidden`."""
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        """Width of all key heads together; the values have the same."""
        return self.kv_heads * self.head_dim

    @property
    def attending_layers(self) -> int:
        """Layers with attention."""
        return self.layers if self.attention_layers is None else self.attention_layers

    @property
    def plain_mlp_layers(self) -> int:
        """Layers with a feed-forward part that every token passes and that is no shared expert."""
        if self.dense_layers is not None:
            return self.dense_layers
        return self.layers - self.expert_layers

    @property
    def active_mlp(self) -> float:
        """Width of the feed-forward part that a token passes in a layer, on average."""
        chosen = self.experts_per_token * self.expert_mlp + self.shared_mlp
        plain = (self.plain_mlp_layers + self.double_mlp_layers) * self.mlp
        return (plain + self.expert_layers * chosen) / self.layers

    @property
    def has_irregular_layers(self) -> bool:
        """Whether blocks differ from plain attention and one feed-forward part.

        The closed form describes such a model by its counts alone; only a trace knows its peak.
        """
        return (
            self.expert_layers > 0
            or self.attending_layers != self.layers
            or self.plain_mlp_layers != self.layers
            or self.kv_shared_layers > 0
            or self.double_mlp_layers > 0
            or any((self.latent, self.second_attention, self.state_space, self.per_layer_inputs))
        )

    @property
    def linear_shapes(self) -> tuple[tuple[int, int], ...]:
        """Inputs and outputs of each linear layer of one plain block."""
        hidden, wide, narrow = self.hidden, self.attention_width, self.kv_width
        into_mlp = 2 if self.is_gated_mlp else 1
        return (
            (hidden, wide), (hidden, narrow), (hidden, narrow), (wide, hidden),
            *(((hidden, self.mlp),) * into_mlp), (self.mlp, hidden),
        )  # fmt: skip

    @property
    def linears(self) -> tuple[LinearGroup, ...]:
        """Every linear layer of the blocks, those of the same place together."""
        parts = [*self._attention_linears(), *self._mlp_linears(), *self._expert_linears()]
        if self.state_space:
            parts.extend(self.state_space.linears(self.hidden))
        if self.per_layer_inputs:
            parts.extend(self.per_layer_inputs.linears(self.hidden, self.layers))
        return tuple(group for group in parts if group.count)

    @property
    def linear_parameters(self) -> int:
        """Weights of the linear layers of all blocks."""
        return sum(group.parameters for group in self.linears)

    @property
    def active_linear_parameters(self) -> int:
        """Weights of linear layers that one token passes: what costs time."""
        return sum(group.active_parameters for group in self.linears)

    @property
    def quantised_linear_parameters(self) -> int:
        """Weights that 4-bit or 8-bit packing reaches."""
        return sum(group.parameters for group in self.linears if not group.is_fused)

    @property
    def embedding_parameters(self) -> int:
        """Weights of the vocabulary, counted once when input and output share them."""
        vocabulary = self.vocabulary * self.hidden * (1 if self.has_tied_embeddings else 2)
        extra = self.per_layer_inputs
        return vocabulary + (extra.embedding_parameters(self.layers) if extra else 0)

    @property
    def parameters(self) -> int:
        """All weights; biases and norms of heads are left out, below one part in a thousand."""
        norms = 2 * self.layers * self.hidden + self.hidden
        state = self.state_space.other_parameters if self.state_space else 0
        rest = norms + state + self.other_parameters
        return self.linear_parameters + self.embedding_parameters + rest

    def lora_parameters(self, rank: int, targets: tuple[str, ...] = ()) -> int:
        """Weights of an adapter of this rank on the named linear layers, or on every one.

        `targets` are of q k v o gate up down; a joined layer is meant by any of its parts.
        """
        return sum(
            rank * (group.inputs + group.outputs) * group.count
            for group in self.linears
            if not group.is_fused and (not targets or _is_meant(group.role, targets))
        )

    def _attention_linears(self) -> list[LinearGroup]:
        second = self.second_attention
        layers = self.attending_layers - (second.layers if second else 0)
        if self.latent:
            return list(self.latent.linears(self.hidden, self.heads, layers))
        own = layers - self.kv_shared_layers
        groups = self._heads_linears(layers, own, own, self.head_dim, self.kv_heads)
        if second:
            own = second.layers - second.kv_shared_layers
            values = own if second.has_values else 0
            groups.extend(
                self._heads_linears(second.layers, own, values, second.head_dim, second.kv_heads)
            )
        return groups

    def _heads_linears(
        self, layers: int, keys: int, values: int, head_dim: int, kv_heads: int
    ) -> list[LinearGroup]:
        wide, narrow, hidden = self.heads * head_dim, kv_heads * head_dim, self.hidden
        back = every("o", wide, hidden, layers)
        if self.has_joined_attention:
            return [every("qkv", hidden, wide + 2 * narrow, layers), back]
        query = wide * (2 if self.has_gated_attention else 1)
        return [
            every("q", hidden, query, layers),
            every("k", hidden, narrow, keys),
            every("v", hidden, narrow, values),
            back,
        ]

    def _mlp_linears(self) -> list[LinearGroup]:
        return [
            *self._feed_forward(self.mlp, self.plain_mlp_layers - self.double_mlp_layers),
            *self._feed_forward(2 * self.mlp, self.double_mlp_layers),
        ]

    def _feed_forward(self, width: int, count: int) -> list[LinearGroup]:
        back = every("down", width, self.hidden, count)
        if not self.is_gated_mlp:
            return [every("up", self.hidden, width, count), back]
        if self.has_joined_mlp:
            return [every("gate_up", self.hidden, 2 * width, count), back]
        return [
            every("gate", self.hidden, width, count),
            every("up", self.hidden, width, count),
            back,
        ]

    def _expert_linears(self) -> list[LinearGroup]:
        if not self.experts or not self.expert_layers:
            return []
        chosen = [
            LinearGroup(
                role=group.role,
                inputs=group.inputs,
                outputs=group.outputs,
                count=self.expert_layers * self.experts,
                active=self.expert_layers * self.experts_per_token,
                is_fused=self.has_fused_experts,
            )
            for group in self._feed_forward(self.expert_mlp, 1)
        ]
        shared = self._feed_forward(self.shared_mlp, self.expert_layers if self.shared_mlp else 0)
        if self.model_type in GATED_SHARED_EXPERTS:
            shared.append(every("shared_gate", self.hidden, 1, self.expert_layers))
        router = LinearGroup(
            role="router",
            inputs=self.hidden,
            outputs=self.experts,
            count=self.expert_layers,
            active=self.expert_layers,
            is_fused=self.has_fused_experts and self.model_type not in LINEAR_ROUTERS,
        )
        return [*chosen, *shared, router]


def _is_meant(role: str, targets: tuple[str, ...]) -> bool:
    joined = {"qkv": ("q", "k", "v"), "gate_up": ("gate", "up"), "q_b": ("q",), "kv_b": ("k", "v")}
    return role in targets or any(part in targets for part in joined.get(role, ()))
