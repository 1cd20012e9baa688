"""What the Plan screen plans with: the frozen rows, the model, the exam; and the plan made from it.

The promise must be for exactly what Start submits, so both come from one `Planned`. The rows are
measured by a job of the engine with the model's own tokenizer; everything after is arithmetic here.
"""

from collections.abc import Iterable

from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.types import Draft, Job, ModelRecord
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.cost import Price
from tailor.estimator.estimate import estimate
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Estimate
from tailor.estimator.record import record
from tailor.estimator.trace import TraceResult
from tailor.recipes.catalog import get_recipe
from tailor.recipes.knobs import UnknownChoiceError
from tailor.recipes.spec import DatasetSpec, ModelSpec, Recipe, RunSpec, TrainPlan
from tailor.ui.services import Services, read_report
from tailor.ui.text_plan import PlanText
from tailor.ui.views.run_spec import to_run_spec


@record
class PlanBasis:
    """The nouns behind a draft's ids."""

    dataset: DatasetRecord
    model: ModelSpec
    rows: DatasetSpec
    stops: tuple[Finding, ...] = ()
    """Why this model cannot learn from these rows, such as tools that it does not know."""


@record
class Circumstances:
    """What a promise depends on beside the plan."""

    hardware: HardwareSpec
    calibration: Calibration = SHIPPED
    """What the runs of this computer have taught."""
    price: Price | None = None
    """What the person told about costs."""


@record
class Planned:
    """One setting of the knobs, worked out."""

    recipe: Recipe
    spec: RunSpec
    plan: TrainPlan
    estimate: Estimate


def measure(services: Services, owner: str, draft: Draft) -> tuple[DatasetRecord, Job]:
    """The rows, and the job that measures them with the chosen model's tokenizer."""
    if not draft.dataset_id:
        raise UserError(
            title=PlanText.MISSING_DATA_TITLE,
            detail=PlanText.MISSING_DATA_DETAIL,
            fix=PlanText.MISSING_DATA_FIX,
        )
    if not draft.model_id:
        raise UserError(
            title=PlanText.MISSING_MODEL_TITLE,
            detail=PlanText.MISSING_MODEL_DETAIL,
            fix=PlanText.MISSING_MODEL_FIX,
        )
    dataset = services.engine(owner).dataset(draft.dataset_id)
    job = services.render(owner, dataset, draft.model_id, added_words=draft.added_words)
    return dataset, job


def read_basis(services: Services, owner: str, draft: Draft) -> PlanBasis | Job:
    """Everything that a plan needs; the job while it still measures."""
    dataset, job = measure(services, owner, draft)
    report = read_report(job)
    if report is None:
        return job
    models = services.engine(owner).models()
    return PlanBasis(
        dataset=dataset,
        model=_model_spec(models, draft.model_id),
        rows=report.spec,
        stops=tuple(one for one in report.findings if one.level == "stop"),
    )


def read_circumstances(services: Services, owner: str) -> Circumstances:
    """This computer now, and what is known about it."""
    return Circumstances(
        hardware=services.hardware(),
        calibration=services.calibration(),
        price=_read_price(services, owner),
    )


def plan_for(basis: PlanBasis, draft: Draft, around: Circumstances) -> Planned:
    """Plan and estimate for a draft. Pure, and quick enough for every change of a knob."""
    recipe = find_recipe(draft.recipe)
    spec = to_run_spec(draft, basis.rows, basis.model, basis.dataset.exam)
    try:
        plan = recipe.plan(spec, around.hardware)
    except UnknownChoiceError as unknown:
        raise UserError.of(unknown) from unknown
    return Planned(recipe=recipe, spec=spec, plan=plan, estimate=promise_for(basis, plan, around))


def promise_for(
    basis: PlanBasis, plan: TrainPlan, around: Circumstances, trace: TraceResult | None = None
) -> Estimate:
    """What a plan will need; `trace` is one of its steps, followed exactly."""
    try:
        return estimate(
            plan.workload,
            basis.model.architecture,
            around.hardware,
            weights_bytes=basis.model.weights_bytes,
            calibration=around.calibration,
            trace=trace,
            price=around.price,
        )
    except ValueError as nonsense:
        raise UserError(
            title=PlanText.NONSENSE_TITLE, detail=str(nonsense), fix=PlanText.NONSENSE_FIX
        ) from nonsense


def find_recipe(recipe_id: str) -> Recipe:
    """The recipe of a draft, which may be older than the recipes that are here now."""
    try:
        return get_recipe(recipe_id)
    except UnknownChoiceError as unknown:
        raise UserError.of(unknown) from unknown


def keep_known(recipe: Recipe, knobs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The choices that this recipe has; what another recipe asked is left out."""
    known = {(knob.id, choice.value) for knob in recipe.knobs for choice in knob.choices}
    return tuple(sorted(chosen for chosen in knobs if chosen in known))


def _read_price(services: Services, owner: str) -> Price | None:
    try:
        return services.settings(owner).price
    except UserError:
        # The fold with the prices tells that they cannot be read; all else can be promised.
        return None


def _model_spec(models: tuple[ModelRecord, ...], model_id: str) -> ModelSpec:
    for model in models:
        if model.id == model_id and model.spec is not None:
            return model.spec
    raise UserError(
        title=PlanText.MODEL_AWAY_TITLE,
        detail=PlanText.MODEL_AWAY_DETAIL.format(name=model_id),
        fix=PlanText.MODEL_AWAY_FIX,
    )
