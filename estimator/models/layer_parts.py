"""The parts that some models have beside plain attention and a feed-forward part.

Latent attention, a second kind of attention, state space layers and inputs of their own for each
layer are rare one by one, but together they are half of the models of today. Each is a noun that
knows its own linear layers; `architecture.py` adds them up.
"""

from typing import Literal

from tailor.estimator.record import record

StateKind = Literal["mamba", "mamba2", "short_convolution", "delta"]


@record
class LinearGroup:
    """All linear layers of a model that have the same place in their block."""

    role: str
    """q k v o gate up down, or the name of a rarer place."""
    inputs: int
    outputs: int
    count: int
    """Such layers in the whole model."""
    active: int
    """How many of them one token passes; fewer than `count` where experts are chosen."""
    is_fused: bool = False
    """Held in one tensor with others, which neither bitsandbytes 0.50 nor PEFT 0.21 sees as a
    linear layer (read): it stays unpacked and gets no adapter."""

    @property
    def parameters(self) -> int:
        """Weights of all of them."""
        return self.inputs * self.outputs * self.count

    @property
    def active_parameters(self) -> int:
        """Weights that one token is multiplied with."""
        return self.inputs * self.outputs * self.active


def every(role: str, inputs: int, outputs: int, count: int) -> LinearGroup:
    """A group that every token passes whole."""
    return LinearGroup(role=role, inputs=inputs, outputs=outputs, count=count, active=count)


@record
class LatentAttention:
    """Keys and values out of one narrow vector a token (DeepSeek's multi-head latent attention)."""

    query_rank: int = 0
    """Width between the two query matrices; 0 where there is one matrix."""
    kv_rank: int
    """Width of the vector that keys and values are made of."""
    rope_head_dim: int
    """Part of a head that carries the position."""
    plain_head_dim: int
    """Part of a head that doesn't."""
    value_head_dim: int

    def linears(self, hidden: int, heads: int, layers: int) -> tuple[LinearGroup, ...]:
        """The projections of `layers` attention layers."""
        wide = heads * (self.plain_head_dim + self.rope_head_dim)
        both = heads * (self.plain_head_dim + self.value_head_dim)
        query = (
            (every("q_a", hidden, self.query_rank, layers),
             every("q_b", self.query_rank, wide, layers))
            if self.query_rank
            else (every("q", hidden, wide, layers),)
        )  # fmt: skip
        return (
            *query,
            every("kv_a", hidden, self.kv_rank + self.rope_head_dim, layers),
            every("kv_b", self.kv_rank, both, layers),
            every("o", heads * self.value_head_dim, hidden, layers),
        )


@record
class SecondAttention:
    """Attention layers with other heads than the rest (Gemma 4's layers that see everything)."""

    layers: int
    kv_heads: int
    head_dim: int
    has_values: bool = True
    """False where the keys serve as values too."""
    kv_shared_layers: int = 0
    """Of these layers, how many take keys and values from an earlier one."""


@record
class StateSpace:
    """Layers that carry a state along the row instead of looking back at every token."""

    kind: StateKind
    layers: int
    inner: int
    """Width inside the layer."""
    heads: int = 0
    state: int = 0
    """Numbers of state for each inner number."""
    groups: int = 0
    convolution: int = 0
    """Tokens that the short convolution sees."""
    rank: int = 0
    """Width between the two matrices of the step size (first Mamba)."""
    key_inner: int = 0
    """Width of all keys together (delta rule)."""
    is_split: bool = False
    """The inputs of the delta rule are four linear layers, not two (Qwen3.5)."""

    def linears(self, hidden: int) -> tuple[LinearGroup, ...]:
        """The linear layers of all state layers."""
        inner, layers = self.inner, self.layers
        back = every("state_out", inner, hidden, layers)
        if self.kind == "mamba":
            return (
                every("state_in", hidden, 2 * inner, layers),
                every("state_x", inner, self.rank + 2 * self.state, layers),
                every("state_step", self.rank, inner, layers),
                back,
            )
        if self.kind == "mamba2":
            into = 2 * inner + 2 * self.groups * self.state + self.heads
            return (every("state_in", hidden, into, layers), back)
        if self.kind == "short_convolution":
            return (every("state_in", hidden, 3 * inner, layers), back)
        if self.is_split:
            return (
                every("state_in", hidden, 2 * self.key_inner + inner, layers),
                every("state_gate", hidden, inner, layers),
                every("state_gates", hidden, self.heads, 2 * layers),
                back,
            )
        return (
            every("state_in", hidden, 2 * self.key_inner + 2 * inner, layers),
            every("state_gates", hidden, 2 * self.heads, layers),
            back,
        )

    @property
    def other_parameters(self) -> int:
        """Weights beside the linear layers: convolution, decay and what is skipped."""
        if self.kind == "mamba":
            each = self.inner * (self.convolution + 1 + 1 + self.state + 1)
        elif self.kind == "mamba2":
            mixed = self.inner + 2 * self.groups * self.state
            each = mixed * (self.convolution + 1) + 3 * self.heads + self.inner
        elif self.kind == "short_convolution":
            each = self.inner * self.convolution
        else:
            each = (2 * self.key_inner + self.inner) * self.convolution + 2 * self.heads
        return each * self.layers


@record
class PerLayerInputs:
    """A small embedding of its own for every layer (Gemma 3n and the small Gemma 4)."""

    vocabulary: int
    width: int
    laurel_rank: int = 0
    """Width of the low-rank path beside each block (Gemma 3n); 0 without."""
    streams: int = 1
    """Copies of the residual stream that are kept side by side (Gemma 3n has 4)."""

    def embedding_parameters(self, layers: int) -> int:
        """Weights of the embeddings of all layers."""
        return self.vocabulary * self.width * layers

    def linears(self, hidden: int, layers: int) -> tuple[LinearGroup, ...]:
        """Linear layers that bring the small embedding in and out."""
        groups = [
            every("per_layer_gate", hidden, self.width, layers),
            every("per_layer_out", self.width, hidden, layers),
            every("per_layer_model", hidden, self.width * layers, 1),
        ]
        if self.laurel_rank:
            groups.append(every("laurel_in", hidden, self.laurel_rank, layers))
            groups.append(every("laurel_out", self.laurel_rank, hidden, layers))
        if self.streams > 1:
            groups.append(every("stream_router", hidden, self.streams, layers))
            # Every further stream is made from the embedding and brought back by a matrix each.
            groups.append(every("stream", hidden, hidden, 2 * (self.streams - 1)))
        return tuple(groups)
