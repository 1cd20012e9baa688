"""The one sentence of the Results screen: use it, learn longer, look at the rows, or do not. Pure.

Figures without a judgement leave the work to the reader. The judgement follows fixed rules, from
the exam first, from mistakes on unseen rows second, and says which figure it comes from.
"""

from typing import Final, Literal

from tailor.engine.types import Result, RunRecord
from tailor.estimator.record import record
from tailor.ui.text_results import VerdictText
from tailor.ui.views.exam_strip import Strip
from tailor.ui.views.quantities import count_words

CLEARLY: Final = 5.0
"""Points of the exam below which a change may be chance: half a question of ten."""
GOOD_ENOUGH: Final = 90.0
"""From here on a risen exam means that it can be used as it is."""
MOSTLY_RIGHT: Final = 50.0
"""From here on it can be used by somebody who checks; below, it is still learning."""

VerdictTone = Literal["good", "care", "stop"]


@record
class Verdict:
    """What to do with this model."""

    title: str
    words: str
    tone: VerdictTone


def judge(run: RunRecord, strip: Strip) -> Verdict:
    """The verdict on a run that has ended."""
    if run.result is None:
        words = VerdictText.STOPPED_WHY.format(step=count_words(run.progress.step))
        return Verdict(title=VerdictText.STOPPED, words=words, tone="care")
    result = run.result
    title, words, tone = _judged(run, result, strip)
    filled = words.format(
        before=round(result.score_before),
        after=round(result.score_after),
        changed=result.answers_changed,
        answers=result.answers,
        steps=count_words(run.progress.step),
    )
    return Verdict(title=title, words=filled, tone=tone)


def _judged(run: RunRecord, result: Result, strip: Strip) -> tuple[str, str, VerdictTone]:
    if result.answers and result.answers_changed == 0:
        return VerdictText.UNCHANGED, VerdictText.UNCHANGED_WHY, "stop"
    if not any(question.expected for question in strip.questions):
        return VerdictText.JUDGE, VerdictText.JUDGE_WHY, "care"
    return _judged_by_exam(result, is_learning=was_still_learning(run, result))


def _judged_by_exam(result: Result, *, is_learning: bool) -> tuple[str, str, VerdictTone]:
    gained = result.score_after - result.score_before
    if gained <= -CLEARLY:
        return VerdictText.WORSE, VerdictText.WORSE_WHY, "stop"
    if gained >= CLEARLY and result.score_after >= GOOD_ENOUGH:
        return VerdictText.USE_IT, VerdictText.USE_IT_WHY, "good"
    if gained >= CLEARLY and result.score_after >= MOSTLY_RIGHT:
        return VerdictText.CHECK_IT, VerdictText.CHECK_IT_WHY, "good"
    if is_learning:
        return VerdictText.LONGER, VerdictText.LONGER_WHY, "care"
    if gained >= CLEARLY:
        return VerdictText.BETTER, VerdictText.BETTER_WHY, "care"
    return VerdictText.SAME, VerdictText.SAME_WHY, "care"


def was_still_learning(run: RunRecord, result: Result) -> bool:
    """Whether the best version was the last one, with fewer mistakes than before."""
    if result.held_out_before is None or result.held_out_after is None:
        return False
    is_last_best = (run.progress.best_step or 0) + run.plan.evaluate_every_steps > run.progress.step
    return is_last_best and result.held_out_after < result.held_out_before
