"""Layers that mix rows in another way than plain attention: latent attention, state space.

The closed form is a guard for these: it counts the tensors that such a layer must keep, while only
a trace of the real code knows them all. `activations.py` asks here.
"""

from tailor.estimator.architecture import Architecture

CHUNK_TOKENS = 256
"""State space kernels keep one state for so many tokens (mamba_ssm's chunk scan)."""


def compute_latent_bytes(architecture: Architecture, element: int) -> float:
    """Latent attention: full queries, keys and values of every head, and the narrow vectors."""
    latent = architecture.latent
    if latent is None:
        return 0.0
    key = latent.plain_head_dim + latent.rope_head_dim
    heads = architecture.heads * (2 * key + 2 * latent.value_head_dim)
    narrow = latent.query_rank + latent.kv_rank + latent.rope_head_dim
    # Narrow vectors pass a norm each, which keeps them in fp32.
    return float(element * heads + 4 * narrow + 4 * architecture.heads)


def compute_state_bytes(architecture: Architecture, element: int) -> float:
    """State space part of a layer, spread over all layers: input, gate, convolution before and
    after, result, step sizes, and a state for each chunk of a row."""
    state = architecture.state_space
    if state is None:
        return 0.0
    width = 5 * state.inner + 2 * state.key_inner + 4 * max(1, state.groups) * state.state
    chunk = 4 * state.inner * max(1, state.state) / CHUNK_TOKENS
    each = element * width + 4 * state.heads + (chunk if state.kind.startswith("mamba") else 0.0)
    return each * state.layers / max(1, architecture.layers)
