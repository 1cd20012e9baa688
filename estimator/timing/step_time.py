"""Seconds of one optimizer step on graphics cards, from its operations, its bytes and its links.

A step is as slow as whatever it waits for: products, memory, the processor that starts the kernels,
or another card. Each is worked out by itself and they are put together: computing and starting
overlap, sending mostly does not. `throughput.py` asks here for whole runs, the evaluator for single
steps, `fit.py` for points to learn from.
"""

import math

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.loss_head import compute_logit_tokens
from tailor.estimator.memory.states import compute_parameters, compute_trained_parameters
from tailor.estimator.record import record
from tailor.estimator.stack import TAILOR, Stack
from tailor.estimator.timing.efficiency import Efficiency, Features, Point
from tailor.estimator.timing.pace import Pace, Triple
from tailor.estimator.timing.traffic import HALF, Traffic, compute_traffic, is_single_precision
from tailor.estimator.timing.waiting import Waiting, compute_waiting
from tailor.estimator.timing.work import Work, compute_work
from tailor.estimator.workload import Batches, Workload

SLOW, LIKELY, FAST = 0, 1, 2
"""Places of a pace's triple."""
HEAD_SHARE = 1 / 16
"""fp32 products against 16-bit ones without TF32, which transformers leaves off: 19.5 of 312e12 on
an A100."""
CACHED_COST = 1 / 3
"""Of what is read back from a card's second-level cache against its memory: caches are two to five
times as fast (unverified)."""
TENSORS_AT_ONCE = 3
"""An operation's inputs and its output, which the next one reads."""
OVERLAP_ORDER = 4
"""How computing, starting kernels and loading weights from the computer's memory share a step: the
order of a mean between the longest of them (infinite) and their sum (1). Each works ahead of the
others, so almost the longest. Development rows with and without weights in the computer's memory
take equally long."""
LARGEST_EXCHANGE_SHARE = 0.10
"""Of a measured step that may be sending, for the rest to say something about computing."""
SMALLEST_WAIT_RATIO = 4.0
"""Of a measured step to the time in which pieces are fetched, likewise."""
SMALLEST_BESIDE_RATIO = 2.0
"""Of a measured step to the time in which kernels are started or weights loaded, likewise."""


@record
class Step:
    """One optimizer step; slow, likely, fast where there are three."""

    seconds: Triple
    compute_seconds: float
    launch_seconds: float
    fetch_seconds: float
    """To fetch the pieces of a sharded model one after the other, beside their bytes."""
    exchange_seconds: float
    """To send and receive between cards."""
    host_seconds: float
    """To load from the computer's memory and to bring back."""
    features: Features


@record
class _Asked:
    """What is worked out."""

    workload: Workload
    architecture: Architecture
    batches: Batches
    pace: Pace
    stack: Stack
    parameters: float
    trained_parameters: float


def compute_step(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    pace: Pace,
    *,
    weights_bytes: int = 0,
    stack: Stack = TAILOR,
    efficiency: Efficiency | None = None,
) -> Step:
    """One optimizer step on every card of `workload.cards`; `pace` must be a graphics card's."""
    asked = _ask(workload, architecture, batches, pace, stack=stack, weights_bytes=weights_bytes)
    features = _features(asked)
    compute = (efficiency or Efficiency()).seconds(features)
    waiting = _waiting(asked)
    launch, host, exchange = waiting.launch, waiting.host, waiting.exchange
    slow, likely, fast = pace.speed_range
    busy = _together(compute / likely, launch[LIKELY], host[LIKELY])
    return Step(
        seconds=(
            # Nothing overlaps; what is usual; everything does.
            compute / slow + launch[SLOW] + 2 * waiting.fetch + exchange[SLOW] + host[SLOW],
            math.hypot(busy, waiting.fetch) + exchange[LIKELY],
            max(compute / fast, launch[FAST], exchange[FAST], host[FAST]),
        ),
        compute_seconds=compute,
        launch_seconds=launch[LIKELY],
        fetch_seconds=waiting.fetch,
        exchange_seconds=exchange[LIKELY],
        host_seconds=host[LIKELY],
        features=features,
    )


def build_point(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    pace: Pace,
    *,
    step_seconds: float,
    weights_bytes: int = 0,
    stack: Stack = TAILOR,
) -> Point | None:
    """What a measured step says about computing; None when it mostly waited for something else."""
    asked = _ask(workload, architecture, batches, pace, stack=stack, weights_bytes=weights_bytes)
    waiting = _waiting(asked)
    beside = _together(waiting.launch[LIKELY], waiting.host[LIKELY])
    exchange, fetch = waiting.exchange[LIKELY], waiting.fetch
    rest = step_seconds - exchange
    if exchange > LARGEST_EXCHANGE_SHARE * step_seconds:
        return None
    if rest < SMALLEST_WAIT_RATIO * fetch or rest < SMALLEST_BESIDE_RATIO * beside:
        return None
    busy = math.sqrt(rest * rest - fetch * fetch)
    seconds = (busy**OVERLAP_ORDER - beside**OVERLAP_ORDER) ** (1 / OVERLAP_ORDER)
    return Point(features=_features(asked), seconds=seconds)


def _together(*seconds: float) -> float:
    return float(sum(one**OVERLAP_ORDER for one in seconds) ** (1 / OVERLAP_ORDER))


def _ask(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    pace: Pace,
    *,
    stack: Stack,
    weights_bytes: int,
) -> _Asked:
    total = compute_parameters(architecture, weights_bytes)
    return _Asked(
        workload=workload,
        architecture=architecture,
        batches=batches,
        pace=pace,
        stack=stack,
        parameters=total,
        trained_parameters=compute_trained_parameters(workload, architecture, total),
    )


def _waiting(asked: _Asked) -> Waiting:
    return compute_waiting(
        asked.workload,
        asked.architecture,
        asked.pace,
        asked.stack,
        tokens=asked.batches.mean_tokens,
        parameters=asked.parameters,
        trained_parameters=asked.trained_parameters,
    )


def _features(asked: _Asked) -> Features:
    workload, pace, shape = asked.workload, asked.pace, asked.architecture
    work, traffic = _work(asked), _traffic(asked)
    is_sharded = workload.sharding in ("fsdp", "fsdp_offload") and workload.cards > 1
    times = workload.accumulation
    moved = times * traffic.moved_bytes * _cached_cost(asked)
    if workload.sharding != "fsdp_offload":
        moved += traffic.optimizer_bytes / (workload.cards if is_sharded else 1)
    slower = 1 / pace.single_share if is_single_precision(workload) else 1.0
    return Features(
        card=pace.card,
        flops_seconds=times * work.flops / pace.peak_flops_per_second,
        matmul_seconds=times
        * slower
        * (work.matmul_flops + _single_head_flops(asked, work))
        / pace.product_flops_per_second,
        attention_seconds=times * slower * work.attending_flops / pace.peak_flops_per_second,
        traffic_seconds=moved / pace.bandwidth_bytes_per_second,
        unpack_seconds=times * traffic.unpacked_bytes / pace.bandwidth_bytes_per_second,
        tokens=asked.batches.mean_tokens,
        hidden=shape.hidden,
        technique=workload.technique,
        base_format=workload.base_format,
        has_fused_kernels=workload.has_fused_kernels,
        is_sharded=is_sharded,
        kv_share=shape.kv_heads / shape.heads,
    )


def _cached_cost(asked: _Asked) -> float:
    """Cost of a byte: what one operation writes and the next one reads may fit into the cache."""
    held = TENSORS_AT_ONCE * HALF * asked.batches.mean_tokens * asked.architecture.hidden
    share = max(0.0, 1 - held / asked.pace.cache_bytes) if asked.pace.cache_bytes else 0.0
    return 1 - share * (1 - CACHED_COST)


def _work(asked: _Asked) -> Work:
    return compute_work(
        asked.workload,
        asked.architecture,
        tokens=asked.batches.mean_tokens,
        attended_tokens=compute_attended_tokens(asked.batches),
        head_tokens=_head_tokens(asked),
        is_head_recomputed=asked.stack.head == "tile",
        is_stopping_early=not asked.stack.is_reentrant,
    )


def _traffic(asked: _Asked) -> Traffic:
    return compute_traffic(
        asked.workload,
        asked.architecture,
        asked.stack,
        tokens=asked.batches.mean_tokens,
        attended_tokens=compute_attended_tokens(asked.batches),
        head_tokens=_head_tokens(asked),
        trained_parameters=asked.trained_parameters,
    )


def compute_attended_tokens(batches: Batches) -> float:
    """Length of the row that a token stands in, on average over tokens."""
    if batches.attended_tokens:
        return batches.attended_tokens
    return batches.mean_tokens / batches.longest_tokens * batches.longest_row_tokens


def _head_tokens(asked: _Asked) -> float:
    """Tokens that get logits, of a mean micro-batch: Tailor's head leaves the others out."""
    batches = asked.batches
    if asked.stack.head != "tile":
        return batches.mean_tokens
    share = compute_logit_tokens(asked.workload, batches) / batches.longest_tokens
    return share * batches.mean_tokens


def _single_head_flops(asked: _Asked, work: Work) -> float:
    """What a head in fp32 costs beyond itself, told in 16-bit operations."""
    is_raised = asked.stack.stream == "all" and asked.workload.base_format not in ("plain", "gptq")
    is_single = is_raised and asked.workload.cards == 1
    return work.head_passes * work.head_flops * (1 / HEAD_SHARE - 1) if is_single else 0.0
