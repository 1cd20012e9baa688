"""What stands beside the promise: other plans worth a look, and all of them as chart and table.

Asked for after the card is drawn, so that the card never waits for thirty other plans. The chart
and the table are made only while their fold is open. Everything is planned from the draft as it is
saved, so a late answer is still the right one.
"""

from typing import Any

import gradio as gr

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, Job, ModelRecord
from tailor.estimator.record import record
from tailor.ui.plan.basis import (
    Circumstances,
    PlanBasis,
    plan_for,
    read_basis,
    read_circumstances,
)
from tailor.ui.plan.comparison import compare
from tailor.ui.plan.elsewhere import look_elsewhere
from tailor.ui.plan.ranking import Offer, nearest, offers_of
from tailor.ui.plan.variants import MODEL, Variant, chosen_variant, combined, variants_of
from tailor.ui.services import Services
from tailor.ui.views.alternatives import alternatives
from tailor.ui.views.html import NOTHING, Html
from tailor.ui.views.plan_points import chart_value
from tailor.ui.views.plan_table import plan_table


class OvertakenError(Exception):
    """The person has chosen again, and what stands beside the older plan is of no use."""


@record
class Neighbourhood:
    """The chosen plan with everything that is one choice away from it."""

    around: Circumstances
    basis: PlanBasis
    models: tuple[ModelRecord, ...]
    chosen: Variant
    ones: tuple[Variant, ...]


def read_beside(services: Services, owner: str, draft: Draft, *, is_open: bool) -> tuple[Any, ...]:
    """Values for the alternatives, the chart and the table; the last two only while `is_open`."""
    try:
        place = look_around(services, owner, draft)
    except OvertakenError:
        return gr.skip(), gr.skip(), gr.skip()
    if place is None:
        return NOTHING, gr.skip(), gr.skip()
    return offered(place), *(compared(place) if is_open else (gr.skip(), gr.skip()))


def read_compared(services: Services, owner: str, draft: Draft) -> tuple[Any, Any]:
    """Values for chart and table."""
    try:
        place = look_around(services, owner, draft)
    except OvertakenError:
        return gr.skip(), gr.skip()
    return (gr.skip(), gr.skip()) if place is None else compared(place)


def look_around(services: Services, owner: str, draft: Draft) -> Neighbourhood | None:
    """None while there is no promise yet; the card tells why."""
    turn = services.choices_made[owner, draft.id]
    try:
        basis = read_basis(services, owner, draft)
        if isinstance(basis, Job):
            return None
        around = read_circumstances(services, owner)
        models = services.engine(owner).models()
        asked = (draft.recipe, draft.model_id, draft.knobs, basis, around, models)
        kept, place = services.kept_plans.get(owner, (None, None))
        if kept == asked and isinstance(place, Neighbourhood):
            return place
        chosen = chosen_variant(draft, plan_for(basis, draft, around))
    except UserError:
        # The card shows this very trouble, in words.
        return None
    ones = []
    for one in variants_of(around, basis, chosen, models):
        # The card of the newer choice is being made; this must not take its time.
        if services.choices_made[owner, draft.id] != turn:
            raise OvertakenError
        ones.append(one)
    place = Neighbourhood(
        around=around, basis=basis, models=models, chosen=chosen, ones=tuple(ones)
    )
    # Thirty plans take half a second; the chart, the table and a second tab ask for the same.
    services.kept_plans[owner] = (asked, place)
    return place


def offered(place: Neighbourhood) -> Html:
    """The alternatives; two choices at once where no single one makes the plan fit."""
    chosen = place.chosen
    is_blocked = chosen.estimate.verdict == "will_not_fit"
    offers: tuple[Offer, ...] = offers_of(chosen, place.ones)
    if is_blocked and not offers:
        pairs = combined(place.around, place.basis, chosen, place.models, place.ones)
        offers = nearest(chosen, pairs)
    elsewhere = look_elsewhere(place.basis, chosen, place.around, has_offers=bool(offers))
    return alternatives(offers, elsewhere, is_blocked=is_blocked)


def compared(place: Neighbourhood) -> tuple[Any, Html]:
    """Chart and table of the same plans, all with the chosen model.

    A smaller model needs less of everything and would make every other plan look beaten.
    """
    same_model = tuple(one for one in place.ones if MODEL not in one.kinds)
    comparison = compare(place.chosen, same_model)
    return chart_value(comparison, place.around.hardware), plan_table(comparison)
