"""Prices on the Plan screen: read from the engine, kept there, and told in words when refused.

The form is a fold under the promise; once prices are kept the promise is made anew with them.
"""

from itertools import count
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.settings import Settings, check_settings
from tailor.ui.components.form_html import Answers
from tailor.ui.services import Services
from tailor.ui.views.cost_form import cost_form, settings_from, typed_prices
from tailor.ui.views.html import Html, element

_PRESSED: Final = count(1)


def show_costs(services: Services, owner: str) -> Html:
    """The form with what is kept."""
    has_card = bool(services.hardware().cards)
    try:
        return cost_form(services.settings(owner), has_card=has_card)
    except UserError as problem:
        return cost_form(Settings(), has_card=has_card, problem=problem)


def keep_costs(services: Services, owner: str, said: Answers) -> tuple[Html, bool]:
    """The form as an answer to a press, and whether the prices were kept."""
    has_card = bool(services.hardware().cards)
    typed = typed_prices(said)
    try:
        settings = settings_from(typed)
        check_settings(settings)
        kept = services.keep_settings(owner, settings)
    except UserError as problem:
        return _anew(cost_form(Settings(), has_card=has_card, typed=typed, problem=problem)), False
    return _anew(cost_form(kept, has_card=has_card, is_saved=True)), True


def _anew(form: Html) -> Html:
    # The browser draws a value only when it differs, and a button waits for its answer to be drawn.
    return element("div", form, data_pressed=next(_PRESSED))
