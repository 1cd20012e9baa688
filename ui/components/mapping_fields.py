"""The fields that say which column is what: one for each part of a `Mapping`, in its order.

Only those that the chosen shape needs are seen; the rare ones fold away.
"""

from dataclasses import dataclass, fields
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.data_types import DatasetRecord, Mapping
from tailor.ui.data_mapping import SHAPES, fields_of
from tailor.ui.text_data import DataText

Options = list[tuple[str, str | int | float]]


@dataclass(frozen=True, kw_only=True)
class MappingFields:
    """Handles, in the order of `data_mapping.Fields`."""

    shape: gr.Radio
    question: gr.Dropdown
    answer: gr.Dropdown
    context: gr.Dropdown
    system: gr.Dropdown
    messages: gr.Dropdown
    text: gr.Dropdown
    instruction: gr.Textbox

    def all(self) -> list[Component]:
        """Every field, in order."""
        return [getattr(self, field.name) for field in fields(self)]

    def columns(self) -> list[gr.Dropdown]:
        """The six that name a column."""
        return [
            self.question, self.answer, self.context, self.system, self.messages, self.text
        ]  # fmt: skip


FIELDS = len(fields(MappingFields))


def build_mapping_fields() -> tuple[MappingFields, gr.Accordion]:
    """Lay them out; the accordion holds the rare ones."""
    options: Options = [(DataText.NO_COLUMN, "")]

    def column(label: str, *, is_seen: bool = True) -> gr.Dropdown:
        return gr.Dropdown(options, label=label, value="", min_width=200, visible=is_seen)

    shape = gr.Radio(
        choices=[(DataText.SHAPES[shape], shape) for shape in SHAPES],
        label=DataText.SHAPE,
        value=SHAPES[0],
        elem_classes="mapping-shape",
    )
    with gr.Row(elem_classes="columns"):
        question, answer = column(DataText.QUESTION), column(DataText.ANSWER)
        messages = column(DataText.MESSAGES, is_seen=False)
        plain = column(DataText.PLAIN, is_seen=False)
    with gr.Accordion(DataText.MORE, open=False, elem_classes="more-choices") as more:
        with gr.Row(elem_classes="columns"):
            context, system = column(DataText.CONTEXT), column(DataText.SYSTEM)
        instruction = gr.Textbox(
            label=DataText.INSTRUCTION,
            info=DataText.INSTRUCTION_INFO,
            placeholder=DataText.INSTRUCTION_PLACEHOLDER,
            max_length=2000,
            lines=1,
            max_lines=4,
        )
    made = MappingFields(
        shape=shape,
        question=question,
        answer=answer,
        context=context,
        system=system,
        messages=messages,
        text=plain,
        instruction=instruction,
    )
    return made, more


def show_fields(dataset: DatasetRecord, mapping: Mapping) -> list[Any]:
    """Values for all fields: this dataset's columns to choose from, this mapping chosen."""
    shape, *columns, instruction = fields_of(mapping)
    options: Options = [(DataText.NO_COLUMN, ""), *((name, name) for name in dataset.columns)]
    dropdowns = [
        gr.Dropdown(choices=options, value=column, visible=is_seen)
        for column, is_seen in zip(columns, _seen(shape), strict=True)
    ]
    return [gr.Radio(value=shape), *dropdowns, gr.Textbox(value=instruction)]


def show_columns(shape: str) -> list[Any]:
    """Updates for the six column fields that hide what a shape does not need."""
    return [gr.Dropdown(visible=is_seen) for is_seen in _seen(shape)]


def _seen(shape: str) -> tuple[bool, ...]:
    """Which of question, answer, context, system, messages, text the shape needs."""
    is_pairs = shape == "question_answer"
    return is_pairs, is_pairs, is_pairs, is_pairs, shape == "chat", shape == "text"
