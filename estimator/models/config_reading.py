"""A config.json as the fields of an `Architecture`, without transformers.

The same thing has four names in the files of forty families, and what is missing has to be known
from the family's own defaults. Kept apart from the noun, because reading is the part that grows
with every new family. `Architecture.from_config` asks here; rare parts are read by
`config_parts.py`.
"""

from collections.abc import Mapping
from typing import Any

from tailor.estimator.models.config_fields import find_count, find_or, find_part
from tailor.estimator.models.config_known import is_known_family, is_unknown
from tailor.estimator.models.config_parts import (
    ONE_PART_A_LAYER,
    ONLY_STATE,
    Kind,
    read_experts,
    read_gemma,
    read_kinds,
    read_latent,
    read_state,
)

NAMES: dict[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": (
        "num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads", "multi_query_group_num",
    ),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim", "d_kv"),
    "mlp": (
        "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "inner_hidden_size", "d_ff",
        "block_ff_dim",
    ),
    "vocabulary": ("vocab_size", "padded_vocab_size"),
    "max_positions": (
        "max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
        "max_sequence_length", "n_ctx",
    ),
}  # fmt: skip
"""Names under which config.json files say the same thing."""

HABITS = {"layers": 32, "hidden": 4096, "vocabulary": 32_000, "max_positions": 2048}
"""What a Llama has; used for a field that is missing, and told as a guess."""

HABITUAL_HEAD_DIM = 128
MOST_LAYERS = 10_000
"""No model has more, and each layer is looked at."""

PLAIN_MLP = frozenset(
    ("gpt2", "gpt_neo", "gpt_neox", "gptj", "gpt_bigcode", "opt", "bloom", "falcon", "mpt", "phi",
     "starcoder2", "codegen", "stablelm_alpha", "persimmon", "RefinedWeb", "RefinedWebModel",
     "xglm", "biogpt")
)  # fmt: skip
"""Families whose feed-forward part has two matrices instead of three."""
PLAIN_ACTIVATIONS = frozenset(("relu2", "xielu"))
"""Activations that are only ever used without a gate (Nemotron, Apertus and others; read)."""

TIED_BY_DEFAULT = frozenset(
    ("gpt2", "gpt_neo", "gpt_bigcode", "opt", "bloom", "falcon", "mpt", "smollm3", "starcoder2",
     "cohere", "cohere2", "gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n_text", "gemma4",
     "gemma4_text", "mamba", "falcon_mamba", "lfm2", "lfm2_moe", "ernie4_5", "ernie4_5_moe",
     "RefinedWeb", "RefinedWebModel")
)  # fmt: skip
"""Families whose config class ties the embeddings when the file is silent (transformers 5.24)."""

LEARNED_POSITIONS = frozenset(("gpt2", "gpt_neo", "gpt_bigcode", "opt"))
"""Families with a trained vector for each position (transformers 5.24, read)."""
OPT_OFFSET = 2
"""OPT keeps two positions more than it uses (read)."""
NO_POSITIONS = frozenset(("bloom", "mpt", "mamba", "mamba2", "falcon_mamba"))
"""Families without a longest row; a file that is silent about it lacks nothing."""

JOINED_ATTENTION = frozenset(
    ("gpt2", "gpt_bigcode", "gpt_neox", "bloom", "falcon", "mpt", "phi3", "qwen", "chatglm",
     "baichuan", "internlm2", "dbrx", "codegen", "RefinedWeb", "RefinedWebModel", "phi3small",
     "persimmon")
)  # fmt: skip
"""Families with one matrix for queries, keys and values."""
JOINED_MLP = frozenset(
    ("phi3", "glm", "glm4", "chatglm", "phi3small", "granitemoe", "granitemoeshared",
     "granitemoehybrid")
)  # fmt: skip
"""Families with one matrix for gate and up."""


def read_fields(config: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an `Architecture`; a ValueError names the one that makes no sense."""
    texts = find_part(config, "text_config")
    # A model that also sees keeps its language part nested; the rest of it stands outside.
    whole = {**{k: v for k, v in config.items() if k != "text_config"}, **texts}
    for nested in ("attn_config", "ffn_config"):
        whole = {**find_part(config, nested), **whole}
    return _read(_with_habits(whole))


def _with_habits(config: Mapping[str, Any]) -> dict[str, Any]:
    """The file with the peculiarities of single families turned into what others say."""
    told, model_type = dict(config), str(config.get("model_type", ""))
    widths = told.get("intermediate_size")
    if isinstance(widths, (list, tuple)) and widths and len(set(map(str, widths))) == 1:
        told["intermediate_size"] = widths[0]
    if model_type == "qwen" and isinstance(widths, int) and not isinstance(widths, bool):
        # The first Qwen writes down gate and up together.
        told["intermediate_size"] = widths // 2
    if model_type == "mpt" and "intermediate_size" not in told:
        told["intermediate_size"] = find_or(told, 4, "expansion_ratio") * find_or(
            told, HABITS["hidden"], "d_model"
        )
    if model_type in ("lfm2", "lfm2_moe"):
        told["intermediate_size"] = _liquid_width(told)
    if model_type in ("granitemoehybrid", "granitemoeshared") and not told.get("num_local_experts"):
        told["intermediate_size"] = told.get("shared_intermediate_size")
    if model_type in ONLY_STATE:
        told["num_attention_heads"] = told["num_key_value_heads"] = 1
        told["head_dim"] = None
    return told


def _liquid_width(config: Mapping[str, Any]) -> int | None:
    """LFM2's rule from the width in its file to the width of its layers (read)."""
    width = find_count(config, "block_ff_dim", "intermediate_size")
    if width is None or config.get("block_auto_adjust_ff_dim") is False:
        return width
    if config.get("model_type") == "lfm2_moe":
        return width
    scale = config.get("block_ffn_dim_multiplier")
    factor = scale if isinstance(scale, (int, float)) and 0 < scale <= 100 else 1.0
    scaled = int(factor * int(2 * width / 3))
    multiple = find_or(config, 256, "block_multiple_of")
    return -(-scaled // multiple) * multiple


def _read(config: Mapping[str, Any]) -> dict[str, Any]:
    found = {field: find_count(config, *names) for field, names in NAMES.items()}
    model_type = str(config.get("model_type", ""))
    given = HABITS | {field: count for field, count in found.items() if count is not None}
    if given["layers"] > MOST_LAYERS:
        raise ValueError(f"num_hidden_layers is {given['layers']}; no model has so many")
    is_gated, hidden = _has_gate(config, model_type), given["hidden"]
    # A plain feed-forward part that is not given is four times as wide by its definition.
    mlp = given.get("mlp", 8 * hidden // 3 if is_gated else 4 * hidden)
    kinds = read_kinds(config, given["layers"])
    is_missing = bool(_list_missing(config, found, is_gated=is_gated))
    return {
        "model_type": model_type,
        "layers": given["layers"],
        "hidden": hidden,
        **_read_heads(config, given),
        "mlp": mlp,
        "vocabulary": given["vocabulary"],
        "max_positions": given["max_positions"],
        "is_gated_mlp": is_gated,
        "has_tied_embeddings": _is_tied(config, model_type),
        "has_joined_attention": model_type in JOINED_ATTENTION,
        "has_joined_mlp": model_type in JOINED_MLP,
        "other_parameters": _count_positions(model_type, given["max_positions"], hidden),
        **_read_parts(config, kinds, hidden, mlp),
        "is_guess": is_missing or is_unknown(config, model_type, kinds),
    }


def _list_missing(
    config: Mapping[str, Any], found: Mapping[str, int | None], *, is_gated: bool
) -> list[str]:
    """Fields that the counts need and that neither the file nor its family tells."""
    model_type = str(config.get("model_type", ""))
    needed = {*HABITS, "heads"}
    if is_gated and not _has_no_mlp(config, model_type):
        needed.add("mlp")
    if model_type in NO_POSITIONS:
        needed.remove("max_positions")
    if model_type in ONE_PART_A_LAYER:
        # The list of layers says how many there are.
        needed.remove("layers")
    return [field for field in needed if found[field] is None]


def _read_heads(config: Mapping[str, Any], given: Mapping[str, int]) -> dict[str, Any]:
    hidden, latent = given["hidden"], read_latent(config)
    heads = given.get("heads", max(1, hidden // HABITUAL_HEAD_DIM))
    kv_heads = 1 if _is_multi_query(config) else given.get("kv_heads", heads)
    head_dim = given.get("head_dim", hidden // heads)
    if latent:
        kv_heads, head_dim = heads, latent.plain_head_dim + latent.rope_head_dim
    _check_heads(heads, kv_heads, head_dim)
    return {"heads": heads, "kv_heads": kv_heads, "head_dim": head_dim, "latent": latent}


def _read_parts(
    config: Mapping[str, Any], kinds: tuple[Kind, ...], hidden: int, mlp: int
) -> dict[str, Any]:
    """Rare parts; in a family that was never compared a field may mean something else, and such a
    model is a guess in any case."""
    try:
        return _read_layers(config, kinds, hidden, mlp)
    except ValueError:
        if is_known_family(str(config.get("model_type", ""))):
            raise
        return {}


def _has_no_mlp(config: Mapping[str, Any], model_type: str) -> bool:
    return model_type in ONLY_STATE or bool(config.get("moe_intermediate_size"))


def _has_gate(config: Mapping[str, Any], model_type: str) -> bool:
    acts = (config.get("hidden_act"), config.get("mlp_hidden_act"))
    return model_type not in PLAIN_MLP and not PLAIN_ACTIVATIONS.intersection(map(str, acts))


def _is_multi_query(config: Mapping[str, Any]) -> bool:
    return config.get("multi_query") is True and not config.get("new_decoder_architecture")


def _count_positions(model_type: str, positions: int, hidden: int) -> int:
    if model_type not in LEARNED_POSITIONS:
        return 0
    return (positions + (OPT_OFFSET if model_type == "opt" else 0)) * hidden


def _read_layers(
    config: Mapping[str, Any], kinds: tuple[Kind, ...], hidden: int, mlp: int
) -> dict[str, Any]:
    """Fields that say how many layers are of which kind."""
    model_type, layers = str(config.get("model_type", "")), len(kinds)
    window = find_or(config, 0, "sliding_window", "window_size", "attention_chunk_size")
    states = kinds.count("state") + kinds.count("both")
    attending = layers - kinds.count("state") - kinds.count("mlp") - kinds.count("experts")
    found: dict[str, Any] = {
        "attention_layers": attending if attending != layers else None,
        "sliding_window": window if "sliding" in kinds else 0,
        "sliding_layers": kinds.count("sliding") if window else 0,
        "state_space": read_state(config, states, hidden),
        **read_experts(config, kinds, mlp),
        **read_gemma(config, kinds),
    }
    if model_type in ONLY_STATE:
        found["dense_layers"] = 0
    elif model_type in ONE_PART_A_LAYER:
        found |= {"layers": layers, "dense_layers": kinds.count("mlp")}
        if "experts" not in kinds:
            found |= {"experts": 0, "expert_layers": 0}
    if config.get("linear_num_value_heads"):
        # Attention between layers of the delta rule has queries with a gate (read).
        found["has_gated_attention"] = True
    return found


def _check_heads(heads: int, kv_heads: int, head_dim: int) -> None:
    if head_dim < 1:
        raise ValueError(f"num_attention_heads is {heads}, more than hidden_size allows")
    if kv_heads > heads or heads % kv_heads:
        raise ValueError(
            f"num_key_value_heads is {kv_heads}; it must divide num_attention_heads ({heads})"
        )


def _is_tied(config: Mapping[str, Any], model_type: str) -> bool:
    told = config.get("tie_word_embeddings")
    if told is None:
        return model_type in TIED_BY_DEFAULT
    if not isinstance(told, bool):
        raise ValueError(f"tie_word_embeddings is {told!r:.40}; it must be true or false")
    return told
