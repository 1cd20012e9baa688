"""RAM of the computer around the cards: workers, the model on its way, and what waits there.

A run that fits on its cards can still fail for RAM, after the download; so it is worked out before.
`peak.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.states import HALF_BYTES, States, compute_parameters
from tailor.estimator.workload import Workload

HOST_BYTES = 3_000_000_000
"""RAM of a worker that trains on a card: 2-4 GiB, derived from its libraries, not measured yet."""
SHARD_BYTES = 5_000_000_000
"""Largest file of a model on the hub by default; it is read through the page cache and given
back."""


def compute_host_bytes(
    workload: Workload,
    architecture: Architecture,
    states: States,
    *,
    weights_bytes: int,
    kept_bytes: float,
) -> int:
    """RAM of all workers together. `states` are those of a card that shares nothing; `kept_bytes`
    of activations wait in RAM for each card."""
    cards = max(1, workload.cards)
    half = HALF_BYTES * float(compute_parameters(architecture, weights_bytes))
    if workload.sharding == "fsdp_offload":
        return round(_offloaded_bytes(states, half, cards) + cards * kept_bytes)
    if workload.sharding == "fsdp" and cards > 1:
        # One worker reads the whole model and hands out the shares.
        loading = half
    else:
        loading = cards * min(half, float(SHARD_BYTES))
    paged = states.optimizer if workload.optimizer == "paged_adamw_8bit" else 0.0
    return round(cards * (HOST_BYTES + kept_bytes + paged) + loading)


def _offloaded_bytes(states: States, half: float, cards: int) -> float:
    """Everything that rests waits in RAM, pinned. While it gets there every worker holds a copy of
    its own: a 4-bit 70B model on two cards took 107 GB (PEFT's documentation), thrice its size."""
    learning = states.adapter + states.gradients + states.optimizer + states.step
    frozen = states.weights + states.statistics + states.others
    if not states.adapter:
        return frozen + learning + half
    return (cards + 1) * frozen + learning
