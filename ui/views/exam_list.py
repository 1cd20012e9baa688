"""The exam before it is sat: every question and the answer that would be accepted.

The person's own questions come first and can be removed; the picked ones fold after a few.
"""

from tailor.recipes.spec import ExamQuestion
from tailor.ui.text_data import CheckText
from tailor.ui.views.exam_strip import asked
from tailor.ui.views.html import Html, each, element, join

SHOWN_QUESTIONS = 3


def exam_list(picked: tuple[ExamQuestion, ...], own: tuple[ExamQuestion, ...]) -> Html:
    """Own questions, the first few picked ones, the rest folded."""
    shown, rest = picked[:SHOWN_QUESTIONS], picked[SHOWN_QUESTIONS:]
    rows = join(each(_row(one, is_own=True) for one in own), each(_row(one) for one in shown))
    folded = element(
        "details",
        element("summary", CheckText.EXAM_ALL.format(count=len(picked) + len(own))),
        element("ol", each(_row(one) for one in rest), class_="exam-list"),
        class_="more",
    )
    return join(element("ol", rows, class_="exam-list"), folded if rest else None)


def _row(question: ExamQuestion, *, is_own: bool = False) -> Html:
    words = asked(question)
    remove = element(
        "button",
        CheckText.EXAM_REMOVE,
        type="button",
        class_="link-button",
        data_send=question.id,
        aria_label=CheckText.EXAM_REMOVE_LABEL.format(question=words),
    )
    expected = question.expected or CheckText.EXAM_JUDGED_BY_YOU
    return element(
        "li",
        element("div", CheckText.EXAM_QUESTION, class_="role"),
        element("div", words, class_="said"),
        element("div", CheckText.EXAM_EXPECTED, class_="role"),
        element("div", expected, class_="said" if question.expected else "said quiet"),
        element(
            "div", element("span", CheckText.EXAM_YOURS, class_="chip"), remove, class_="own-line"
        )
        if is_own
        else None,
    )
