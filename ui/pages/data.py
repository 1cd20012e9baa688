"""Data: show us your examples.

Files are dropped, the engine reads them in a child, and the person says yes to three finished
examples made from their own rows, not to a table of settings. `data_state` gives the values.
"""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import sent, show
from tailor.ui.components.form_html import Answers, answers, form_html
from tailor.ui.components.screen import ActionBar, action_bar, heading, problem_place
from tailor.ui.data_mapping import first_mapping, for_shape, give_back, mapping_from, swap
from tailor.ui.data_state import (
    change_dataset,
    confirm_mapping,
    show_all,
    show_data,
    show_intake,
    show_mapping,
)
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text_data import DataText
from tailor.ui.uploads import MOST_FILES, MOST_UPLOAD_BYTES, take_uploads
from tailor.ui.views.html import each, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import bytes_words
from tailor.ui.views.read_choices import chosen_readings
from tailor.ui.views.step_rail import CHECK, GOAL

TICK_SECONDS = 0.6
DROP_HEIGHT = 150


@dataclass(frozen=True, kw_only=True)
class DataPage:
    """Handles of the Data screen."""

    intake: gr.Column
    file: gr.File
    example: gr.Button
    body: gr.HTML
    timer: gr.Timer
    problem: gr.HTML
    action: ActionBar

    @property
    def outputs(self) -> tuple[Component | gr.Column, ...]:
        """What `enter` fills, in the order of `show_data`."""
        return (
            self.intake, self.file, self.body, self.timer, self.action.button,
            self.action.promise,
        )  # fmt: skip


def build() -> DataPage:
    """Drop files; what was found, which column is what, three finished examples."""
    heading(DataText.TITLE, DataText.WHY)
    # What was found, or why a file could not be read, stands above the way in for another one.
    body = form_html()
    intake, file, example = _build_intake()
    problem = problem_place()
    timer = gr.Timer(TICK_SECONDS, active=False)
    action = action_bar(DataText.YES_OFF, DataText.PROMISE_OFF, back=DataText.BACK)
    return DataPage(
        intake=intake, file=file, example=example, body=body, timer=timer, problem=problem,
        action=action,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The draft's dataset in whatever state it is."""
    return show_data(services, owner, draft)


def wire(page: DataPage, shell: Shell, services: Services) -> None:
    """Upload, example, other files, another reading, every change of the mapping, yes."""
    place = [shell.draft_id]
    whole = [shell.choices, *page.outputs]
    page.file.upload(bind(on_upload, services), inputs=[*place, page.file], outputs=whole, **WRITE)
    page.example.click(bind(on_example, services), inputs=place, outputs=whole, **WRITE)
    page.body.click(bind(on_press, services), inputs=place, outputs=whole, **WRITE)
    page.body.select(bind(on_change, services), inputs=place, outputs=whole, **READ)
    page.timer.tick(bind(on_tick, services), inputs=place, outputs=whole, **READ)
    shell.goto(page.action.button, CHECK, confirm_mapping)
    shell.goto(page.action.back, GOAL)


def on_upload(
    services: Services, draft_id: str, uploaded: list[str], request: gr.Request
) -> list[Any]:
    """Files arrived."""
    owner = identity(request)

    def take() -> DatasetRecord:
        return take_uploads(services.engine(owner), services.inbox(owner), uploaded)

    return change_dataset(services, owner, draft_id, take)


def on_example(services: Services, draft_id: str, request: gr.Request) -> list[Any]:
    """The built-in example was chosen."""
    owner = identity(request)
    return change_dataset(services, owner, draft_id, services.engine(owner).add_example)


def on_tick(services: Services, draft_id: str, request: gr.Request) -> list[Any]:
    """While files are read: the newest words, and everything once it is there."""
    owner = identity(request)
    return show_all(services, owner, services.draft(owner, draft_id))


def on_press(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> list[Any]:
    """A button of the form."""
    return press(services, identity(request), draft_id, sent(event), answers(event))


def on_change(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> list[Any]:
    """A field of the mapping."""
    return choose(services, identity(request), draft_id, answers(event))


def press(services: Services, owner: str, draft_id: str, word: str, said: Answers) -> list[Any]:
    """What a button asks for: other files, another reading, another guess, the two swapped."""
    draft = services.draft(owner, draft_id)
    verb, _, number = word.partition(":")
    if verb == "other":
        return [gr.skip(), *show_intake(services, owner, draft)]
    if verb == "keep" or not draft.dataset_id:
        return show_all(services, owner, draft)
    if verb == "reread":
        return reread(services, owner, draft, said)
    dataset = services.engine(owner).dataset(draft.dataset_id)
    mapping = mapping_from(said, first_mapping(draft, dataset))
    if verb == "swap":
        mapping = swap(mapping)
    elif verb == "guess" and number.isdecimal() and int(number) < len(dataset.guesses):
        mapping = dataset.guesses[int(number)].mapping
    return show_mapping(services, owner, draft, dataset, mapping)


def choose(services: Services, owner: str, draft_id: str, said: Answers) -> list[Any]:
    """The mapping as its form now says it; another shape begins with its own guess."""
    draft = services.draft(owner, draft_id)
    if not draft.dataset_id:
        return show_all(services, owner, draft)
    dataset = services.engine(owner).dataset(draft.dataset_id)
    before = first_mapping(draft, dataset)
    mapping = mapping_from(said, before)
    if mapping.shape == before.shape:
        mapping = give_back(mapping, before)
    else:
        mapping = for_shape(mapping.shape, dataset, before)
    return show_mapping(services, owner, draft, dataset, mapping)


def reread(services: Services, owner: str, draft: Draft, said: Answers) -> list[Any]:
    """Read the originals again as it was chosen; the columns may be others then."""
    engine = services.engine(owner)
    try:
        chosen = chosen_readings(engine.dataset(draft.dataset_id).choices, said)
        if chosen:
            engine.reread(draft.dataset_id, chosen)
            draft = services.edit_draft(owner, draft.id, mapping=None)
    except UserError as problem:
        return show_all(services, owner, draft, problem=problem)
    return show_all(services, owner, draft)


def _build_intake() -> tuple[gr.Column, gr.File, gr.Button]:
    with gr.Column(visible=True, elem_classes="intake") as intake:
        with gr.Column(elem_classes="drop-zone"):
            # No list of endings: what a file is, is told by its content, and refused in words.
            file = gr.File(
                label=DataText.DROP,
                file_count="multiple",
                type="filepath",
                height=DROP_HEIGHT,
                elem_classes="drop",
            )
            words = element("div", icon("file"), element("p", DataText.DROP), class_="drop-inner")
            show(words, elem_classes="drop-words")
        limit = DataText.LIMIT.format(bytes=bytes_words(MOST_UPLOAD_BYTES), files=MOST_FILES)
        kinds = each(
            element("div", element("dt", name), element("dd", told))
            for name, told in DataText.KINDS
        )
        show(
            join(
                element("p", limit, class_="small quiet"),
                element("dl", kinds, class_="kinds"),
            )
        )
        with gr.Row(elem_classes="aside"):
            about = element("p", DataText.EXAMPLE_WORDS, class_="small quiet")
            show(join(element("p", DataText.NO_FILE_YET), about))
            example = gr.Button(DataText.EXAMPLE, elem_classes="outline-button")
    return intake, file, example
