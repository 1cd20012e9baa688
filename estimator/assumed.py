"""Every input of a promise that was guessed, in words a person can check.

A range does not tell what it rests on. Whoever sees that a speed was assumed can measure it, and
whoever sees that nothing else may run can close it. `estimate()` lists these.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import Calibration
from tailor.estimator.cost import COMPUTER_WATTS, HOUR_SECONDS, Price
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.stack import TAILOR, arrange_experts
from tailor.estimator.timing.pace import Pace
from tailor.estimator.workload import Workload

NEARLY_ALL = 0.9
"""Of a model's linear layers; what is left out below that is told."""


def list_assumed(
    workload: Workload,
    architecture: Architecture,
    hardware: HardwareSpec,
    *,
    pace: Pace,
    calibration: Calibration,
    price: Price | None,
) -> tuple[str, ...]:
    """Guesses, the ones about the machine's speed first."""
    words = list(pace.assumed)
    if architecture.is_guess:
        words.append("The model's shape is only partly known, so its size comes from its files.")
    if not workload.lengths.rows:
        words.append("There are no rows yet, so every row is taken to be as short as can be.")
    if workload.technique != "full" and not workload.adapter_targets:
        words.append("The adapter is taken to sit on every linear layer.")
    packed = _packed_share(workload, architecture)
    if packed < NEARLY_ALL:
        words.append(
            f"Only {packed:.0%} of this model can be packed: its experts lie together in a form "
            "that packing does not reach."
        )
    if workload.exam_questions:
        words.append("Answers in the exam are taken to be a bit over half as long as they may be.")
    if not hardware.cards:
        words.append("Nothing else that needs much of the processor runs at the same time.")
    elif hardware.cards[0].power_watts is not None and not _tells_watts(price):
        words.append(f"The computer around the card is taken to draw {COMPUTER_WATTS:.0f} watts.")
    if price is not None and price.per_card_hour and price.billing_unit_seconds == HOUR_SECONDS:
        words.append("Rented cards are paid by whole hours.")
    if calibration.is_new_version:
        words.append(
            "A library here is newer than the ones that were measured, so every range is half as "
            "wide again until a run has finished with it."
        )
    words += calibration.drifting
    return tuple(words)


def _packed_share(workload: Workload, architecture: Architecture) -> float:
    """How much of what could be packed is; 1 where nothing is."""
    if workload.technique != "qlora":
        return 1.0
    arranged = arrange_experts(architecture, TAILOR, workload.base_format)
    return arranged.quantised_linear_parameters / max(1, arranged.linear_parameters)


def _tells_watts(price: Price | None) -> bool:
    return price is not None and price.computer_watts is not None
