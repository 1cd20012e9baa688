"""Data: show us your examples.

A file is dropped, the engine reads it in a child, and the person says yes to three finished
examples made from their own rows, not to a table of settings. `data_state` gives the values.
"""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.data_types import DatasetRecord
from tailor.engine.types import Draft
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import action_html, sent, show
from tailor.ui.components.mapping_fields import MappingFields, build_mapping_fields
from tailor.ui.components.screen import ActionBar, action_bar, heading, problem_place
from tailor.ui.data_state import (
    OUTPUTS,
    change_dataset,
    change_mapping,
    confirm_mapping,
    show_all,
    show_data,
    show_intake,
)
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text_data import DataText
from tailor.ui.uploads import FILE_TYPES, MOST_UPLOAD_BYTES, take_upload
from tailor.ui.views.html import NOTHING, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import bytes_words
from tailor.ui.views.step_rail import CHECK, GOAL

TICK_SECONDS = 0.6
DROP_HEIGHT = 180


@dataclass(frozen=True, kw_only=True)
class DataPage:
    """Handles of the Data screen."""

    intake: gr.Column
    file: gr.File
    example: gr.Button
    notice: gr.HTML
    found: gr.HTML
    mapping: gr.Column
    fields: MappingFields
    more: gr.Accordion
    preview: gr.HTML
    timer: gr.Timer
    problem: gr.HTML
    action: ActionBar

    @property
    def outputs(self) -> tuple[Component | gr.Column | gr.Accordion, ...]:
        """What `enter` fills, in the order of `show_data`."""
        return (
            self.intake,
            self.file,
            self.notice,
            self.found,
            self.mapping,
            *self.fields.all(),
            self.more,
            self.preview,
            self.timer,
            self.action.button,
            self.action.promise,
        )


def build() -> DataPage:
    """Drop a file; what was found; which column is what; three finished examples."""
    heading(DataText.TITLE, DataText.WHY)
    intake, file, example = _build_intake()
    notice = show()
    found = action_html()
    with gr.Column(visible=False, elem_classes="mapping") as mapping:
        mapping_fields, more = build_mapping_fields()
        head = join(
            element("h2", DataText.PREVIEW_TITLE),
            element("p", DataText.PREVIEW_WHY, class_="small quiet"),
        )
        show(element("div", head, class_="section-head"))
        preview = show()
    problem = problem_place()
    timer = gr.Timer(TICK_SECONDS, active=False)
    action = action_bar(DataText.YES_OFF, DataText.PROMISE_OFF, back=DataText.BACK)
    return DataPage(
        intake=intake,
        file=file,
        example=example,
        notice=notice,
        found=found,
        mapping=mapping,
        fields=mapping_fields,
        more=more,
        preview=preview,
        timer=timer,
        problem=problem,
        action=action,
    )


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The draft's dataset in whatever state it is."""
    return show_data(services, owner, draft)


def wire(page: DataPage, shell: Shell, services: Services) -> None:
    """Upload, example, another file, every change of the mapping, yes."""
    place = [shell.draft_id]
    whole = [page.problem, shell.choices, *page.outputs]
    page.file.upload(bind(on_upload, services), inputs=[*place, page.file], outputs=whole, **WRITE)
    page.example.click(bind(on_example, services), inputs=place, outputs=whole, **WRITE)
    page.found.click(bind(on_other, services), inputs=None, outputs=whole, **WRITE)
    page.timer.tick(bind(on_tick, services), inputs=place, outputs=whole, **READ)
    fields = page.fields
    gr.on(
        [
            fields.shape.input,
            *(column.input for column in fields.columns()),
            fields.instruction.submit,
            fields.instruction.blur,
        ],
        bind(on_mapping, services),
        inputs=[*place, *fields.all()],
        outputs=[page.problem, page.preview, *fields.columns()],
        **READ,
    )
    shell.goto(page.action.button, CHECK, confirm_mapping, inputs=fields.all())
    shell.goto(page.action.back, GOAL)


def on_upload(services: Services, draft_id: str, uploaded: str, request: gr.Request) -> list[Any]:
    """A file arrived."""
    owner = identity(request)

    def take() -> DatasetRecord:
        return take_upload(services.engine(owner), services.inbox(owner), uploaded)

    return change_dataset(services, owner, draft_id, take)


def on_example(services: Services, draft_id: str, request: gr.Request) -> list[Any]:
    """The built-in example was chosen."""
    owner = identity(request)
    return change_dataset(services, owner, draft_id, services.engine(owner).add_example)


def on_other(services: Services, event: gr.EventData) -> list[Any]:
    """Another file is wanted: the way in comes back, the dataset stays until one arrives."""
    if sent(event) != "other":
        return [gr.skip()] * (2 + OUTPUTS)
    return [NOTHING, gr.skip(), *show_intake()]


def on_tick(services: Services, draft_id: str, request: gr.Request) -> list[Any]:
    """While a file is read: the newest words, and everything once it is there."""
    owner = identity(request)
    return show_all(services, owner, services.draft(owner, draft_id))


def on_mapping(services: Services, request: gr.Request, draft_id: str, *values: Any) -> list[Any]:
    """A column was chosen: the finished examples follow."""
    return change_mapping(services, identity(request), draft_id, values)


def _build_intake() -> tuple[gr.Column, gr.File, gr.Button]:
    with gr.Column(visible=True, elem_classes="intake") as intake:
        with gr.Column(elem_classes="drop-zone"):
            file = gr.File(
                label=DataText.DROP,
                file_types=FILE_TYPES,
                type="filepath",
                height=DROP_HEIGHT,
                elem_classes="drop",
            )
            words = element("div", icon("file"), element("p", DataText.DROP), class_="drop-inner")
            show(words, elem_classes="drop-words")
        limit = DataText.LIMIT.format(bytes=bytes_words(MOST_UPLOAD_BYTES))
        show(element("p", limit, class_="small quiet"))
        with gr.Row(elem_classes="aside"):
            about = element("p", DataText.EXAMPLE_WORDS, class_="small quiet")
            show(join(element("p", DataText.NO_FILE_YET), about))
            example = gr.Button(DataText.EXAMPLE, elem_classes="outline-button")
    return intake, file, example
