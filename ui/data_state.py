"""Every value of the Data screen for the state that a draft's dataset is in.

Opening the screen, an upload and every tick go through `show_data`, so they cannot disagree.
Nothing here is wired; it is called with a `Services` and tested without a browser.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from tailor.engine.data_types import DatasetRecord, Mapping
from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.choices import read_choices
from tailor.ui.components.screen import promise_markup
from tailor.ui.data_mapping import first_mapping, missing_parts
from tailor.ui.services import Services
from tailor.ui.text_data import DataText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.conversation import conversations
from tailor.ui.views.data_found import data_found
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.mapping_form import mapping_form, part_label, used_parts
from tailor.ui.views.problem import error_card, told_anew
from tailor.ui.views.quantities import count_words, percent_words
from tailor.ui.views.waiting import waiting_card

FIRST_ROWS = 5
OUTPUTS = 6
"""As many values as `show_data` gives: intake, file, body, timer, button, promise."""


def show_data(
    services: Services,
    owner: str,
    draft: Draft,
    *,
    dataset: DatasetRecord | None = None,
    problem: UserError | None = None,
) -> tuple[Any, ...]:
    """The screen for a draft; without a dataset it shows the way in. `problem` stands on top.

    `dataset` is given by who has just asked for it.
    """
    card = told_anew(problem)
    if not draft.dataset_id:
        return _values(has_intake=True, body=card)
    dataset = dataset or services.engine(owner).dataset(draft.dataset_id)
    if dataset.status == "failed":
        return _values(has_intake=True, body=join(card, error_card(dataset.problem)))
    if dataset.status == "reading":
        return _values(body=join(card, _reading(dataset)), is_waiting=True)
    # Rows that are there with a problem: another reading failed, and the rows stayed as they were.
    card = join(card, error_card(dataset.problem))
    return _ready(services, owner, draft, dataset, card)


def show_intake(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The way in for other files; what is there stays until one has arrived."""
    if not draft.dataset_id:
        return _values(has_intake=True)
    dataset = services.engine(owner).dataset(draft.dataset_id)
    keep = element(
        "button", DataText.KEEP_FILE.format(title=dataset.title), type="button",
        class_="own-button", data_send="keep",
    )  # fmt: skip
    words = element("p", DataText.KEEP_FILE_WORDS, class_="small quiet")
    return _values(has_intake=True, body=element("div", keep, words, class_="stack keep"))


def show_all(
    services: Services, owner: str, draft: Draft, *, problem: UserError | None = None
) -> list[Any]:
    """The choices so far in front of the screen's values."""
    try:
        values = show_data(services, owner, draft, problem=problem)
    except UserError as trouble:
        return [gr.skip(), *_values(has_intake=True, body=told_anew(trouble))]
    return [choices_so_far(read_choices(services, owner, draft)), *values]


def change_dataset(
    services: Services, owner: str, draft_id: str, take: Callable[[], DatasetRecord]
) -> list[Any]:
    """Take a new dataset into the draft and show it; on trouble nothing changes."""
    try:
        dataset = take()
        title = services.draft(owner, draft_id).title or Path(dataset.title).stem
        draft = services.edit_draft(
            owner, draft_id, dataset_id=dataset.id, mapping=None, title=title
        )
    except UserError as problem:
        return show_all(services, owner, services.draft(owner, draft_id), problem=problem)
    return show_all(services, owner, draft)


def show_mapping(
    services: Services, owner: str, draft: Draft, dataset: DatasetRecord, mapping: Mapping
) -> list[Any]:
    """Keep a choice with the draft and show the examples that follow from it.

    Answered at every change of a column, so nothing is asked twice; the choices so far stay.
    """
    try:
        draft = services.save(owner, replace(draft, mapping=mapping))
        return [gr.skip(), *show_data(services, owner, draft, dataset=dataset)]
    except UserError as problem:
        return show_all(services, owner, services.draft(owner, draft.id), problem=problem)


def confirm_mapping(services: Services, owner: str, draft_id: str) -> None:
    """The person said yes: the engine checks, splits and picks the exam."""
    draft = services.draft(owner, draft_id)
    if not draft.dataset_id:
        raise UserError(
            title=DataText.NONE_TITLE, detail=DataText.NONE_DETAIL, fix=DataText.NONE_FIX
        )
    engine = services.engine(owner)
    dataset = engine.dataset(draft.dataset_id)
    mapping = first_mapping(draft, dataset)
    missing = missing_parts(mapping)
    if missing:
        raise UserError(
            title=DataText.UNSURE_TITLE,
            detail=DataText.UNSURE_DETAIL.format(parts=_labels(missing, mapping)),
            fix=DataText.UNSURE_FIX,
        )
    if dataset.mapping != mapping:
        engine.map(draft.dataset_id, mapping)
    services.edit_draft(owner, draft_id, mapping=mapping)


def _ready(
    services: Services, owner: str, draft: Draft, dataset: DatasetRecord, card: Html
) -> tuple[Any, ...]:
    engine = services.engine(owner)
    mapping = first_mapping(draft, dataset)
    rows = engine.rows(dataset.id, limit=FIRST_ROWS)
    preview, is_whole = _preview(services, owner, dataset, mapping)
    return _values(
        body=element(
            "div",
            card,
            data_found(dataset, rows, used_parts(mapping)),
            mapping_form(dataset, mapping),
            preview,
            class_="stack wide",
        ),
        button=gr.Button(DataText.YES if is_whole else DataText.YES_MISSING, interactive=is_whole),
        promise=DataText.PROMISE.format(rows=count_words(dataset.rows))
        if is_whole
        else DataText.PROMISE_MISSING,
    )


def _preview(
    services: Services, owner: str, dataset: DatasetRecord, mapping: Mapping
) -> tuple[Html, bool]:
    """The finished examples, and whether there are any to say yes to."""
    missing = missing_parts(mapping)
    is_whole = False
    if missing:
        words = DataText.PREVIEW_EMPTY.format(parts=_labels(missing, mapping))
        shown = element("p", words, class_="empty-place")
    else:
        try:
            made = services.engine(owner).preview(dataset.id, mapping)
            shown, is_whole = conversations(made, mapping.shape), True
        except UserError as problem:
            shown = error_card(problem)
    head = element(
        "div",
        element("h2", DataText.PREVIEW_TITLE),
        element("p", DataText.PREVIEW_WHY, class_="small quiet"),
        class_="section-head",
    )
    return element("section", head, shown, class_="stack preview"), is_whole


def _labels(parts: tuple[str, ...], mapping: Mapping) -> str:
    return ", ".join(f"“{part_label(part, mapping)}”" for part in parts)


def _reading(dataset: DatasetRecord) -> Html:
    words = dataset.progress or DataText.READING
    if dataset.done > 0:
        words = DataText.READING_SHARE.format(words=words, percent=percent_words(dataset.done))
    title = DataText.READING_TITLE.format(title=dataset.title)
    return waiting_card(title, words, share=dataset.done, lines=4)


def _values(
    *,
    has_intake: bool = False,
    body: Html = NOTHING,
    is_waiting: bool = False,
    button: Any = None,
    promise: str = DataText.PROMISE_OFF,
) -> tuple[Any, ...]:
    """The outputs in their order."""
    return (
        gr.Column(visible=has_intake),
        gr.File(value=None),
        body,
        gr.Timer(active=is_waiting),
        button or gr.Button(DataText.YES_OFF, interactive=False),
        promise_markup(promise),
    )
