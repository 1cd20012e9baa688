"""Whether short rows are packed behind each other instead of being filled up to the longest.

Sorting rows by length leaves little filler, so packing is worth its trouble only where lengths lie
far apart. It is planned where the library's plain attention runs, on a processor: on a card it
would take the fast attention away. The worker measures on the model itself that packed rows never
hear of each other, and fills up where they would.
"""

from tailor.estimator.hardware import DeviceKind
from tailor.estimator.record import record
from tailor.estimator.workload import Workload, compute_batches
from tailor.recipes.spec import PlanReason

WORTH_SHARE = 0.1
"""Filler that packing must save; below it building the mask costs what the filler did (derived)."""


@record
class Packing:
    """The choice, and the share of filler that it is about."""

    is_chosen: bool
    padding_share: float


def choose_packing(workload: Workload, device: DeviceKind) -> Packing:
    """Pack where filler would take a tenth of the work. `workload` has its batch already."""
    share = compute_batches(workload).padding_share
    is_worth = device == "cpu" and workload.micro_batch_rows > 1 and share >= WORTH_SHARE
    return Packing(is_chosen=is_worth, padding_share=share)


def explain_packing(packing: Packing) -> tuple[PlanReason, ...]:
    """The reason, where rows are packed."""
    if not packing.is_chosen:
        return ()
    return (
        PlanReason(
            setting="packing",
            value="within a step",
            words=f"Your rows differ much in length, so {100 * packing.padding_share:.0f} % of the "
            "work would be filler. Short rows share a line instead; none reads another's words.",
        ),
    )
