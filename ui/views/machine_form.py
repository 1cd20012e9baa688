"""The question "what if I had another card": a list of cards, how many, or one that is described.

Pure. The fields of a card that is not in the list show only when that is chosen; the style sheet
does it, so nothing is drawn anew while somebody types. Reading the answers back is here too.
"""

import math
from collections.abc import Mapping
from typing import Final

from tailor.engine.errors import UserError
from tailor.estimator.record import record
from tailor.ui.components.form_html import Answers
from tailor.ui.text_compare import MachineText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.problem import error_card
from tailor.ui.views.text_field import text_field

CARD, COUNT, MEMORY, BANDWIDTH = "card", "count", "memory_gb", "bandwidth_gb"
MODEL = "model"
HERE, OTHER = "here", "other"
"""Values of the list that are no card's name."""
COUNTS: Final = (1, 2, 4, 8)
MOST_MEMORY_GB: Final = 1000.0
LEAST_BANDWIDTH_GB, MOST_BANDWIDTH_GB = 10.0, 100_000.0
MOST_CHARACTERS: Final = 20
MOST_NAME: Final = 80


@record
class AskedMachine:
    """What was chosen."""

    card: str = HERE
    """A card's name in the table, `HERE` or `OTHER`."""
    count: int = 1
    memory_gb: str = ""
    bandwidth_gb: str = ""
    """Both as typed, for a card that is not in the table."""
    model: str = ""
    """Name of one more model."""


@record
class TypedCard:
    """A card that a person described."""

    memory_gb: float
    bandwidth_gb: float | None


def machine_form(
    asked: AskedMachine, names: tuple[str, ...], problem: UserError | None = None
) -> Html:
    """`names` are the cards of the table."""
    listed = (
        (HERE, MachineText.HERE),
        *((name, name) for name in names),
        (OTHER, MachineText.OTHER),
    )
    counts = tuple((str(count), str(count)) for count in COUNTS)
    return element(
        "form",
        element(
            "div",
            _select(CARD, MachineText.CARD, listed, asked.card),
            _select(COUNT, MachineText.COUNT, counts, str(asked.count)),
            class_="machine-fields",
        ),
        element(
            "div",
            _text(MEMORY, MachineText.MEMORY, MachineText.MEMORY_HINT, asked.memory_gb),
            _text(BANDWIDTH, MachineText.BANDWIDTH, MachineText.BANDWIDTH_HINT, asked.bandwidth_gb),
            class_="machine-fields other-card",
        ),
        element(
            "div",
            _text(MODEL, MachineText.NAME, MachineText.NAME_HINT, asked.model),
            element(
                "button",
                MachineText.SHOW,
                type="submit",
                data_send="machine",
                id="show-machine",
                class_="own-button small-button",
            ),
            class_="machine-fields machine-name",
        ),
        error_card(problem) if problem is not None else None,
        id="machine-form",
        class_="stack",
        novalidate=True,
    )


def asked_from(answers: Answers, names: tuple[str, ...]) -> AskedMachine:
    """What the form says; what it never offered becomes its first choice."""
    card = answers.get(CARD, (HERE,))[-1]
    count = answers.get(COUNT, ("1",))[-1]
    return AskedMachine(
        card=card if card in (*names, OTHER) else HERE,
        count=next((one for one in COUNTS if str(one) == count), 1),
        memory_gb=_typed(answers, MEMORY),
        bandwidth_gb=_typed(answers, BANDWIDTH),
        model=_typed(answers, MODEL, MOST_NAME),
    )


def typed_card(asked: AskedMachine) -> TypedCard:
    """Numbers of a card that is not in the list; refused in words when they make no sense."""
    memory = _number(asked.memory_gb, 1.0, MOST_MEMORY_GB)
    if not asked.bandwidth_gb:
        return TypedCard(memory_gb=memory, bandwidth_gb=None)
    return TypedCard(
        memory_gb=memory,
        bandwidth_gb=_number(asked.bandwidth_gb, LEAST_BANDWIDTH_GB, MOST_BANDWIDTH_GB),
    )


def _typed(answers: Mapping[str, tuple[str, ...]], name: str, most: int = MOST_CHARACTERS) -> str:
    return answers.get(name, ("",))[-1].strip()[: most + 1]


def _number(typed: str, least: float, most: float) -> float:
    if not typed:
        raise UserError(
            title=MachineText.NO_CARD_TITLE,
            detail=MachineText.NO_CARD_DETAIL,
            fix=MachineText.NO_CARD_FIX,
        )
    try:
        number = float(typed.replace(" ", "").replace(",", "."))
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise UserError(
            title=MachineText.NOT_A_CARD_TITLE,
            detail=MachineText.NOT_A_CARD_DETAIL.format(typed=typed[:MOST_CHARACTERS]),
            fix=MachineText.NOT_A_CARD_FIX,
        )
    return number


def _select(name: str, title: str, options: tuple[tuple[str, str], ...], chosen: str) -> Html:
    place = f"machine-{name}"
    return element(
        "div",
        element("label", title, for_=place, class_="field-label"),
        element(
            "select",
            each(
                element("option", words, value=value, selected=value == chosen)
                for value, words in options
            ),
            id=place,
            name=name,
            class_="entry-field",
            data_send="machine",
        ),
        class_="entry",
    )


def _text(name: str, title: str, hint: str, value: str) -> Html:
    is_model = name == MODEL
    return text_field(
        f"machine-{name}", name, title,
        hint=hint, value=value, is_number=not is_model,
        most=MOST_NAME if is_model else MOST_CHARACTERS,
    )  # fmt: skip
