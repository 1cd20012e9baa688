"""What is learned beside the rows themselves: other data with weights, general questions, the sum.

Folded until it is used. The other data of the person are asked for only when she wants to choose.
"""

from tailor.engine.data_types import DatasetRecord, Mixing, MixPart, SourceCount
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.quantities import count_words

MOST_GENERAL_PERCENT = 50
PART = "part:"
"""In front of the name of a field that weighs a dataset."""


def mixing_form(dataset: DatasetRecord, others: tuple[DatasetRecord, ...] | None) -> Html:
    """`others` is None until they were asked for."""
    mixing = dataset.mixing
    is_used = mixing != Mixing()
    fields = join(_others(mixing, others), _general(mixing))
    return element(
        "details",
        element("summary", CheckText.MIXING),
        element("p", CheckText.MIXING_WHY, class_="small quiet"),
        element("form", fields, id="mixing-form", class_="stack"),
        _sources(dataset.sources) if is_used else None,
        class_="more mixing",
        id="mixing",
        open=is_used or others is not None,
    )


def mixing_from(answers: dict[str, tuple[str, ...]], before: Mixing) -> Mixing:
    """The mixing that the form now says; data that it did not show stay as they are."""
    weights = {part.dataset_id: part.weight for part in before.parts}
    for name, values in answers.items():
        if name.startswith(PART):
            weights[name.removeprefix(PART)] = _number(values[-1])
    general = answers.get("general", (str(100 * before.general_share),))[-1]
    share = min(max(_number(general), 0), MOST_GENERAL_PERCENT) / 100
    parts = tuple(
        MixPart(dataset_id=name, weight=weight) for name, weight in weights.items() if weight > 0
    )
    return Mixing(parts=parts, general_share=share)


def _others(mixing: Mixing, others: tuple[DatasetRecord, ...] | None) -> Html:
    if others is None:
        return element(
            "div",
            element(
                "button", CheckText.MIXING_OPEN, type="button", data_send="mix_open",
                class_="own-button small-button", id="mix-open",
            ),
        )  # fmt: skip
    if not others:
        return element("p", CheckText.MIXING_NONE, class_="small quiet")
    weights = {part.dataset_id: f"{part.weight:g}" for part in mixing.parts}
    return element(
        "div", each(_other(one, weights.get(one.id, "0")) for one in others), class_="columns"
    )


def _other(dataset: DatasetRecord, weight: str) -> Html:
    place = f"weight-{dataset.id}"
    choices = dict(CheckText.WEIGHTS)
    choices.setdefault(weight, weight)
    options = each(
        element("option", words, value=value, selected=value == weight)
        for value, words in choices.items()
    )
    title = CheckText.MIXING_OF.format(title=dataset.title, rows=count_words(dataset.train_rows))
    return element(
        "div",
        element("label", title, for_=place, class_="field-label"),
        element(
            "select", options, id=place, name=f"{PART}{dataset.id}", class_="entry-field",
            data_send="mix",
        ),
        class_="entry",
    )  # fmt: skip


def _general(mixing: Mixing) -> Html:
    percent = round(100 * mixing.general_share)
    return element(
        "div",
        element("label", CheckText.GENERAL, for_="general", class_="field-label"),
        element("p", CheckText.GENERAL_WHY, class_="small quiet"),
        element(
            "div",
            element(
                "input", type="range", id="general", name="general", min=0, step=5,
                max=MOST_GENERAL_PERCENT, value=percent, data_send="mix",
            ),
            element(
                "output", f"{percent}{CheckText.GENERAL_UNIT}", for_="general",
                data_unit=CheckText.GENERAL_UNIT,
            ),
            class_="slider",
        ),
        class_="entry wide",
    )  # fmt: skip


def _sources(sources: tuple[SourceCount, ...]) -> Html | None:
    if not sources:
        return None
    head = each(element("th", name, scope="col") for name in CheckText.SOURCE_HEADS)
    body = each(
        element(
            "tr",
            element("th", one.title, scope="row"),
            element("td", count_words(one.rows)),
            element("td", count_words(one.used_rows)),
            element("td", f"{100 * one.share:.0f} %"),
        )
        for one in sources
    )
    table = element("table", element("thead", element("tr", head)), element("tbody", body))
    return element(
        "div", table, class_="table-frame sources", tabindex="0", role="region",
        aria_label=CheckText.SOURCES,
    )  # fmt: skip


def _number(typed: str) -> float:
    try:
        number = float(typed)
    except ValueError:
        return 0.0
    return number if 0 <= number < float("inf") else 0.0
