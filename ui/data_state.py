"""Every value of the Data screen for the state that a draft's dataset is in.

Opening the screen, an upload and every tick go through `show_data`, so they cannot disagree.
Nothing here is wired; it is called with a `Services` and tested without a browser.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr

from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.choices import read_choices
from tailor.ui.components.mapping_fields import FIELDS, show_columns, show_fields
from tailor.ui.components.screen import promise_markup
from tailor.ui.data_mapping import check_mapping, first_mapping, mapping_from, missing_choice
from tailor.ui.services import Services
from tailor.ui.text_data import DataText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.conversation import conversations
from tailor.ui.views.data_found import data_found
from tailor.ui.views.html import NOTHING, Html
from tailor.ui.views.problem import error_card
from tailor.ui.views.quantities import count_words
from tailor.ui.views.waiting import waiting_card

FIRST_ROWS = 5
OUTPUTS = FIELDS + 10
"""As many values as `show_data` gives."""


def show_data(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The screen for a draft; without a dataset it shows the way in."""
    if not draft.dataset_id:
        return show_intake()
    dataset = services.engine(owner).dataset(draft.dataset_id)
    if dataset.status == "failed":
        return _values(has_intake=True, notice=error_card(dataset.problem))
    if dataset.status == "reading":
        words = dataset.progress or DataText.READING
        return _values(notice=waiting_card(DataText.READING_TITLE, words, lines=4), is_waiting=True)
    return _ready(services, owner, draft, dataset)


def show_intake() -> tuple[Any, ...]:
    """The way in, with nothing found yet."""
    return _values(has_intake=True)


def show_all(services: Services, owner: str, draft: Draft) -> list[Any]:
    """Error card and choices in front of the screen's values."""
    try:
        values = show_data(services, owner, draft)
    except UserError as problem:
        return [error_card(problem), gr.skip(), *show_intake()]
    return [NOTHING, choices_so_far(read_choices(services, owner, draft)), *values]


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
        values: list[Any] = [gr.skip()] * OUTPUTS
        values[1] = gr.File(value=None)
        return [error_card(problem), gr.skip(), *values]
    return show_all(services, owner, draft)


def change_mapping(
    services: Services, owner: str, draft_id: str, values: tuple[Any, ...]
) -> list[Any]:
    """Keep the choice with the draft; error card, examples and the columns to see come back."""
    mapping = mapping_from(values)
    columns = show_columns(mapping.shape)
    try:
        draft = services.edit_draft(owner, draft_id, mapping=mapping)
        shown = services.engine(owner).preview(draft.dataset_id, check_mapping(mapping))
    except UserError as problem:
        return [error_card(problem), conversations(()), *columns]
    return [NOTHING, conversations(shown), *columns]


def confirm_mapping(services: Services, owner: str, draft_id: str, *values: Any) -> None:
    """The person said yes: the engine checks, splits and picks the exam."""
    draft = services.draft(owner, draft_id)
    if not draft.dataset_id:
        raise UserError(
            title=DataText.NONE_TITLE, detail=DataText.NONE_DETAIL, fix=DataText.NONE_FIX
        )
    engine = services.engine(owner)
    mapping = check_mapping(mapping_from(values))
    if engine.dataset(draft.dataset_id).mapping != mapping:
        engine.map(draft.dataset_id, mapping)
    services.edit_draft(owner, draft_id, mapping=mapping)


def _ready(services: Services, owner: str, draft: Draft, dataset: DatasetRecord) -> tuple[Any, ...]:
    engine = services.engine(owner)
    mapping = first_mapping(draft, dataset)
    is_whole = missing_choice(mapping) is None
    return _values(
        found=data_found(dataset, engine.rows(dataset.id, limit=FIRST_ROWS)),
        fields=show_fields(dataset, mapping),
        has_more=bool(mapping.context or mapping.system or mapping.instruction),
        preview=conversations(engine.preview(dataset.id, mapping) if is_whole else ()),
        button=gr.Button(DataText.YES, interactive=True),
        promise=DataText.PROMISE.format(rows=count_words(dataset.rows)),
    )


def _values(
    *,
    has_intake: bool = False,
    notice: Html = NOTHING,
    found: Html = NOTHING,
    fields: list[Any] | None = None,
    has_more: bool = False,
    preview: Html = NOTHING,
    is_waiting: bool = False,
    button: Any = None,
    promise: str = DataText.PROMISE_OFF,
) -> tuple[Any, ...]:
    """The outputs in their order, hidden where nothing is given."""
    return (
        gr.Column(visible=has_intake),
        gr.File(value=None),
        notice,
        found,
        gr.Column(visible=fields is not None),
        *(fields or [gr.skip()] * FIELDS),
        gr.Accordion(open=has_more),
        preview,
        gr.Timer(active=is_waiting),
        button or gr.Button(DataText.YES_OFF, interactive=False),
        promise_markup(promise),
    )
