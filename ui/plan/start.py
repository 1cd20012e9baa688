"""Start on the Plan screen: check once more, submit exactly what was promised, remember it.

A second click, a reload and a lost answer must not make a second run, so the run's id comes from
one visit's token and from what is asked.
"""

import hashlib
import json
from dataclasses import replace

from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.types import Job
from tailor.recipes.spec import RunSpec
from tailor.ui.plan.basis import plan_for, read_basis, read_circumstances
from tailor.ui.services import RUN_STEP, Services
from tailor.ui.text_plan import PlanText

RUN_SPEC: TypeAdapter[RunSpec] = TypeAdapter(RunSpec)


def before_run(services: Services, owner: str, draft_id: str, token: str) -> None:
    """Start: check once more, submit, remember the run."""
    client = services.engine(owner)
    draft = services.draft(owner, draft_id)
    basis = read_basis(services, owner, draft)
    if isinstance(basis, Job):
        raise UserError(
            title=PlanText.BLOCKED_TITLE,
            detail=PlanText.MEASURING,
            fix=PlanText.MEASURING_FIX,
        )
    spec = plan_for(basis, draft, read_circumstances(services, owner)).spec
    for finding in (*basis.stops, *client.preflight(spec)):
        if finding.level == "stop":
            raise UserError.of(finding)
    run = client.submit(spec, idempotency_id=start_id(token, spec))
    services.save(owner, replace(draft, run_id=run.id, step=RUN_STEP))


def start_id(token: str, spec: RunSpec) -> str:
    """The same for a double click, another one for another choice or another visit."""
    asked = json.dumps(RUN_SPEC.dump_python(spec, mode="json"), sort_keys=True)
    return hashlib.sha256(f"{token} {asked}".encode()).hexdigest()[:32]
