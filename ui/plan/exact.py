"""The exact check of a plan: asked for by a button, made by the engine, shown on the promise card.

The estimator's formulas answer at once; a trace follows one real step of the installed libraries
and takes seconds. A result belongs to one plan: when a choice changes the plan, the offer is there
again. The job is remembered, so that F5 and another tab find it.
"""

import hashlib
from dataclasses import replace

from pydantic import TypeAdapter

from tailor.engine.types import Draft, Job
from tailor.estimator.record import record
from tailor.estimator.trace import TraceResult
from tailor.ui.plan.basis import (
    Circumstances,
    PlanBasis,
    Planned,
    plan_for,
    promise_for,
    read_basis,
    read_circumstances,
)
from tailor.ui.services import Services
from tailor.ui.views.exact_check import Exactness

RESULT: TypeAdapter[TraceResult] = TypeAdapter(TraceResult)


@record
class Checked:
    """A plan with what is known exactly about it."""

    planned: Planned
    exactness: Exactness


def begin_exact(services: Services, owner: str, draft: Draft) -> None:
    """The button was pressed; while the rows are still being measured there is no plan to check."""
    basis = read_basis(services, owner, draft)
    if not isinstance(basis, Job):
        planned = plan_for(basis, draft, read_circumstances(services, owner))
        services.trace(owner, key_of(planned), planned.spec)


def key_of(planned: Planned) -> str:
    """The same for the same step of the same model, whatever was pressed to get there."""
    plan = planned.plan
    told = repr((planned.spec.model, plan.workload, plan.adapter, plan.quantisation))
    return hashlib.sha256(told.encode()).hexdigest()


def with_exact(
    services: Services, owner: str, basis: PlanBasis, planned: Planned, around: Circumstances
) -> Checked:
    """The plan, promised with its trace where there is one."""
    if planned.estimate.device != "cuda":
        return Checked(planned=planned, exactness=Exactness(state="nothing"))
    job = services.traced(owner, key_of(planned))
    if job is None:
        return Checked(planned=planned, exactness=Exactness(state="offered"))
    if job.status == "running":
        return Checked(planned=planned, exactness=Exactness(state="running", words=job.words))
    if job.problem is not None:
        words = f"{job.problem.title}. {job.problem.detail}"
        return Checked(planned=planned, exactness=Exactness(state="refused", words=words))
    result = RESULT.validate_json(job.answer)
    if not result.ok:
        return Checked(planned=planned, exactness=Exactness(state="refused", words=result.reason))
    estimate = promise_for(basis, planned.plan, around, trace=result)
    return Checked(
        planned=replace(planned, estimate=estimate), exactness=Exactness(state="nothing")
    )
