"""Peak memory of a run in closed form: the widest of its phases, with everything around it.

The same number decides the verdict, the choice of a batch and the search for a plan that fits, so
it has to be fast (well below a millisecond) and close (1 % of public peaks of known stacks).
`device_memory.py`, `recipes/batch.py` and the search ask here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import DeviceKind
from tailor.estimator.memory.activations import compute_layer
from tailor.estimator.memory.host import compute_host_bytes
from tailor.estimator.memory.parts import Memory, Phase, PhasePeak
from tailor.estimator.memory.phases import CardRun, Moment, compute_store, list_moments
from tailor.estimator.memory.processor import GUESS_FACTOR, compute_processor_memory
from tailor.estimator.memory.sharding import FULL_SHARDS, share_states
from tailor.estimator.memory.states import compute_states
from tailor.estimator.stack import TAILOR, Stack, arrange_experts
from tailor.estimator.workload import Batches, Workload

WORKSPACE_BYTES = 19_500_000
"""cuBLAS' work space, position tables and small change: what is left over in 60 public peaks of
dense models (19 to 20 MB each)."""
CONTEXT_BYTES = 750_000_000
"""CUDA's context, 0.47-0.92 GiB a process (ml-engineering, "Anatomy of model's memory usage"); a
probe of the real card replaces it."""
EXCHANGE_BYTES = 1_200_000_000
"""Buffers of NCCL beside the context with several cards: 1-1.5 GiB (ml-engineering)."""
SHARDED_RESERVE = 2.5
"""How much more the allocator keeps where weights come and go in blocks. With a tenth of what moves
on one card and a quarter on several, 99 of 100 public failures are told and none of 216 successes
is called one (development rows)."""
LOW_FACTOR, HIGH_FACTOR = 0.85, 1.15
"""Ends of the range around everything that is not weights, before calibration."""


def compute_memory(
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
    device: DeviceKind,
    *,
    weights_bytes: int,
    stack: Stack = TAILOR,
) -> Memory:
    """Parts of the widest phase, with a range; of one card where there are several."""
    if device != "cuda":
        return compute_processor_memory(
            workload, architecture, batches, device, weights_bytes=weights_bytes
        )
    architecture = arrange_experts(architecture, stack, workload.base_format)
    states = compute_states(workload, architecture, stack, weights_bytes=weights_bytes)
    run = CardRun(
        workload=workload,
        architecture=architecture,
        batches=batches,
        stack=stack,
        shared=share_states(states, workload, architecture),
        layer=compute_layer(workload, architecture, stack, row_tokens=batches.longest_row_tokens),
        # A pair of answers is passed through the model together.
        tokens=float(batches.longest_tokens * (2 if workload.objective == "dpo" else 1)),
    )
    waiting = compute_store(run, is_offloaded=False) if workload.is_offloading_activations else 0.0
    host_bytes = compute_host_bytes(
        workload, architecture, states, weights_bytes=weights_bytes, kept_bytes=waiting
    )
    return _sum_up(run, list_moments(run), host_bytes)


def _sum_up(run: CardRun, moments: tuple[Moment, ...], host_bytes: int) -> Memory:
    widest = max(moments, key=lambda moment: moment.bytes)
    allocated = round(widest.bytes) + WORKSPACE_BYTES
    context = CONTEXT_BYTES + (EXCHANGE_BYTES if run.workload.cards > 1 else 0)
    overhead = WORKSPACE_BYTES + context + round(_reserve(run, widest))
    weights = round(widest.weights)
    moving = round(widest.bytes) - weights + overhead
    widen = GUESS_FACTOR if run.architecture.is_guess else 1.0
    # Rounded so that the parts add up to the whole.
    others = (widest.adapter, widest.optimizer, widest.activations, widest.loss)
    adapter, optimizer, activations, loss = (round(part) for part in others)
    sharding = round(widest.bytes) - weights - adapter - optimizer - activations - loss
    return Memory(
        weights=weights,
        adapter=adapter,
        optimizer=optimizer,
        activations=activations + min(0, sharding),
        loss=loss,
        sharding=max(0, sharding),
        overhead=overhead,
        low=weights + moving * LOW_FACTOR / widen,
        likely=float(weights + moving),
        high=weights + moving * HIGH_FACTOR * widen,
        allocated=allocated,
        context=context,
        phase=widest.phase,
        by_phase=_by_phase(moments),
        host_bytes=host_bytes,
    )


def _reserve(run: CardRun, widest: Moment) -> float:
    """What rests is packed tightly; pieces that come and go leave gaps that fit nothing."""
    share = run.stack.reserve_share
    if run.workload.cards > 1 and run.workload.sharding in FULL_SHARDS:
        share *= SHARDED_RESERVE
    return share * (widest.activations + widest.loss + widest.sharding)


def _by_phase(moments: tuple[Moment, ...]) -> tuple[PhasePeak, ...]:
    peaks: dict[Phase, float] = {}
    for moment in moments:
        peaks[moment.phase] = max(peaks.get(moment.phase, 0.0), moment.bytes)
    return tuple(
        PhasePeak(phase=phase, bytes=round(held) + WORKSPACE_BYTES) for phase, held in peaks.items()
    )
