"""What would be better on this machine than the plan that was asked for, one sentence each.

A plan can fit and still be a poor one: a model cut up between cards that each could hold it whole
spends its time on exchange, and two cards over a slow slot can be slower than one. These are told,
never done: how many cards work is the person's choice. `estimate()` lists them.
"""

from collections.abc import Iterator
from dataclasses import replace

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import Calibration
from tailor.estimator.device_memory import compute_device_memory
from tailor.estimator.formulas import Formulas, compute_formulas
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Verdict
from tailor.estimator.record import record
from tailor.estimator.verdict import compare
from tailor.estimator.workload import Workload

CLEARLY_FASTER = 0.9
"""Another way is told when it takes at most this share of the time: below the noise of one run it
would be no advice."""
TIGHT_WORDS = (
    "The run begins by trying your longest rows. If they do not fit, it stops before it has "
    "learned anything, and says so."
)


@record
class Situation:
    """A plan on a machine, and what is known about both."""

    workload: Workload
    architecture: Architecture
    hardware: HardwareSpec
    weights_bytes: int
    calibration: Calibration


def find_advice(now: Situation, verdict: Verdict, step_seconds: float) -> tuple[str, ...]:
    """Sentences, the deciding one first."""
    words = [TIGHT_WORDS] if verdict == "tight" else []
    if now.workload.cards > 1:
        words += _about_sharing(now, step_seconds)
        words += _about_one_card(now, step_seconds)
    return tuple(words)


def _about_sharing(now: Situation, step_seconds: float) -> Iterator[str]:
    """The whole model on each card, where it fits, needs no exchange of its pieces."""
    if now.workload.sharding not in ("fsdp", "fsdp_offload", "zero2"):
        return
    whole = replace(now, workload=replace(now.workload, sharding="ddp"))
    told = _work_out(whole)
    seconds = told.step_seconds.likely
    if seconds > step_seconds * CLEARLY_FASTER or not _fits(whole, told):
        return
    yield (
        "The whole model fits on each of your cards. Kept whole there (DDP) instead of cut up "
        f"(FSDP), a step takes about {_share(seconds, step_seconds)} of the time, because its "
        "pieces need not be exchanged."
    )


def _about_one_card(now: Situation, step_seconds: float) -> Iterator[str]:
    """The same rows of a step on one card."""
    cards = now.workload.cards
    alone = replace(
        now,
        workload=replace(
            now.workload,
            cards=1,
            sharding="none",
            accumulation=now.workload.accumulation * cards,
        ),
    )
    told = _work_out(alone)
    seconds = told.step_seconds.likely
    if seconds > step_seconds * CLEARLY_FASTER or not _fits(alone, told):
        return
    yield (
        f"One card alone takes about {_share(seconds, step_seconds)} of the time of these {cards}, "
        "because what they have to exchange passes slowly between them."
    )


def _work_out(now: Situation) -> Formulas:
    return compute_formulas(
        now.workload, now.architecture, now.hardware,
        weights_bytes=now.weights_bytes, calibration=now.calibration,
    )  # fmt: skip


def _fits(now: Situation, formulas: Formulas) -> bool:
    memory = compute_device_memory(now.workload, now.hardware, formulas, now.calibration)
    fits = all(compare(card.memory_bytes, card.capacity_bytes) == "fits" for card in memory.cards)
    return fits and memory.host_bytes <= now.hardware.ram_free_bytes


def _share(seconds: float, of_seconds: float) -> str:
    """ "60 %"."""
    return f"{round(seconds / of_seconds * 20) * 5} %"
