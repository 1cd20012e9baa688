"""Whether learning with each model fits this computer, worked out with the rows of this project.

The rows were read by one model's tokenizer on the Check screen; another model cuts text a little
differently, which is less than what the verdict leaves open. The Plan screen measures it exactly.
"""

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, ModelRecord
from tailor.estimator.estimate import Estimate, estimate
from tailor.recipes.catalog import get_recipe
from tailor.ui.check_state import Checked, look_at
from tailor.ui.services import Services
from tailor.ui.views.run_spec import to_run_spec


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
    hardware = services.hardware()
    recipe = get_recipe(draft.recipe)
    found: dict[str, Estimate] = {}
    for model in models:
        if model.spec is None:
            continue
        plan = recipe.plan(
            to_run_spec(draft, looked.report.spec, model.spec, looked.dataset.exam), hardware
        )
        found[model.id] = estimate(
            plan.workload,
            model.spec.architecture,
            hardware,
            weights_bytes=model.spec.weights_bytes,
        )
    return found
