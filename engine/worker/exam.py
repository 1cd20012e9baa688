"""The exam: the model answers the person's questions, and each answer is scored.

The same questions before, during and after training are what a domain expert can judge without
knowing what a loss is. Callbacks ask during training, the proof asks the reloaded model.
"""

from collections.abc import Callable, Collection
from statistics import fmean
from typing import Any

from tailor.engine.events import Sample, Warned
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.generation import answer_questions, encode_question
from tailor.estimator.record import record
from tailor.recipes.scoring import score_answer
from tailor.recipes.spec import RunSpec


@record
class ExamResult:
    """What one sitting of the exam gave."""

    score: float
    """0 to 100 over the questions that have an expected answer; 0 when none has."""
    answers: tuple[tuple[str, str], ...]
    """Question id and answer."""
    scored: int
    """Questions with an expected answer."""


class Exam:
    """A run's questions with all that is needed to ask them, for the life of an attempt."""

    def __init__(
        self,
        spec: RunSpec,
        tokenizer: Any,
        end_ids: Collection[int],
        max_new_tokens: int,
        log: EventLog,
    ) -> None:
        """Nothing is asked yet. Questions that do not fit into the model are left out, and told."""
        self._goal = spec.goal
        self._limit_tokens = spec.model.architecture.max_positions
        room = self._limit_tokens - max_new_tokens
        self.questions = tuple(
            question
            for question in spec.exam
            if len(encode_question(tokenizer, question.messages)) <= room
        )
        left_out = len(spec.exam) - len(self.questions)
        if left_out:
            log.tell(
                Warned,
                title="Some exam questions are too long for the model",
                detail=f"{left_out} of {len(spec.exam)} are left out: the model can read "
                f"{self._limit_tokens:,} tokens, its answer included.",
                fix="Shorten them, or choose a model that reads more.",
            )
        self._tokenizer = tokenizer
        self._end_ids = end_ids
        self._max_new_tokens = max_new_tokens
        self._log = log

    def sit(self, model: Any, step: int, on_batch: Callable[[], None] = lambda: None) -> ExamResult:
        """Ask everything, tell one `Sample` a question, and add up."""
        questions = self.questions
        replies = answer_questions(
            model,
            self._tokenizer,
            [question.messages for question in questions],
            max_new_tokens=self._max_new_tokens,
            end_ids=self._end_ids,
            limit_tokens=self._limit_tokens,
            on_batch=on_batch,
        )
        scores = []
        for question, reply in zip(questions, replies, strict=True):
            score = 0.0
            if question.expected:
                score = score_answer(self._goal, question.expected, reply.text)
                scores.append(score)
            self._log.tell(
                Sample,
                step=step,
                question=question.id,
                text=reply.text,
                tokens=reply.tokens,
                ended=reply.ended,
                score=score,
            )
        return ExamResult(
            score=100 * fmean(scores) if scores else 0.0,
            answers=tuple(
                (question.id, reply.text)
                for question, reply in zip(questions, replies, strict=True)
            ),
            scored=len(scores),
        )
