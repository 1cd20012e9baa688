"""Choice cards: one question answered by picking a card, each a real radio button.

The whole card is its label, so a click anywhere picks it and arrow keys move between cards. Used
for goals and models.
"""

from tailor.estimator.record import record
from tailor.ui.views.html import NOTHING, Html, each, element
from tailor.ui.views.icons import IconName, icon


@record
class Card:
    """One choice."""

    value: str
    """What is sent when it is picked."""
    title: str
    line: str
    example: str = ""
    facts: tuple[str, ...] = ()
    icon: IconName | None = None
    note: str = ""
    """Why it is suggested, in two or three words."""
    is_off: bool = False
    """Shown, with its reason among the facts, but not to be picked."""
    foot: Html = NOTHING
    """More markup at the bottom, such as a button."""


def choice_cards(
    name: str, legend: str, cards: tuple[Card, ...], chosen: str, *, is_grid: bool = False
) -> Html:
    """The cards; `chosen` is the value that is picked, empty for none."""
    return element(
        "fieldset",
        element("legend", legend),
        each(_card(name, card, card.value == chosen) for card in cards),
        class_="choice-cards two-by-two" if is_grid else "choice-cards",
    )


def _card(name: str, card: Card, is_chosen: bool) -> Html:
    radio = element(
        "input",
        type="radio",
        name=name,
        value=card.value,
        data_send=card.value,
        checked=is_chosen,
        disabled=card.is_off,
    )
    note = element("span", card.note, class_="chip suggested") if card.note else None
    sign = icon(card.icon) if card.icon else None
    title = element("span", card.title, class_="card-title")
    head = element("span", element("span", title, note), sign, class_="choice-head")
    facts = element("ul", each(element("li", fact) for fact in card.facts), class_="facts")
    body = element(
        "span",
        head,
        element("span", card.line, class_="choice-line"),
        element("span", card.example, class_="choice-example") if card.example else None,
        facts if card.facts else None,
        card.foot,
        class_="choice-body",
    )
    return element("label", radio, body, class_="choice-card")
