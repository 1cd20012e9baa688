"""The mapping as the person set it: from the fields of the Data screen to a `Mapping`, checked.

Pure, so that every wrong choice has its sentence and its test.
"""

from typing import Literal

from tailor.engine.data_types import DatasetRecord, Mapping
from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.text_data import DataText

Shape = Literal["question_answer", "chat", "text"]
SHAPES: tuple[Shape, ...] = ("question_answer", "chat", "text")

Fields = tuple[str, str, str, str, str, str, str, str]
"""shape, question, answer, context, system, messages, text, instruction: in the screen's order."""


def mapping_from(fields: tuple[str | None, ...]) -> Mapping:
    """The mapping; columns that the shape does not use are left out."""
    shape, question, answer, context, system, messages, plain, instruction = (
        (field or "").strip() if n == len(fields) - 1 else field or ""
        for n, field in enumerate(fields)
    )
    if shape == "chat":
        return Mapping(shape="chat", messages=messages, instruction=instruction)
    if shape == "text":
        return Mapping(shape="text", text=plain)
    return Mapping(
        shape="question_answer",
        question=question,
        answer=answer,
        context=context,
        system=system,
        instruction=instruction,
    )


def fields_of(mapping: Mapping) -> Fields:
    """The fields that show a mapping."""
    return (
        mapping.shape,
        mapping.question,
        mapping.answer,
        mapping.context,
        mapping.system,
        mapping.messages,
        mapping.text,
        mapping.instruction,
    )


def check_mapping(mapping: Mapping) -> Mapping:
    """The same mapping; raises when a column is missing or used twice."""
    problem = missing_choice(mapping)
    if problem is not None:
        raise problem
    return mapping


def missing_choice(mapping: Mapping) -> UserError | None:
    """What still has to be chosen, as the sentence that says it; None when all is there."""
    is_pairs = mapping.shape == "question_answer"
    if not {"question_answer": mapping.answer, "chat": mapping.messages, "text": mapping.text}[
        mapping.shape
    ]:
        return UserError(
            title=DataText.NO_ANSWER_TITLE,
            detail=DataText.NO_ANSWER_DETAIL,
            fix=DataText.NO_ANSWER_FIX,
        )
    if is_pairs and not mapping.question:
        return UserError(
            title=DataText.NO_QUESTION_TITLE,
            detail=DataText.NO_QUESTION_DETAIL,
            fix=DataText.NO_QUESTION_FIX,
        )
    if is_pairs and mapping.question == mapping.answer:
        return UserError(
            title=DataText.SAME_COLUMN_TITLE,
            detail=DataText.SAME_COLUMN_DETAIL.format(column=mapping.answer),
            fix=DataText.SAME_COLUMN_FIX,
        )
    return None


def first_mapping(draft: Draft, dataset: DatasetRecord) -> Mapping:
    """What is shown first: the person's own choice, what was confirmed, the best guess."""
    named = set(dataset.columns)
    if draft.mapping is not None and set(fields_of(draft.mapping)[1:-1]) - {""} <= named:
        return draft.mapping
    if dataset.mapping is not None:
        return dataset.mapping
    if dataset.guesses:
        return dataset.guesses[0].mapping
    return Mapping(shape="question_answer")
