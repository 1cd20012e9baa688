"""One evaluation: the loss on held-out rows and the exam, told as events.

The first is made with the untouched model before training; its numbers are what a result is
compared with. Callbacks ask for the others.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from tailor.engine.events import Metric, Sample
from tailor.engine.worker.build import precision_context
from tailor.engine.worker.data import Example
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.exam import Exam, ExamResult
from tailor.engine.worker.heartbeat import Pulse
from tailor.engine.worker.loss import mean_loss
from tailor.estimator.record import record
from tailor.recipes.spec import TrainPlan


@record
class Judgement:
    """What a model can do at one step."""

    held_out_loss: float | None
    """None without held-out rows."""
    score: float
    answers: tuple[tuple[str, str], ...]


class Evaluation:
    """A run's held-out rows and exam, for the life of an attempt."""

    def __init__(
        self,
        plan: TrainPlan,
        held_out: Sequence[Example],
        exam: Exam,
        *,
        padding: int,
        log: EventLog,
        pulse: Pulse,
        epoch_of: Callable[[int], float],
    ) -> None:
        """Nothing is evaluated yet."""
        self._plan = plan
        self._held_out = held_out
        self._padding = padding
        self.exam = exam
        self._log = log
        self._pulse = pulse
        self._epoch_of = epoch_of

    def sit(self, model: Any, step: int) -> Judgement:
        """Evaluate and tell it."""
        loss, result = self.measure(model, step)
        values = []
        if loss is not None and math.isfinite(loss):
            values.append(("loss/held_out", loss))
        if result.scored:
            values.append(("score/exam", result.score))
        if values:
            self._log.tell(Metric, step=step, epoch=self._epoch_of(step), values=tuple(values))
        return Judgement(held_out_loss=loss, score=result.score, answers=result.answers)

    def measure(self, model: Any, step: int) -> tuple[float | None, ExamResult]:
        """Held-out loss and exam of a model, with the answers told as samples."""

        def on_batch() -> None:
            self._pulse.progress(step)

        with precision_context(self._plan):
            loss = (
                mean_loss(model, self._held_out, self._padding, on_batch)
                if self._held_out
                else None
            )
            return loss, self.exam.sit(model, step, on_batch)


def read_baseline(exam: Exam, log: EventLog) -> Judgement | None:
    """The untouched model's evaluation from an earlier attempt's events, if it was completed."""
    answers: dict[str, str] = {}
    numbers: dict[str, float] | None = None
    for event in log.before:
        if isinstance(event, Sample) and event.step == 0:
            answers[event.question] = event.text
        if isinstance(event, Metric) and event.step == 0:
            numbers = dict(event.values)
    if numbers is None or set(answers) != {question.id for question in exam.questions}:
        return None
    return Judgement(
        held_out_loss=numbers.get("loss/held_out"),
        score=numbers.get("score/exam", 0.0),
        answers=tuple(answers.items()),
    )
