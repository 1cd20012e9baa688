"""Names are compared by whole words, in several languages, without accents."""

import pytest

from tailor.engine.data.detectors.column_names import best_name, is_aside, rank_name, split_words
from tailor.engine.data.detectors.part_words import (
    ANSWER_WORDS,
    CONTEXT_WORDS,
    GROUP_WORDS,
    QUESTION_WORDS,
    TEXT_WORDS,
)


def test_a_name_is_cut_into_words() -> None:
    assert split_words("QuestionText_2") == ("question", "text", "2")
    assert split_words("Réponse (FR)") == ("reponse", "fr")


def test_text_inside_context_is_no_text() -> None:
    assert split_words("context") == ("context",)
    assert rank_name("context", TEXT_WORDS) == 0
    assert rank_name("contextual", QUESTION_WORDS) == 0
    assert rank_name("context", CONTEXT_WORDS) == 1


@pytest.mark.parametrize("name", ["question_id", "answer_date", "text_length", "customer name"])
def test_a_name_about_a_part_is_not_the_part(name: str) -> None:
    assert is_aside(name)
    assert rank_name(name, QUESTION_WORDS) == rank_name(name, ANSWER_WORDS) == 0


def test_an_id_can_still_tie_rows_together() -> None:
    assert rank_name("patient_id", GROUP_WORDS) == 0
    assert rank_name("patient_id", GROUP_WORDS, with_asides=True) > 0


@pytest.mark.parametrize(
    "name", ["Questions", "FRAGE", "Kundenfrage", "pregunta", "Domanda", "Pergunta", "вопрос", "问题"]
)  # fmt: skip
def test_questions_are_known_in_several_languages(name: str) -> None:
    assert rank_name(name, QUESTION_WORDS) == 1


@pytest.mark.parametrize(
    "name", ["Answers", "Antwort", "Musterantwort", "réponse", "reponse", "Respuesta", "risposta"]
)
def test_answers_are_known_in_several_languages(name: str) -> None:
    assert rank_name(name, ANSWER_WORDS) == 1


def test_a_survey_is_no_question_although_it_ends_like_one() -> None:
    assert rank_name("Umfrage", QUESTION_WORDS) == 0


def test_the_surer_and_then_the_first_name_is_best() -> None:
    assert best_name(["text", "question"], QUESTION_WORDS) == "question"
    assert best_name(["question_a", "question_b"], QUESTION_WORDS) == "question_a"
    assert best_name(["when", "where"], QUESTION_WORDS) == ""
