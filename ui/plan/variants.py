"""Plans that are one choice away: another way to teach, another value of a knob, another model.

Only what a draft can hold is offered with a button, so every variant is planned by its own recipe
and promised by the estimator exactly as if it had been chosen. The Plan screen compares them in its
alternatives, its chart and its table; the word that a variant sends adopts it.
"""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, ModelRecord
from tailor.estimator.promise import Estimate
from tailor.estimator.record import record
from tailor.recipes.catalog import recipes
from tailor.recipes.row_length import LONGEST_ROW, choose_row_length
from tailor.recipes.spec import Choice, Knob
from tailor.ui.plan.basis import (
    Circumstances,
    PlanBasis,
    Planned,
    find_recipe,
    keep_known,
    plan_for,
)
from tailor.ui.text_compare import VariantText

Change = tuple[Draft, tuple[str, ...], str]
"""The draft with it, what kinds of choices differ, and the words for people."""
RECIPE, MODEL, KNOB = "recipe", "model", "knob."


@record
class Variant:
    """One plan beside the chosen one."""

    kinds: tuple[str, ...]
    """What differs: "recipe", "model" or a knob's id; empty for the chosen plan itself."""
    draft: Draft
    words: str
    """What is different, for people."""
    gives_up: str
    """What that costs, one sentence; empty for the chosen plan."""
    planned: Planned

    @property
    def estimate(self) -> Estimate:
        """What it would need."""
        return self.planned.estimate

    @property
    def sent(self) -> str:
        """The word that its button sends."""
        draft = self.draft
        named = [(RECIPE, draft.recipe), (MODEL, draft.model_id)]
        return urlencode([*named, *((f"{KNOB}{knob}", value) for knob, value in draft.knobs)])


def read_sent(draft: Draft, sent: str) -> Draft:
    """The draft with what a variant's button sent; raises for a recipe that is unknown.

    It comes from a browser, so knobs that the recipe does not have are left out, and the model is
    checked by whoever saves the draft.
    """
    told = dict(parse_qsl(sent))
    recipe = find_recipe(told.get(RECIPE, draft.recipe))
    knobs = [(name.removeprefix(KNOB), value) for name, value in told.items() if KNOB in name]
    return replace(
        draft,
        recipe=recipe.id,
        model_id=told.get(MODEL, draft.model_id),
        knobs=keep_known(recipe, knobs),
    )


def chosen_variant(draft: Draft, planned: Planned) -> Variant:
    """The plan as it is chosen now."""
    return Variant(kinds=(), draft=draft, words=VariantText.CHOSEN, gives_up="", planned=planned)


def variants_of(
    around: Circumstances, basis: PlanBasis, chosen: Variant, models: tuple[ModelRecord, ...]
) -> Iterator[Variant]:
    """Every plan that is one choice away from the chosen one, in no order of worth.

    One at a time, because each takes some milliseconds and the person may have chosen again.
    """
    draft = chosen.draft
    for change in (*_other_recipes(draft), *_other_knobs(chosen)):
        planned = _planned(around, basis, chosen, change)
        if planned is not None:
            yield planned
    for model in _other_models(draft, models):
        drawn = replace(draft, model_id=model.id)
        other = replace(basis, model=model.spec) if model.spec else basis
        words = VariantText.MODEL.format(name=model.name)
        planned = _planned(around, other, chosen, (drawn, (MODEL,), words))
        if planned is not None:
            yield planned


def combined(
    around: Circumstances,
    basis: PlanBasis,
    chosen: Variant,
    models: tuple[ModelRecord, ...],
    ones: tuple[Variant, ...],
) -> tuple[Variant, ...]:
    """Two choices at once, for when no single one is enough: way to teach, row length, model."""
    draft = chosen.draft
    specs = {model.id: model.spec for model in models}
    savers = [one for one in ones if one.kinds[0] in (RECIPE, MODEL, LONGEST_ROW.id)]
    found = []
    for place, first in enumerate(savers):
        for second in savers[place + 1 :]:
            if first.kinds == second.kinds:
                continue
            both = _joined(draft, first.draft, second.draft)
            spec = specs.get(both.model_id) or basis.model
            kinds, words = first.kinds + second.kinds, f"{first.words} {second.words}"
            change = (both, kinds, words)
            found.append(_planned(around, replace(basis, model=spec), chosen, change))
    return tuple(one for one in found if one is not None)


def _joined(draft: Draft, first: Draft, second: Draft) -> Draft:
    """Both changes; the recipe of whoever changed it, and the knobs that it has."""
    recipe = first.recipe if first.recipe != draft.recipe else second.recipe
    model = first.model_id if first.model_id != draft.model_id else second.model_id
    before = dict(draft.knobs)
    changed = [pair for one in (first, second) for pair in one.knobs if pair not in draft.knobs]
    knobs = keep_known(find_recipe(recipe), (before | dict(changed)).items())
    return replace(draft, recipe=recipe, model_id=model, knobs=knobs)


def _planned(
    around: Circumstances, basis: PlanBasis, chosen: Variant, change: Change
) -> Variant | None:
    """None where this recipe has no plan for this model; the screen tells why if it is chosen."""
    draft, kinds, words = change
    try:
        planned = plan_for(basis, draft, around)
    except UserError:
        return None
    gives_up = " ".join(_gives_up(kind, draft, chosen.planned, planned) for kind in kinds)
    return Variant(kinds=kinds, draft=draft, words=words, gives_up=gives_up, planned=planned)


def _other_recipes(draft: Draft) -> Iterator[Change]:
    for recipe in recipes():
        if recipe.id != draft.recipe:
            drawn = replace(draft, recipe=recipe.id, knobs=keep_known(recipe, draft.knobs))
            yield drawn, (RECIPE,), VariantText.RECIPE.format(title=recipe.title)


def _other_knobs(chosen: Variant) -> Iterator[Change]:
    draft, recipe = chosen.draft, chosen.planned.recipe
    values = dict(draft.knobs)
    for knob in recipe.knobs:
        for choice in knob.choices:
            is_chosen = choice.value == values.get(knob.id, knob.default)
            if not is_chosen and not _is_same_limit(knob, choice, chosen.planned):
                knobs = keep_known(recipe, (values | {knob.id: choice.value}).items())
                words = VariantText.KNOB.format(title=knob.title, choice=choice.title)
                yield replace(draft, knobs=knobs), (knob.id,), words


def _is_same_limit(knob: Knob, choice: Choice, planned: Planned) -> bool:
    """Whether it is another name for the row length that the plan has: a plan takes 30 ms."""
    if knob.id != LONGEST_ROW.id:
        return False
    lengths = planned.spec.dataset.lengths
    most = planned.spec.model.architecture.max_positions
    limit = choose_row_length(choice.value, lengths, most).limit_tokens
    longest = min(limit, lengths.longest_tokens)
    return longest == min(planned.plan.max_length_tokens, lengths.longest_tokens)


def _other_models(draft: Draft, models: tuple[ModelRecord, ...]) -> Iterator[ModelRecord]:
    for model in models:
        stops = any(finding.level == "stop" for finding in model.findings)
        if model.id != draft.model_id and model.is_ready and model.spec and not stops:
            yield model


def _gives_up(kind: str, draft: Draft, before: Planned, planned: Planned) -> str:
    if kind == RECIPE:
        return _technique_gives_up(before, planned)
    if kind == MODEL:
        is_smaller = planned.spec.model.weights_bytes < before.spec.model.weights_bytes
        return VariantText.SMALLER_GIVES_UP if is_smaller else VariantText.LARGER_GIVES_UP
    if kind == LONGEST_ROW.id:
        plan = planned.plan
        if plan.workload.lengths.longest_tokens <= plan.max_length_tokens:
            return VariantText.ROWS_WHOLE
        reasons = [one.words for one in plan.reasons if one.setting == "max_length"]
        return reasons[0] if reasons else ""
    return _chosen(kind, draft, planned.recipe.knobs).notice


def _technique_gives_up(before: Planned, planned: Planned) -> str:
    then, now = before.plan.technique, planned.plan.technique
    if now == "full":
        return VariantText.WHOLE_GIVES_UP
    if now == "lora":
        return VariantText.ADAPTER_GIVES_UP if then == "full" else VariantText.UNPACKED_GIVES_UP
    is_slow = planned.plan.device == "cpu"
    packed = VariantText.PACKED_GIVES_UP_PROCESSOR if is_slow else VariantText.PACKED_GIVES_UP
    return f"{VariantText.ADAPTER_GIVES_UP} {packed}" if then == "full" else packed


def _chosen(knob_id: str, draft: Draft, knobs: tuple[Knob, ...]) -> Choice:
    knob = next(one for one in knobs if one.id == knob_id)
    value = dict(draft.knobs).get(knob_id, knob.default)
    return next(choice for choice in knob.choices if choice.value == value)
