"""Whether learning with each model fits this computer, worked out with the rows of this project.

The rows were read by one model's tokenizer on the Check screen; another model cuts text a little
differently, which is less than what the verdict leaves open. The Plan screen measures it exactly.
"""

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, ModelRecord
from tailor.estimator.estimate import Estimate
from tailor.ui.check_state import Checked, look_at
from tailor.ui.plan.basis import PlanBasis, plan_for, read_circumstances
from tailor.ui.services import Services


def read_verdicts(
    services: Services, owner: str, draft: Draft, models: tuple[ModelRecord, ...]
) -> dict[str, Estimate]:
    """An estimate for each model that is here; none before the rows were checked."""
    try:
        looked = look_at(services, owner, draft)
    except UserError:
        # The Check screen shows this trouble; the cards then say that the verdict comes later.
        return {}
    if not isinstance(looked, Checked):
        return {}
    around = read_circumstances(services, owner)
    bases = {
        model.id: PlanBasis(dataset=looked.dataset, model=model.spec, rows=looked.report.spec)
        for model in models
        if model.spec is not None
    }
    try:
        return {name: plan_for(basis, draft, around).estimate for name, basis in bases.items()}
    except UserError:
        # A choice of an older version; the Plan screen names it.
        return {}
