"""A line that a person fills in: its name above, what to type below. Pure.

Forms of ours are markup (`components/form_html.py`), so their fields are too; prices and machines
are asked with the same one.
"""

from tailor.ui.views.html import Html, element


def text_field(
    place: str, name: str, title: str, *, hint: str, value: str, is_number: bool, most: int
) -> Html:
    """`place` is the element's id, `name` what the form sends it as, `most` its longest text."""
    return element(
        "div",
        element("label", title, for_=place, class_="field-label"),
        element(
            "input",
            type="text",
            inputmode="decimal" if is_number else None,
            id=place,
            name=name,
            value=value,
            maxlength=most,
            autocomplete="off",
            class_="entry-field",
            aria_describedby=f"{place}-hint",
        ),
        element("p", hint, class_="small quiet", id=f"{place}-hint"),
        class_="entry",
    )
