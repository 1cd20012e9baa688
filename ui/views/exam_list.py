"""The exam before it is sat: every question and the answer that would be accepted.

The person's own questions come first and can be removed; the picked ones fold after a few. Below is
the form for one more question of one's own.
"""

from tailor.recipes.spec import ExamQuestion
from tailor.ui.text_check import CheckText
from tailor.ui.views.exam_strip import asked
from tailor.ui.views.html import Html, each, element, join

SHOWN_QUESTIONS = 3
QUESTION, EXPECTED = "question", "expected"
"""Names of the fields for a question of one's own."""
MOST_CHARACTERS = 4_000


def exam(
    picked: tuple[ExamQuestion, ...],
    own: tuple[ExamQuestion, ...],
    *,
    refused: Html | None = None,
    typed: tuple[str, str] = ("", ""),
) -> Html:
    """Title, questions, the form; what was refused stays in its fields, with the reason above."""
    why = CheckText.EXAM_WHY if picked else CheckText.EXAM_NONE
    head = element(
        "div",
        element("h2", CheckText.EXAM),
        element("p", why, class_="small quiet"),
        class_="section-head",
    )
    questions = exam_list(picked, own) if picked or own else None
    return element("section", head, questions, own_form(refused, typed), class_="stack exam")


def exam_list(picked: tuple[ExamQuestion, ...], own: tuple[ExamQuestion, ...]) -> Html:
    """Own questions, the first few picked ones, the rest folded."""
    shown, rest = picked[:SHOWN_QUESTIONS], picked[SHOWN_QUESTIONS:]
    rows = join(each(_row(one, is_own=True) for one in own), each(_row(one) for one in shown))
    folded = element(
        "details",
        element("summary", CheckText.EXAM_ALL.format(count=len(picked) + len(own))),
        element("ol", each(_row(one) for one in rest), class_="exam-list"),
        class_="more",
        id="exam-rest",
    )
    return join(element("ol", rows, class_="exam-list"), folded if rest else None)


def own_form(refused: Html | None, typed: tuple[str, str]) -> Html:
    """A question of one's own and the answer that would be accepted."""
    fields = join(
        _field(QUESTION, CheckText.OWN_QUESTION, typed[0], "", lines=2),
        _field(EXPECTED, CheckText.OWN_EXPECTED, typed[1], CheckText.OWN_EXPECTED_INFO, lines=1),
        element(
            "div",
            element(
                "button", CheckText.OWN_ADD, type="submit", data_send="add", id="own-add",
                class_="own-button small-button",
            ),
        ),
    )  # fmt: skip
    return element(
        "details",
        element("summary", CheckText.OWN),
        refused,
        element("form", fields, id="own-form", class_="stack"),
        class_="more",
        id="own",
        open=refused is not None,
    )


def _field(name: str, label: str, typed: str, words: str, *, lines: int) -> Html:
    place = f"own-{name}"
    return element(
        "div",
        element("label", label, for_=place, class_="field-label"),
        element("p", words, class_="small quiet") if words else None,
        element(
            "textarea", typed, id=place, name=name, rows=lines, class_="entry-field",
            maxlength=MOST_CHARACTERS,
        ),
        class_="entry wide",
    )  # fmt: skip


def _row(question: ExamQuestion, *, is_own: bool = False) -> Html:
    words = asked(question)
    remove = element(
        "button",
        CheckText.EXAM_REMOVE,
        type="button",
        class_="link-button",
        data_send=f"remove:{question.id}",
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
