"""Ways out that cannot be chosen on this screen, in words: what the estimator's search knows.

The search also finds changes that a draft cannot hold, such as keeping notes in the computer's own
memory, and says what would do where nothing fits, such as a larger card. They get no button,
because a button that does nothing is worse than a sentence.
"""

from tailor.estimator.record import record
from tailor.estimator.search import Suggestion, explain_shortfall, nearest_fitting
from tailor.ui.plan.basis import Circumstances, PlanBasis
from tailor.ui.plan.variants import Variant

ADOPTABLE = frozenset({"technique", "base_format", "max_length", "model"})
"""Kinds of moves that a draft can hold: another recipe, another row length, another model."""


@record
class Elsewhere:
    """What is told beside the offers."""

    ways: tuple[str, ...] = ()
    """Changes that would make it fit, one sentence each."""
    why: str = ""
    """Why nothing fits; empty where something does."""
    would_do: tuple[str, ...] = ()
    """What would make it fit that costs more than a choice: memory, other cards."""


def look_elsewhere(
    basis: PlanBasis, chosen: Variant, around: Circumstances, *, has_offers: bool
) -> Elsewhere:
    """Nothing while the chosen plan fits."""
    if chosen.estimate.verdict == "fits":
        return Elsewhere()
    workload, architecture = chosen.planned.plan.workload, basis.model.architecture
    found = nearest_fitting(
        workload,
        architecture,
        around.hardware,
        weights_bytes=basis.model.weights_bytes,
        calibration=around.calibration,
        price=around.price,
    )
    ways = tuple(dict.fromkeys(_sentence(one) for one in found if not _is_adoptable(one)))
    if has_offers or ways:
        return Elsewhere(ways=ways)
    shortfall = explain_shortfall(
        workload,
        architecture,
        around.hardware,
        weights_bytes=basis.model.weights_bytes,
        calibration=around.calibration,
    )
    return Elsewhere(why=shortfall.words, would_do=shortfall.would_do)


def _is_adoptable(one: Suggestion) -> bool:
    return all(move.kind in ADOPTABLE for move in one.moves)


def _sentence(one: Suggestion) -> str:
    return f"{one.words} {one.gives_up}".strip()
