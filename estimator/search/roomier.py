"""A plan that fits has room left: the moves backwards, each with what it wins.

Fewer layers computed twice and larger pieces save time; a base in 16 bits, full learning notes and
uncut rows teach better. Only what fits safely is told, for nobody gives up a plan that works for
one that may not. `nearest_fitting` asks here.
"""

from collections.abc import Iterator
from dataclasses import replace

from tailor.estimator.search.bench import FITS, Bench
from tailor.estimator.search.feeding import MOST_PIECE_ROWS, choose_feeding, list_micro_rows
from tailor.estimator.search.moves import FP32_BYTES, LIMIT_STEPS, can_checkpoint, keeps, with_limit
from tailor.estimator.search.suggestion import Suggestion
from tailor.estimator.search.tell import tell
from tailor.estimator.workload import Sharding, Workload

WORTH_IT = 0.97
"""A plan that only saves time is told when it takes at most this share of it."""


def use_room(
    bench: Bench, asked: Workload, fixed: frozenset[str], limit: int
) -> tuple[Suggestion, ...]:
    """Better uses of the machine than `asked`, which fits; the greatest gain first."""
    found: list[Suggestion] = []
    seen = {asked}
    for made in _better(bench, asked):
        if not keeps(made, asked, fixed):
            continue
        fed = _feed(bench, made, fixed)
        if fed is None or fed in seen or not _is_worth_telling(bench, asked, fed):
            continue
        seen.add(fed)
        suggestion = tell(bench, asked, fed, is_improvement=True)
        if suggestion.estimate.verdict == "fits":
            found.append(suggestion)
        if len(found) >= limit:
            break
    return tuple(found)


def _better(bench: Bench, asked: Workload) -> Iterator[Workload]:
    yield from _longer(bench, asked)
    if asked.technique == "qlora":
        yield _unpacked(asked)
    if asked.optimizer in ("adamw_8bit", "paged_adamw_8bit"):
        yield replace(asked, optimizer="adamw")
    yield from _less_sharing(asked)
    yield asked


def _longer(bench: Bench, asked: Workload) -> Iterator[Workload]:
    """The longest limit that fits, where rows are cut."""
    longest = min(asked.lengths.longest_tokens, bench.architecture.max_positions)
    if asked.is_packed or longest <= asked.max_length_tokens:
        return
    wanted = [step for step in LIMIT_STEPS if asked.max_length_tokens < step < longest]
    for limit in (longest, *reversed(wanted)):
        longer = with_limit(asked, limit)
        if bench.rank(longer) == FITS:
            yield longer
            return


def _unpacked(asked: Workload) -> Workload:
    """The base in the numbers that the plan computes in; adapters beside it learn in fp32."""
    return replace(
        asked,
        technique="lora",
        base_format="plain",
        weight_bytes_per_parameter=asked.trainable_bytes_per_parameter,
        trainable_bytes_per_parameter=FP32_BYTES,
    )


def _less_sharing(asked: Workload) -> Iterator[Workload]:
    back: dict[Sharding, tuple[Sharding, ...]] = {
        "fsdp_offload": ("ddp", "fsdp"),
        "fsdp": ("ddp",),
        "zero2": ("ddp",),
        "zero1": ("ddp",),
    }
    for sharding in back.get(asked.sharding, ()):
        yield replace(asked, sharding=sharding)


def _feed(bench: Bench, made: Workload, fixed: frozenset[str]) -> Workload | None:
    is_fixed = not fixed.isdisjoint({"micro_batch_rows", "accumulation"})
    pieces = (
        (made.micro_batch_rows,)
        if is_fixed
        else list_micro_rows(made, max(MOST_PIECE_ROWS, made.micro_batch_rows))
    )
    return choose_feeding(
        made,
        bench.layers,
        pieces,
        fits=bench.within(FITS),
        seconds=bench.seconds,
        may_checkpoint=can_checkpoint(fixed),
    )


def _is_worth_telling(bench: Bench, asked: Workload, made: Workload) -> bool:
    """Better learning is worth its time; a mere change of feeding or sharing must save some."""
    teaches_better = (
        made.max_length_tokens > asked.max_length_tokens
        or made.technique != asked.technique
        or made.optimizer != asked.optimizer
    )
    return teaches_better or bench.seconds(made) <= WORTH_IT * bench.seconds(asked)
