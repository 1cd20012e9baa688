"""What a step on graphics cards waits for beside computing: the processor, and bytes on links.

Kernels are started by one core of the computer, a sharded model comes piece by piece, weights may
rest in the computer's memory. Each is seconds by itself here; `step_time.py` puts them together
with computing.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.timing.exchange import (
    HOST_MEMORY_BYTES_PER_SECOND,
    PIECE_LAUNCHES,
    compute_exchange,
    count_adapted_places,
)
from tailor.estimator.timing.pace import Pace, Triple
from tailor.estimator.timing.traffic import has_fused_adapters
from tailor.estimator.timing.work import compute_recomputed_share
from tailor.estimator.workload import Workload

FORWARD_LAUNCH_SHARE = 1 / 3
"""Of a layer's forward and backward, what a second forward pass adds to its launches."""
ADAPTER_LAUNCH_SHARE = 0.08
"""Of a layer's launches, what an adapter on one of its linear layers adds: 6 operations of about 80
(counted in transformers 5.24 and peft 0.21)."""
PACKED_LAUNCH_SHARE = 0.5
"""The same of a packed base: 2 to 3 operations for each linear layer and pass, and what happens
between them (read off development rows of 1,000 tokens)."""
ROUTED_LAUNCH_SHARE = 0.5
"""The same of sending tokens to experts and back: choosing, sorting, gathering, adding, about 40
operations."""
EXPERT_LAUNCH_SHARE = 0.25
"""The same of each expert that is called by itself. Development rows with 40 and 62 experts a layer
take 1.5 to 1.7 ms for each, with checkpointing."""


@record
class Waiting:
    """Seconds of one optimizer step; slow, likely, fast where there are three."""

    launch: Triple
    """To start its kernels."""
    fetch: float
    """To fetch the pieces of a sharded model one after the other, beside their bytes."""
    exchange: Triple
    """To send and receive between cards."""
    host: Triple
    """To load from the computer's memory and to bring back."""


def compute_waiting(
    workload: Workload,
    architecture: Architecture,
    pace: Pace,
    stack: Stack,
    *,
    tokens: float,
    parameters: float,
    trained_parameters: float,
) -> Waiting:
    """What a step of micro-batches of `tokens` waits for on each card."""
    exchange = compute_exchange(
        workload,
        architecture,
        parameters=parameters,
        trained_parameters=trained_parameters,
        tokens=tokens,
    )
    times, nothing = workload.accumulation, (0.0, 0.0, 0.0)
    between, host = nothing, nothing
    if pace.links is not None:
        sent = times * exchange.gathered_bytes + exchange.reduced_bytes
        slow, likely, fast = pace.links.bus_bytes_per_second
        between = (sent / slow, sent / likely, sent / fast)
        slow, likely, fast = (
            times * exchange.host_bytes / speed + exchange.host_optimizer_bytes / memory
            for speed, memory in zip(
                pace.links.host_to_card_bytes_per_second, HOST_MEMORY_BYTES_PER_SECOND, strict=True
            )
        )
        host = (slow, likely, fast)
    return Waiting(
        launch=_launch_seconds(workload, architecture, pace, stack, tokens=tokens),
        # The same core that starts kernels sees to the pieces.
        fetch=times * PIECE_LAUNCHES * pace.launch_seconds[1] * exchange.pieces,
        exchange=between,
        host=host,
    )


def _launch_seconds(
    workload: Workload, architecture: Architecture, pace: Pace, stack: Stack, *, tokens: float
) -> Triple:
    again = compute_recomputed_share(workload, architecture)
    layers = _launched_layers(workload, architecture, stack, tokens)
    slow, likely, fast = pace.launch_seconds
    times = workload.accumulation * layers * (1 + FORWARD_LAUNCH_SHARE * again)
    return times * slow, times * likely, times * fast


def _launched_layers(
    workload: Workload, architecture: Architecture, stack: Stack, tokens: float
) -> float:
    """Plain layers that take as long to start as these do."""
    each = 1.0
    if not has_fused_adapters(workload, stack):
        each += ADAPTER_LAUNCH_SHARE * count_adapted_places(workload, architecture)
    if workload.base_format != "plain":
        each += PACKED_LAUNCH_SHARE
    layers = each * architecture.layers
    if not architecture.experts:
        return layers
    # Libraries of the time of the old kind of checkpointing call experts one after the other.
    is_called_singly = stack.is_reentrant or not architecture.has_fused_experts
    if not is_called_singly:
        return layers + ROUTED_LAUNCH_SHARE * architecture.expert_layers
    met = min(float(architecture.experts), tokens * architecture.experts_per_token)
    return layers + EXPERT_LAUNCH_SHARE * architecture.expert_layers * met
