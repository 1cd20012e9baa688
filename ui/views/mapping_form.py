"""Which column is what: a sentence why, the columns that the shape needs, the rest folded away.

Plain fields of the browser, answered by one message. `data_mapping` says what a shape asks for.
"""

from tailor.engine.data_types import DatasetRecord, Mapping, ShapeGuess
from tailor.ui.data_mapping import SHAPES, SWAPPED, TYPED, asked_of, parts_of, rest_of
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.icons import icon

MOST_GUESSES = 3
TYPED_CHARACTERS = 2_000


def mapping_form(dataset: DatasetRecord, mapping: Mapping) -> Html:
    """Reason, fields, swap, other readings."""
    guess = next((one for one in dataset.guesses if one.mapping == mapping), None)
    why = DataText.MAPPING_GUESSED.format(why=guess.why) if guess else DataText.MAPPING_OWN
    head = element(
        "div",
        element("h2", DataText.MAPPING_TITLE),
        element("p", why, class_="small quiet"),
        class_="section-head",
    )
    asked = asked_of(mapping)
    rest = rest_of(mapping, asked)
    columns = each(_column(part, dataset, mapping) for part in asked)
    fields = join(
        _shape(mapping),
        element("div", columns, class_="columns"),
        _swap(mapping),
        _more(rest, dataset, mapping),
    )
    return element(
        "section",
        head,
        element("form", fields, id="mapping-form", class_="stack"),
        _others(dataset, mapping),
        class_="stack mapping",
    )


def part_label(part: str, mapping: Mapping) -> str:
    """What a part is called in this shape."""
    return DataText.PARTS_OF.get(mapping.shape, {}).get(part, DataText.PARTS[part])


def used_parts(mapping: Mapping) -> dict[str, str]:
    """Each used column with one word for what it is."""
    own = DataText.PART_WORDS_OF.get(mapping.shape, {})
    return {
        getattr(mapping, part): own.get(part, DataText.PART_WORDS[part])
        for part in parts_of(mapping.shape)
        if getattr(mapping, part)
    }


def _shape(mapping: Mapping) -> Html:
    options = each(
        element("option", DataText.SHAPES[shape], value=shape, selected=shape == mapping.shape)
        for shape in SHAPES
    )
    return element(
        "div",
        element("label", DataText.SHAPE, for_="part-shape", class_="field-label"),
        element(
            "select",
            options,
            id="part-shape",
            name="shape",
            class_="entry-field",
            data_send="shape",
        ),
        class_="entry",
    )


def _column(part: str, dataset: DatasetRecord, mapping: Mapping) -> Html:
    chosen = getattr(mapping, part)
    options = join(
        element("option", DataText.NO_COLUMN, value="", selected=not chosen),
        each(
            element("option", name, value=name, selected=name == chosen) for name in dataset.columns
        ),
    )
    place = f"part-{part}"
    return element(
        "div",
        element("label", part_label(part, mapping), for_=place, class_="field-label"),
        element("select", options, id=place, name=part, class_="entry-field", data_send="mapping"),
        class_="entry",
    )


def _swap(mapping: Mapping) -> Html | None:
    if mapping.shape not in SWAPPED:
        return None
    return element(
        "div",
        element(
            "button", icon("swap"), DataText.SWAP, type="button", id="swap", data_send="swap",
            class_="own-button small-button",
        ),
    )  # fmt: skip


def _more(parts: tuple[str, ...], dataset: DatasetRecord, mapping: Mapping) -> Html | None:
    typed = TYPED[mapping.shape]
    if not parts and not typed:
        return None
    columns = each(_column(part, dataset, mapping) for part in parts)
    texts = each(_typed(name, mapping) for name in typed)
    return element(
        "details",
        element("summary", DataText.MORE),
        element("div", texts, element("div", columns, class_="columns"), class_="stack"),
        class_="more",
        id="mapping-more",
        open=bool(mapping.instruction),
    )


def _typed(name: str, mapping: Mapping) -> Html:
    title, words, placeholder = DataText.TYPED[name]
    place, value = f"part-{name}", getattr(mapping, name)
    return element(
        "div",
        element("label", title, for_=place, class_="field-label"),
        element("p", words, class_="small quiet"),
        element(
            "input", type="text", id=place, name=name, value=str(value or ""),
            maxlength=TYPED_CHARACTERS, placeholder=placeholder or None, class_="entry-field",
            data_send="mapping", autocomplete="off",
        ),
        class_="entry wide",
    )  # fmt: skip


def _others(dataset: DatasetRecord, mapping: Mapping) -> Html | None:
    """The other guesses, each one press away."""
    others = [
        (number, guess) for number, guess in enumerate(dataset.guesses) if guess.mapping != mapping
    ][:MOST_GUESSES]
    if not others:
        return None
    buttons = each(
        element(
            "li",
            element(
                "button", _guess_words(guess), type="button", class_="link-button",
                data_send=f"guess:{number}", title=guess.why,
            ),
        )
        for number, guess in others
    )  # fmt: skip
    return element(
        "div",
        element("p", DataText.OTHER_GUESSES, class_="small quiet"),
        element("ul", buttons, class_="other-guesses"),
    )


def _guess_words(guess: ShapeGuess) -> str:
    mapping = guess.mapping
    named = [
        DataText.GUESS_COLUMNS.format(part=word, column=column)
        for column, word in used_parts(mapping).items()
    ]
    return DataText.GUESS.format(shape=DataText.SHAPES[mapping.shape], columns=", ".join(named))
