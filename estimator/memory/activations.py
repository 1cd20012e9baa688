"""What the layers keep of each token: for the backward pass, and while it runs through a layer.

Each term is one tensor that autograd keeps, counted with hooks on live tensors (torch 2.13,
transformers 5.24, peft 0.21) and found again to the byte in public peaks of older versions.
`peak.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.adapters import compute_inputs
from tailor.estimator.memory.experts import compute_expert_bytes
from tailor.estimator.memory.irregular import compute_latent_bytes, compute_state_bytes
from tailor.estimator.memory.states import FP32_BYTES, HALF_BYTES
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.workload import Workload

NORMED_HEADS = frozenset(
    ("qwen3", "qwen3_moe", "qwen3_next", "gemma3", "gemma3_text", "gemma3n", "gemma3n_text",
     "gemma4", "gemma4_text", "olmo2", "olmo3")
)  # fmt: skip
"""Families that norm queries and keys as well (transformers 5.24, read)."""
FOUR_NORMS = frozenset(
    ("gemma2", "gemma3", "gemma3_text", "gemma3n", "gemma3n_text", "gemma4", "gemma4_text", "glm4")
)  # fmt: skip
"""Families with a norm behind attention and feed-forward part too (transformers 5.24, read)."""
SINGLE_NORMS = frozenset(name for name in FOUR_NORMS if name.startswith("gemma")) | {"gemma"}
"""Families whose norms multiply in fp32, and so keep their result in it (read)."""
PIECEWISE_GELU = frozenset(("phi", "gpt2", "gptj", "gpt_neo", "codegen"))
"""Families whose activation is written out in steps, each of which keeps its own (read)."""
PIECES = 3
"""Further copies that it keeps; measured on live tensors: 2.8."""
SCORE_BYTES = 8
"""Of one attention score where scores are kept: fp32 after softmax, 16 bits before and after."""


@record
class LayerBytes:
    """Bytes of one token, or of one token and one layer."""

    stream: float
    """The row itself between two layers: what a checkpoint stores."""
    kept: float
    """What the backward pass needs of the heaviest layer."""
    kept_mean: float
    """The same, on average over all layers."""
    backward: float
    """Held on top while the backward pass is inside the heaviest layer."""
    forward: float
    """Held while a layer is passed forwards and nothing is kept."""
    rows: float
    """The last layer's rows on their way to the loss."""
    copies: float = 0.0
    """Of a layer and not of a token, on average over all layers: kept with what it keeps."""
    work: float = 0.0
    """Of a layer and not of a token: held while it is passed backwards."""
    cast: float = 0.0
    """Of a layer and not of a token: its weights as autocast casts them, there until the loss is
    known."""


def compute_layer(
    workload: Workload, architecture: Architecture, stack: Stack, *, row_tokens: int
) -> LayerBytes:
    """Bytes of one token in one layer; `row_tokens` is the longest row."""
    kinds = _kinds(workload, architecture, stack, row_tokens)
    stream = _stream_bytes(workload, architecture, stack)
    heaviest = max(kinds, key=lambda kind: kind.kept + kind.backward)
    layers = sum(kind.layers for kind in kinds)
    cast = _cast_bytes(workload, architecture)
    # The gradient of a row, and with the old kind of checkpointing the row computed again.
    passing = stream * (2 if stack.is_reentrant and workload.is_checkpointing_activations else 1)
    return LayerBytes(
        stream=stream,
        kept=heaviest.kept,
        kept_mean=sum(kind.kept * kind.layers for kind in kinds) / max(1, layers),
        backward=heaviest.backward + passing,
        forward=heaviest.kept + stream,
        rows=_last_rows_bytes(workload, architecture, stack),
        copies=cast + sum(kind.copy * kind.layers for kind in kinds) / max(1, layers),
        work=cast + max(kind.work for kind in kinds),
        cast=cast,
    )


@record
class _Kind:
    """Layers that are alike."""

    layers: int
    kept: float
    backward: float
    copy: float = 0.0
    work: float = 0.0


def _kinds(
    workload: Workload, architecture: Architecture, stack: Stack, row_tokens: int
) -> tuple[_Kind, ...]:
    """Layers by the kind of their feed-forward part; the mixing part is taken as a mean."""
    shape, is_fused = architecture, has_fused_layers(workload, stack)
    element = _feed_forward_element(workload, architecture, stack)
    mixing = _norm_bytes(workload, shape, stack) + _mixing_bytes(workload, shape, row_tokens)
    kinds = []
    if shape.plain_mlp_layers or not shape.expert_layers:
        wide = float(shape.mlp * (2 if shape.double_mlp_layers else 1))
        kept, back = _feed_forward_bytes(shape, wide, element, is_fused=is_fused)
        inputs = compute_inputs(workload, shape, stack, mlp=wide, is_fused=is_fused)
        trained = element * wide if workload.technique == "full" and not is_fused else 0.0
        kinds.append(
            _Kind(
                layers=max(1, shape.plain_mlp_layers),
                kept=mixing + kept + inputs.plain + inputs.down + trained,
                # The last input is given back before the widest moment, unless it is cast.
                backward=back - inputs.down - trained + inputs.casting,
            )
        )
    if shape.expert_layers:
        experts = compute_expert_bytes(workload, shape, element)
        inputs = compute_inputs(workload, shape, stack, mlp=None, is_fused=is_fused)
        kinds.append(
            _Kind(
                layers=shape.expert_layers,
                kept=mixing + experts.kept + inputs.plain,
                backward=experts.backward,
                copy=experts.copy,
                work=experts.copy + experts.work,
            )
        )
    return tuple(kinds)


def has_fused_layers(workload: Workload, stack: Stack) -> bool:
    """Whether adapters and feed-forward part run in kernels that compute again instead of
    keeping."""
    if stack.layers == "fused":
        return True
    return workload.has_fused_kernels and stack.layers == "eager"


def _has_fused_norms(workload: Workload, stack: Stack) -> bool:
    return workload.has_fused_kernels or stack.layers != "eager"


def _element(workload: Workload) -> int:
    """Bytes of a number that a layer computes."""
    is_half = workload.weight_bytes_per_parameter < FP32_BYTES or workload.is_autocast
    return HALF_BYTES if is_half else FP32_BYTES


def has_fp32_stream(workload: Workload, architecture: Architecture, stack: Stack) -> bool:
    """Whether rows travel in 32 bits between the layers.

    Beside a packed base they do in families with a LayerNorm, whose result autocast gives in fp32:
    a packed layer answers in the format that it is asked in. After the old preparation they do
    everywhere, but only on one card (public peaks on two are those without it).
    """
    if workload.technique == "qlora" and workload.base_format != "gptq":
        is_prepared = stack.stream != "half" and workload.cards == 1
        return is_prepared or not architecture.is_gated_mlp
    if workload.technique == "full" and not _computes_in_copies(workload):
        return workload.trainable_bytes_per_parameter >= FP32_BYTES
    return _element(workload) == FP32_BYTES


def _computes_in_copies(workload: Workload) -> bool:
    """FSDP and DeepSpeed compute with 16-bit copies of weights that rest in 32; autocast alone
    casts each weight when it is used and leaves the rows between layers as they are."""
    return workload.sharding not in ("none", "ddp")


def _stream_bytes(workload: Workload, architecture: Architecture, stack: Stack) -> float:
    size = FP32_BYTES if has_fp32_stream(workload, architecture, stack) else _element(workload)
    streams = architecture.per_layer_inputs.streams if architecture.per_layer_inputs else 1
    return float(size * architecture.hidden * streams)


def _cast_bytes(workload: Workload, architecture: Architecture) -> float:
    """16-bit copies that autocast makes of trained fp32 weights and keeps while it is on."""
    is_cast = workload.technique == "full" and workload.is_autocast
    if not is_cast or _computes_in_copies(workload):
        return 0.0
    return HALF_BYTES * architecture.linear_parameters / max(1, architecture.layers)


def _feed_forward_element(workload: Workload, architecture: Architecture, stack: Stack) -> int:
    is_raised = workload.technique == "qlora" and has_fp32_stream(workload, architecture, stack)
    return FP32_BYTES if is_raised else _element(workload)


def _norm_bytes(workload: Workload, architecture: Architecture, stack: Stack) -> float:
    """Norms and, where linear layers learn, the inputs that they make."""
    shape, element = architecture, _element(workload)
    hidden = float(shape.hidden)
    count = 4 if shape.model_type in FOUR_NORMS else 2
    learns = workload.technique == "full"
    if _has_fused_norms(workload, stack) or not shape.is_gated_mlp:
        # The norm's own input: the layer's is a checkpoint already where those are kept.
        kept = (count - 1 if workload.is_checkpointing_activations else count) * element * hidden
        kept += count * element * hidden if learns else 0.0
    else:
        # An fp32 copy of the input; where the norm learns its result without the factor, and where
        # linear layers learn the result itself.
        result = FP32_BYTES if shape.model_type in SINGLE_NORMS else element
        kept = count * hidden * (FP32_BYTES + (result + element if learns else 0))
    if learns and has_fp32_stream(workload, shape, stack):
        # Every linear layer casts its input for itself.
        kept += 5 * HALF_BYTES * hidden
    if shape.model_type in NORMED_HEADS:
        size = element if _has_fused_norms(workload, stack) else FP32_BYTES
        size += element if learns else 0
        kept += size * (shape.attention_width + shape.kv_width)
    return kept


def _mixing_bytes(workload: Workload, architecture: Architecture, row_tokens: int) -> float:
    """Attention or state space of a layer, on average where a model has both."""
    shape, element = architecture, _element(workload)
    share = shape.attending_layers / max(1, shape.layers)
    if shape.latent:
        attention = compute_latent_bytes(shape, element)
    else:
        wide, narrow = float(shape.attention_width), float(shape.kv_width)
        # Queries, keys, values, the result, and one fp32 number for each head.
        attention = 2 * element * (wide + narrow) + FP32_BYTES * shape.heads
        if shape.has_joined_attention and shape.is_gated_mlp:
            # Values are a view of one tensor, which keeps queries and keys before their turn too.
            attention += element * (wide + narrow)
    if workload.attention == "eager":
        attention += SCORE_BYTES * shape.heads * row_tokens
    return share * attention + compute_state_bytes(shape, element)


def _feed_forward_bytes(
    architecture: Architecture, width: float, element: int, *, is_fused: bool
) -> tuple[float, float]:
    """What is kept, and what the backward pass holds on top at its widest moment."""
    if not architecture.is_gated_mlp:
        pieces = PIECES if architecture.model_type in PIECEWISE_GELU else 0
        return element * width * (1 + pieces), element * width * (3 if pieces else 2)
    if is_fused:
        return 2 * element * width, 2 * element * width
    # Kept: both inputs of the product and the input of the activation. Backward: the gradients of
    # the product and of both its inputs.
    return 3 * element * width, 3 * element * width


def _last_rows_bytes(workload: Workload, architecture: Architecture, stack: Stack) -> float:
    """The last norm's input and its result, which the head reads."""
    hidden = float(architecture.hidden)
    if _has_fused_norms(workload, stack) or not architecture.is_gated_mlp:
        return 2 * _stream_bytes(workload, architecture, stack)
    learned = HALF_BYTES * hidden if workload.technique == "full" else 0.0
    return hidden * (FP32_BYTES + HALF_BYTES) + learned
