"""How the files were read, and how they could be read instead.

Encoding, separator, headings and the like are found out from the content. Each guess shows its
reason and its alternatives here; choosing one reads the originals again.
"""

from collections.abc import Mapping as Lookup
from typing import Final

from tailor.engine.data_types import ReadChoice
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, each, element

RESTS_ON: Final = {
    "root": ("members",),
    "sheet": ("members",),
    "pieces": ("members",),
    "encoding": ("members",),
    "stack": ("members", "root"),
    "separator": ("members",),
    "headings": ("members", "root", "sheet", "separator"),
    "merged": ("members", "sheet", "stack"),
    "notes": ("members", "sheet", "stack", "headings"),
    "short_rows": ("members", "separator", "headings"),
}
"""Which choices a guess was made under: headings on line 3 of one sheet say nothing of another."""

JOINED = "\n"
"""Between the ticked names of a choice that takes many."""


def read_choices_form(choices: tuple[ReadChoice, ...]) -> Html | None:
    """Folded away: most people never need it."""
    if not choices:
        return None
    fields = element("div", each(_field(one) for one in choices), class_="read-choices")
    again = element(
        "button", DataText.READ_AGAIN, type="submit", class_="own-button small-button",
        data_send="reread",
    )  # fmt: skip
    return element(
        "details",
        element("summary", DataText.READ_DIFFERENTLY),
        element("p", DataText.READ_DIFFERENTLY_WHY, class_="small quiet"),
        element("form", fields, again, id="read-form", class_="stack"),
        class_="more",
        id="read-differently",
    )


def chosen_readings(
    choices: tuple[ReadChoice, ...], answers: Lookup[str, tuple[str, ...]]
) -> tuple[tuple[str, str], ...]:
    """What to read again with: the changed choices, and an empty value for what rests on them.

    The engine keeps what is not named; an empty value is found out again.
    """
    said = {
        one.id: JOINED.join(answers.get(one.id, ())) if one.takes_many else answers[one.id][-1]
        for one in choices
        if one.takes_many or answers.get(one.id)
    }
    changed = {one.id for one in choices if said.get(one.id, one.value) != one.value}
    anew = {
        one.id
        for one in choices
        if one.id not in changed and not changed.isdisjoint(RESTS_ON.get(one.id, ()))
    }
    return tuple(
        (one.id, said[one.id] if one.id in changed else "")
        for one in choices
        if one.id in changed or one.id in anew
    )


def _field(choice: ReadChoice) -> Html:
    place = f"read-{choice.id}"
    if choice.takes_many:
        ticked = set(choice.value.split(JOINED))
        boxes = each(
            element(
                "label",
                element(
                    "input", type="checkbox", name=choice.id, value=value, checked=value in ticked
                ),
                element("span", label),
            )
            for value, label in choice.options
        )
        return element(
            "fieldset",
            element("legend", choice.title, class_="field-label"),
            element("div", boxes, class_="tick-list", tabindex="0"),
            element("p", choice.why, class_="small quiet") if choice.why else None,
            class_="entry wide",
        )
    options = each(
        element("option", label, value=value, selected=value == choice.value)
        for value, label in choice.options
    )
    return element(
        "div",
        element("label", choice.title, for_=place, class_="field-label"),
        element("select", options, id=place, name=choice.id, class_="entry-field"),
        element("p", choice.why, class_="small quiet") if choice.why else None,
        class_="entry",
    )
