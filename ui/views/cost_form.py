"""The small form for prices: what electricity or a rented card costs. Pure.

Shows what is kept or, after a refusal, what was typed, with the reason in the same place. Reading
the answers back is here too, so that names of fields stand in one file.
"""

from collections.abc import Mapping
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.settings import Settings
from tailor.ui.components.form_html import Answers
from tailor.ui.text_compare import CostText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import icon
from tailor.ui.views.problem import error_card
from tailor.ui.views.text_field import text_field

PER_KWH, PER_CARD_HOUR, WATTS = "per_kwh", "per_card_hour", "computer_watts"
CURRENCY = "currency"
TITLES: Final = {
    PER_KWH: CostText.PER_KWH,
    WATTS: CostText.WATTS,
    PER_CARD_HOUR: CostText.PER_CARD_HOUR,
}
MOST_CHARACTERS: Final = 20


def cost_form(
    settings: Settings,
    *,
    has_card: bool,
    typed: Mapping[str, str] | None = None,
    problem: UserError | None = None,
    is_saved: bool = False,
) -> Html:
    """The form; `typed` stands in its fields instead of what is kept."""
    values = typed if typed is not None else _kept(settings)
    hints = {
        PER_KWH: CostText.PER_KWH_HINT,
        WATTS: CostText.WATTS_HINT_CARD if has_card else CostText.WATTS_HINT,
        PER_CARD_HOUR: CostText.PER_CARD_HOUR_HINT,
        CURRENCY: CostText.CURRENCY_HINT,
    }
    titles = {**TITLES, CURRENCY: CostText.CURRENCY}
    # A price for a card-hour means nothing where there is no card to rent.
    shown = [
        name for name in (PER_KWH, CURRENCY, WATTS, PER_CARD_HOUR) if _is_asked(name, has_card)
    ]
    return element(
        "form",
        element("p", CostText.WHY, class_="small quiet"),
        element(
            "div",
            each(_field(name, titles[name], hints[name], values.get(name, "")) for name in shown),
            class_="cost-fields",
        ),
        error_card(problem) if problem is not None else None,
        element(
            "div",
            element(
                "button",
                CostText.SAVE,
                type="submit",
                data_send="prices",
                id="keep-prices",
                class_="own-button small-button",
            ),
            element("p", icon("check"), CostText.SAVED, class_="mark-good", role="status")
            if is_saved
            else None,
            class_="cost-end",
        ),
        id="prices-form",
        class_="stack",
        novalidate=True,
    )


def typed_prices(answers: Answers) -> dict[str, str]:
    """What stands in the fields, cut to what a field can hold."""
    return {name: values[-1].strip()[: MOST_CHARACTERS + 1] for name, values in answers.items()}


def settings_from(typed: Mapping[str, str]) -> Settings:
    """Numbers out of what was typed; the engine checks whether they make sense."""
    return Settings(
        per_kwh=_number(typed, PER_KWH),
        per_card_hour=_number(typed, PER_CARD_HOUR),
        currency=typed.get(CURRENCY, ""),
        computer_watts=_number(typed, WATTS),
    )


def _is_asked(name: str, has_card: bool) -> bool:
    return has_card or name != PER_CARD_HOUR


def _kept(settings: Settings) -> dict[str, str]:
    numbers = {
        PER_KWH: settings.per_kwh,
        PER_CARD_HOUR: settings.per_card_hour,
        WATTS: settings.computer_watts,
    }
    shown = {name: "" if number is None else f"{number:g}" for name, number in numbers.items()}
    return {**shown, CURRENCY: settings.currency}


def _field(name: str, title: str, hint: str, value: str) -> Html:
    return text_field(
        f"price-{name}", name, title,
        hint=hint, value=value, is_number=name != CURRENCY, most=MOST_CHARACTERS,
    )  # fmt: skip


def _number(typed: Mapping[str, str], name: str) -> float | None:
    """A comma is a decimal point to most of Europe."""
    text = typed.get(name, "").replace(" ", "")
    if not text:
        return None
    try:
        if len(text) > MOST_CHARACTERS:
            raise ValueError(text)
        return float(text.replace(",", ".") if "." not in text else text)
    except ValueError as wrong:
        raise UserError(
            title=CostText.NOT_A_NUMBER_TITLE.format(field=TITLES[name]),
            detail=CostText.NOT_A_NUMBER_DETAIL.format(typed=text[:MOST_CHARACTERS]),
            fix=CostText.NOT_A_NUMBER_FIX,
        ) from wrong
