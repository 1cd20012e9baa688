"""A question and its answer in two columns, by their names and else by what they hold."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from tailor.engine.data.detectors.asking_side import AskingSide, find_asking_side
from tailor.engine.data.detectors.column_facts import Form
from tailor.engine.data.detectors.column_names import rank_name
from tailor.engine.data.detectors.part_words import (
    ANSWER_WORDS,
    DETAILS_WORDS,
    INSTRUCTION_WORDS,
    LANGUAGE_WORDS,
    SYSTEM_WORDS,
    TITLE_WORDS,
    Words,
)
from tailor.engine.data.detectors.sampled_table import NAMED, SampledTable
from tailor.engine.data_types import Mapping, Shape, ShapeGuess

ASKS_MUCH, ASKS_LITTLE = 0.6, 0.2
ANSWER_FORMS: tuple[Form, ...] = tuple(form for form in NAMED if form not in ("turns", "tools"))


def guess_pairs(table: SampledTable) -> Iterator[ShapeGuess]:
    """Every way to read the table as questions and answers."""
    yield from _instructed(table)
    yield from _named(table)
    yield from _half_named(table)
    yield from _pictured(table)
    yield from _translated(table)
    yield from _by_content(table)


def find_answer(table: SampledTable, without: Collection[str] = ()) -> str:
    """The column whose name says that it answers."""
    return table.named(ANSWER_WORDS, ANSWER_FORMS, without=without)


def make_mapping(table: SampledTable, asking: AskingSide, answer: str) -> Mapping:
    """The pair with all that goes with it."""
    mapping = Mapping(
        shape="question_answer",
        question=asking.question,
        answer=answer,
        context=asking.context,
    )
    return table.complete(mapping)


def _instructed(table: SampledTable) -> Iterator[ShapeGuess]:
    """Instruction, input, output: the instruction comes first, the input is often empty."""
    instruction = table.named(INSTRUCTION_WORDS)
    details = table.named(DETAILS_WORDS, (*ANSWER_FORMS, "empty"), without={instruction})
    answer = find_answer(table, {instruction, details})
    if not instruction or not details or not answer:
        return
    asking = AskingSide(question=details, context=instruction, fit=1.0)
    yield ShapeGuess(
        mapping=make_mapping(table, asking, answer),
        confidence=0.96,
        why=f"“{instruction}” comes first, then “{details}” where there is any; "
        f"“{answer}” is the answer.",
    )


def _named(table: SampledTable) -> Iterator[ShapeGuess]:
    """Both sides have telling names; of several answers the one that leaves the best question."""
    found = [
        (min(asking.fit, rank_name(answer, ANSWER_WORDS)), asking, answer)
        for answer in table.pick(ANSWER_FORMS)
        if rank_name(answer, ANSWER_WORDS)
        and (asking := find_asking_side(table, {answer})) is not None
        and asking.fit
    ]
    if not found:
        return
    fit, asking, answer = max(found, key=lambda one: (rank_name(one[2], ANSWER_WORDS), one[0]))
    guess = ShapeGuess(
        mapping=make_mapping(table, asking, answer),
        confidence=0.3 + 0.64 * fit,
        why=f"The names say it: “{asking.question}” asks, “{answer}” answers.{asking.words}",
    )
    facts = table.facts
    if facts[answer].asks < ASKS_MUCH or facts[asking.question].asks > ASKS_LITTLE:
        yield guess
        return
    doubt = f" Yet “{answer}” holds more questions; please look closely."
    yield replace(guess, confidence=guess.confidence - 0.2, why=guess.why + doubt)
    turned = replace(asking, question=answer)
    yield ShapeGuess(
        mapping=make_mapping(table, turned, asking.question),
        confidence=guess.confidence - 0.25,
        why=f"“{answer}” holds the questions, whatever its name says.",
    )


def _pictured(table: SampledTable) -> Iterator[ShapeGuess]:
    """A picture and what is to be said about it: the picture itself is the question."""
    pictures = table.pick(("picture",))
    answer = find_answer(table) or table.longest(table.varied())
    if not pictures or not answer or find_asking_side(table, {answer}) is not None:
        return
    shape: Shape = "classes" if table.facts[answer].is_class else "question_answer"
    yield ShapeGuess(
        mapping=table.complete(Mapping(shape=shape, answer=answer, pictures=pictures[0])),
        confidence=0.88,
        why=f"“{pictures[0]}” names a picture, “{answer}” is what is said about it.",
    )


def _translated(table: SampledTable) -> Iterator[ShapeGuess]:
    """Two columns that are called after languages: the first is put into the second."""
    named = [name for name in table.varied() if rank_name(name, LANGUAGE_WORDS) == 1.0]
    if len(named) == 2:
        first, second = named
        yield ShapeGuess(
            mapping=make_mapping(table, AskingSide(question=first, fit=1.0), second),
            confidence=0.8,
            why=f"Two languages: “{first}” is put into “{second}”.",
        )


def _half_named(table: SampledTable) -> Iterator[ShapeGuess]:
    """Only one side has a telling name; the other is the longest text that is left."""
    answer = find_answer(table)
    asking = find_asking_side(table, {answer})
    if asking is None:
        return
    if answer and not asking.fit:
        yield ShapeGuess(
            mapping=make_mapping(table, asking, answer),
            confidence=0.65,
            why=f"“{answer}” answers by its name; “{asking.question}” holds the most other text.",
        )
    if not answer and asking.fit and not rank_name(asking.question, TITLE_WORDS):
        taken = {asking.question, asking.context, table.named(SYSTEM_WORDS)}
        other = table.longest(table.varied(without=taken))
        # A name such as "text" asks nothing by itself, whatever stands beside it.
        is_asking = asking.fit >= 0.7 and rank_name(asking.question, ASKS_BY_NAME) > 0
        if other and is_asking:
            yield ShapeGuess(
                mapping=make_mapping(table, asking, other),
                confidence=0.65,
                why=f"“{asking.question}” asks by its name; “{other}” holds the most other text.",
            )


def _by_content(table: SampledTable) -> Iterator[ShapeGuess]:
    """The two columns with the most text; the one that asks or stands first is the question.

    Length says nothing: an answer may be a label, a short form or a whole letter.
    """
    facts, written = table.facts, table.varied()
    if len(written) == 1:
        written += table.short_forms()
    written = sorted(written, key=lambda name: -facts[name].mean_characters)[:2]
    if len(written) < 2:
        return
    first, second = sorted(written, key=table.columns.index)
    is_turned = facts[second].asks > facts[first].asks
    question, answer = (second, first) if is_turned else (first, second)
    asks_more = facts[question].asks > facts[answer].asks
    is_clear = facts[question].asks >= ASKS_MUCH and facts[answer].asks <= ASKS_LITTLE
    reason = "asks more often" if asks_more else "stands first"
    confidence = (0.5 if len(table.columns) == 2 else 0.35) + 0.15 * is_clear
    yield ShapeGuess(
        mapping=make_mapping(table, AskingSide(question=question, fit=0.0), answer),
        confidence=confidence,
        why=f"These two hold the most text; “{question}” {reason}. Please look closely.",
    )


ASKS_BY_NAME: Words = (
    "question frage pregunta domanda pergunta prompt query instruction anfrage anweisung aufgabe "
    "demande consigne consulta solicitud instruccion richiesta request problem inquiry",
)
