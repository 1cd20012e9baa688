"""From what was asked for to what will be done, what it will cost, and what forbids it.

Recipe, estimator and preflight are pure and know nothing of each other; this is where they meet.
The supervisor freezes the answer into the run's folder, the preflight verb shows its findings.
"""

from collections.abc import Callable
from pathlib import Path

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.learned import read_calibration
from tailor.engine.preflight import preflight
from tailor.engine.settings import read_settings
from tailor.estimator.cost import Price
from tailor.estimator.estimate import Estimate, estimate
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.recipes.catalog import get_recipe
from tailor.recipes.knobs import UnknownChoiceError
from tailor.recipes.spec import RunSpec, TrainPlan


@record
class Planned:
    """A run as it would be, on one machine."""

    plan: TrainPlan
    estimate: Estimate
    findings: tuple[Finding, ...]


PlanRun = Callable[[RunSpec, HardwareSpec, Path], Planned]
"""Spec, hardware and home folder to a plan."""


def plan_run(spec: RunSpec, hardware: HardwareSpec, home: Path) -> Planned:
    """Plan a run and check it; raises the `UserError` for a choice that is unknown."""
    try:
        plan = get_recipe(spec.recipe).plan(spec, hardware)
    except UnknownChoiceError as wrong:
        raise UserError.of(wrong) from wrong
    promise = _promise(plan, spec, hardware, home)
    return Planned(
        plan=plan,
        estimate=promise,
        findings=preflight(spec, plan, promise, hardware, home),
    )


def _promise(plan: TrainPlan, spec: RunSpec, hardware: HardwareSpec, home: Path) -> Estimate:
    """The estimate, corrected by what this computer's own runs have measured."""
    try:
        return estimate(
            plan.workload,
            spec.model.architecture,
            hardware,
            weights_bytes=spec.model.weights_bytes,
            calibration=read_calibration(home, hardware),
            price=_read_price(home, spec.owner),
        )
    except ValueError as nonsense:
        raise UserError(
            title="This plan cannot be carried out",
            detail=str(nonsense),
            fix="Open the Plan page again: a plan for this computer is made there.",
        ) from nonsense


def _read_price(home: Path, owner: str) -> Price | None:
    try:
        return read_settings(home, owner).price
    except UserError:
        # Prices that cannot be read are told where they are set; a run needs none.
        return None


def refuse_stops(findings: tuple[Finding, ...]) -> None:
    """Raise the first finding that forbids the run; the others are told in its detail."""
    stops = [finding for finding in findings if finding.level == "stop"]
    if stops:
        more = "".join(f" Also: {finding.title}." for finding in stops[1:])
        first = stops[0]
        raise UserError(title=first.title, detail=first.detail + more, fix=first.fix)
