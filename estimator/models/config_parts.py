"""Rare parts out of a config.json: which layer is of which kind, experts, latent attention, state.

Each family says these in its own way, and what it leaves out it means by its own defaults (read in
transformers 5.24). `config_reading.py` puts the answers beside the plain counts.
"""

from collections.abc import Mapping
from typing import Any, Literal

from tailor.estimator.models.config_fields import find_count, find_list, find_or
from tailor.estimator.models.layer_parts import (
    LatentAttention,
    PerLayerInputs,
    SecondAttention,
    StateSpace,
)

Kind = Literal["attention", "sliding", "state", "both", "mlp", "experts", "unknown"]

KINDS: dict[str, Kind] = {
    "full_attention": "attention", "attention": "attention", "global": "attention",
    "sliding_attention": "sliding", "chunked_attention": "sliding", "local": "sliding",
    "linear_attention": "state", "mamba": "state", "conv": "state",
    "mlp": "mlp", "moe": "experts",
}  # fmt: skip
"""What the words of `layer_types` and its sisters mean."""
PATTERN: dict[str, Kind] = {"M": "state", "*": "attention", "-": "mlp", "E": "experts"}
"""The letters of `hybrid_override_pattern` (Nemotron-H)."""
ONLY_STATE = frozenset(("mamba", "mamba2", "falcon_mamba"))
ALTERNATING: dict[str, int] = {"gemma2": 2, "gemma3_text": 6, "gemma3": 6, "cohere2": 4,
                               "gemma3n_text": 5, "gemma4_text": 6, "gpt_oss": 2,
                               "llama4_text": 4}  # fmt: skip
"""Families where only every n-th layer sees everything when the file doesn't list its layers."""
ONE_PART_A_LAYER = frozenset(("nemotron_h",))
"""Families whose layers are attention, state or feed-forward, each alone."""


def read_kinds(config: Mapping[str, Any], layers: int) -> tuple[Kind, ...]:
    """What each layer is made of, as the file lists it or as the family means it."""
    model_type = str(config.get("model_type", ""))
    if model_type in ONLY_STATE:
        return _same("state", layers)
    if model_type == "falcon_h1":
        return _same("both", layers)
    pattern = config.get("hybrid_override_pattern")
    if isinstance(pattern, str) and pattern:
        return tuple(PATTERN.get(letter, "unknown") for letter in pattern)
    told = find_list(config, "layer_types", "layers_block_type", "attention_layers")
    if told:
        named = tuple(KINDS.get(word, "unknown") for word in told)
        is_whole = model_type in ONE_PART_A_LAYER or len(named) == layers
        # A list that is too short or too long is no description of this model.
        return named if is_whole else (*named, *_same("unknown", layers))[:layers]
    places = config.get("attn_layer_indices") or config.get("full_attn_idxs")
    if isinstance(places, (list, tuple)) or model_type == "bamba":
        full = places if isinstance(places, (list, tuple)) else ()
        return tuple("attention" if place in full else "state" for place in range(layers))
    return _habitual_kinds(config, layers, model_type)


def _habitual_kinds(config: Mapping[str, Any], layers: int, model_type: str) -> tuple[Kind, ...]:
    period = find_or(config, 0, "attn_layer_period")
    if period:
        offset = find_or(config, 0, "attn_layer_offset")
        return tuple("attention" if n % period == offset else "state" for n in range(layers))
    if config.get("linear_num_value_heads"):
        full = find_or(config, 4, "full_attention_interval")
        return tuple("state" if (n + 1) % full else "attention" for n in range(layers))
    if model_type in ALTERNATING:
        full = find_or(config, ALTERNATING[model_type], "sliding_window_pattern")
        return tuple("sliding" if (n + 1) % full else "attention" for n in range(layers))
    window = find_or(config, 0, "sliding_window")
    is_used = window and config.get("use_sliding_window", True) is not False
    return _same("sliding" if is_used else "attention", layers)


def _same(kind: Kind, layers: int) -> tuple[Kind, ...]:
    return (kind,) * layers


def read_experts(config: Mapping[str, Any], kinds: tuple[Kind, ...], mlp: int) -> dict[str, Any]:
    """Experts of a layer, which layers have them, and what every token passes beside them."""
    layers, model_type = len(kinds), str(config.get("model_type", ""))
    experts = find_or(
        config, 0, "num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts",
    )  # fmt: skip
    if experts < 2 or config.get("enable_moe_block") is False:
        return {}
    chosen = find_or(
        config, 1, "num_experts_per_tok", "top_k_experts", "moe_topk", "moe_k", "moe_top_k"
    )
    if chosen > experts:
        raise ValueError(f"num_experts_per_tok is {chosen}; there are {experts} experts")
    width = find_or(config, mlp, "moe_intermediate_size", "expert_intermediate_size")
    shared = find_or(
        config,
        width * find_or(config, 0, "n_shared_experts", "num_shared_experts",
                        "moe_num_shared_experts", "num_shared_expert"),
        "shared_expert_intermediate_size", "shared_intermediate_size",
        "moe_shared_expert_intermediate_size",
    )  # fmt: skip
    places = _expert_places(config, kinds)
    found: dict[str, Any] = {
        "experts": experts,
        "experts_per_token": chosen,
        "expert_mlp": width,
        "shared_mlp": shared,
        "expert_layers": places,
    }
    if model_type == "llama4_text":
        # One expert beside the chosen one; layers without experts have a width of their own.
        return found | {"shared_mlp": width, "mlp": find_or(config, mlp, "intermediate_size_mlp")}
    if model_type == "gemma4_text":
        # The plain part stays beside the experts.
        return found | {"dense_layers": layers}
    return found


def _expert_places(config: Mapping[str, Any], kinds: tuple[Kind, ...]) -> int:
    """How many layers have experts."""
    layers = len(kinds)
    if "experts" in kinds:
        return kinds.count("experts")
    told = find_list(config, "mlp_layer_types")
    if told:
        return sum(1 for word in told if word in ("sparse", "moe"))
    listed = config.get("moe_layers")
    if isinstance(listed, (list, tuple)):
        return len(listed)
    period = find_or(config, 0, "expert_layer_period")
    if period:
        offset = find_or(config, 0, "expert_layer_offset")
        return sum(1 for place in range(layers) if place % period == offset)
    first = find_or(config, 0, "first_k_dense_replace", "num_dense_layers",
                    "moe_layer_start_index")  # fmt: skip
    step = find_or(config, 1, "decoder_sparse_step", "moe_layer_freq", "interleave_moe_layer_step",
                   "moe_layer_interval")  # fmt: skip
    plain = config.get("mlp_only_layers")
    without = len(plain) if isinstance(plain, (list, tuple)) else 0
    return max(0, max(0, layers - first) // step - without)


def read_latent(config: Mapping[str, Any]) -> LatentAttention | None:
    """Keys and values out of one narrow vector, where the file tells its width."""
    rank = find_or(config, 0, "kv_lora_rank")
    if not rank:
        return None
    return LatentAttention(
        query_rank=find_or(config, 0, "q_lora_rank"),
        kv_rank=rank,
        rope_head_dim=find_or(config, 64, "qk_rope_head_dim"),
        plain_head_dim=find_or(config, 128, "qk_nope_head_dim"),
        value_head_dim=find_or(config, 128, "v_head_dim"),
    )


def read_state(config: Mapping[str, Any], layers: int, hidden: int) -> StateSpace | None:
    """The state layers, of which there are `layers`."""
    if not layers:
        return None
    if config.get("linear_num_value_heads"):
        return _read_delta(config, layers)
    if "conv_L_cache" in config:
        width = find_or(config, 3, "conv_L_cache")
        return StateSpace(kind="short_convolution", layers=layers, inner=hidden, convolution=width)
    heads = find_or(config, 0, "mamba_n_heads", "mamba_num_heads")
    expanded = find_or(config, 2, "mamba_expand", "expand") * hidden
    if str(config.get("model_type")) == "mamba2":
        heads = find_or(config, 128, "num_heads")
    elif config.get("mamba_num_heads"):
        expanded = heads * find_or(config, 64, "mamba_head_dim")
    elif str(config.get("model_type")) in ONLY_STATE:
        expanded = find_or(config, expanded, "intermediate_size")
    return StateSpace(
        kind="mamba2" if heads else "mamba",
        layers=layers,
        inner=find_or(config, expanded, "mamba_d_ssm"),
        heads=heads,
        state=find_or(config, 16, "mamba_d_state", "state_size", "ssm_state_size"),
        groups=find_or(config, 1, "mamba_n_groups", "n_groups") if heads else 0,
        convolution=find_or(config, 4, "mamba_d_conv", "conv_kernel"),
        rank=0 if heads else _step_rank(config, hidden),
    )


def _step_rank(config: Mapping[str, Any], hidden: int) -> int:
    told = {name: config.get(name) for name in ("time_step_rank", "mamba_dt_rank")}
    counts = {name: count for name, count in told.items() if count != "auto"}
    # "auto" is a sixteenth of the width, rounded up (transformers 5.24, read).
    return find_or(counts, -(-hidden // 16), *told)


def _read_delta(config: Mapping[str, Any], layers: int) -> StateSpace:
    keys, values = (
        find_or(config, 16, "linear_num_key_heads"),
        find_or(config, 32, "linear_num_value_heads"),
    )
    return StateSpace(
        kind="delta",
        layers=layers,
        inner=values * find_or(config, 128, "linear_value_head_dim"),
        heads=values,
        state=find_or(config, 128, "linear_key_head_dim"),
        groups=keys,
        convolution=find_or(config, 4, "linear_conv_kernel_dim"),
        key_inner=keys * find_or(config, 128, "linear_key_head_dim"),
        is_split=str(config.get("model_type", "")).startswith("qwen3_5"),
    )


def read_gemma(config: Mapping[str, Any], kinds: tuple[Kind, ...]) -> dict[str, Any]:
    """What Gemma 3n and 4 add: inputs for each layer, shared keys, a second kind of attention."""
    model_type = str(config.get("model_type", ""))
    if model_type not in ("gemma3n_text", "gemma4_text"):
        return {}
    layers, shared = len(kinds), find_or(config, 0, "num_kv_shared_layers")
    if shared >= layers > 0:
        raise ValueError(
            f"num_kv_shared_layers is {shared}; one of the {layers} layers must have its own"
        )
    width = find_or(config, 0, "hidden_size_per_layer_input")
    tail = kinds[layers - shared :] if shared else ()
    found: dict[str, Any] = {"kv_shared_layers": shared}
    if width:
        is_third = model_type == "gemma3n_text"
        found["per_layer_inputs"] = PerLayerInputs(
            vocabulary=find_or(config, 262_144, "vocab_size_per_layer_input"),
            width=width,
            laurel_rank=find_or(config, 64, "laurel_rank") if is_third else 0,
            streams=find_or(config, 4, "altup_num_inputs") if is_third else 1,
        )
    if model_type == "gemma3n_text":
        return found
    full = tail.count("attention")
    own, heads = _full_attention_heads(config)
    is_shared_value = config.get("attention_k_eq_v") is True
    return found | {
        "kv_shared_layers": shared - full,
        "double_mlp_layers": shared if config.get("use_double_wide_mlp") is True else 0,
        "second_attention": SecondAttention(
            layers=kinds.count("attention"),
            kv_heads=heads if is_shared_value and heads else find_or(
                config, 4, "num_key_value_heads"
            ),
            head_dim=own,
            has_values=not is_shared_value,
            kv_shared_layers=full,
        ),
    }  # fmt: skip


def _full_attention_heads(config: Mapping[str, Any]) -> tuple[int, int]:
    """Size of a head, and key heads, of Gemma 4's layers that see everything; 0 = as the rest."""
    told = config.get("per_layer_config")
    first: Any = next(iter(told.values()), {}) if isinstance(told, Mapping) else {}
    parts = first if isinstance(first, Mapping) else {}
    size = find_count(parts, "head_dim") or find_or(config, 512, "global_head_dim")
    heads = find_count(parts, "num_key_value_heads")
    return size, heads or find_or(config, 0, "num_global_key_value_heads")
