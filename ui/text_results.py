"""Every sentence of the Results screen: was it worth it, what changed, what to do next.

Beside `ui/text.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final


class ResultsText:
    """Step 7: the verdict, the figures, the answers, the talk."""

    TITLE: Final = "Is it good enough to use?"
    WHY: Final = "The figures come from questions and rows that it did not learn from."
    NO_RESULT_TITLE: Final = "There are no results yet"
    NO_RESULT_DETAIL: Final = "They stand here when a run has ended."
    NO_RESULT_FIX: Final = "Go back to Run to see how far it is."
    CONTINUE: Final = "Use this model"
    CONTINUE_HINT: Final = "Shows where it is and how to take it along. Nothing is changed."
    BACK: Final = "Back to the run"
    FIGURES: Final = "Before and after"
    EXAM: Final = "Exam"
    EXAM_VALUE: Final = "{before} to {after} of 100"
    EXAM_NOTE: Final = "{questions} questions it did not learn from"
    MISTAKES: Final = "Mistakes on unseen rows"
    MISTAKES_VALUE: Final = "{before} to {after}"
    MISTAKES_NOTE: Final = "held-out loss"
    CHANGED: Final = "Answers changed"
    CHANGED_VALUE: Final = "{changed} of {answers}"
    ENDS: Final = "Ends by itself"
    ENDS_VALUE: Final = "{percent} of answers"
    UNKNOWN: Final = "not measured"
    ANSWERS: Final = "Every exam question, before and after"
    COLUMN_QUESTION: Final = "Question"
    COLUMN_BEFORE: Final = "Before"
    COLUMN_AFTER: Final = "After"
    COLUMN_EXPECTED: Final = "Expected"
    ANSWERS_CAPTION: Final = (
        "Exam questions with the answers before and after, new words underlined."
    )
    NO_ANSWERS: Final = "This run has no exam answers to show."
    KEPT_VERSION: Final = "After: the version of step {step}, which is the one that was kept."
    PROMISE: Final = "What was promised, what it took"
    PROMISE_TIME: Final = "Time"
    PROMISE_MEMORY: Final = "Memory at its highest"
    PROMISED: Final = "Promised"
    MEASURED: Final = "Measured"
    KEPT_PROMISE: Final = "as promised"
    UNDER_PROMISE: Final = "less than promised"
    OVER_PROMISE: Final = "more than promised"


class VerdictText:
    """The sentence at the top, by what the figures say."""

    USE_IT: Final = "Use it"
    USE_IT_WHY: Final = "The exam went from {before} to {after} of 100."
    CHECK_IT: Final = "Use it, and check what it writes"
    CHECK_IT_WHY: Final = (
        "The exam went from {before} to {after} of 100. The rest is still wrong, so somebody "
        "should read its answers. More rows like the ones that it gets wrong will help."
    )
    JUDGE: Final = "Have a look at the answers"
    JUDGE_WHY: Final = (
        "There are no expected answers to score against. It answers {changed} of {answers} "
        "questions differently from before: read them below and decide."
    )
    LONGER: Final = "Let it learn longer"
    LONGER_WHY: Final = (
        "The exam stands at {after} of 100 (before: {before}), and mistakes on unseen rows were "
        "still falling at the end. Read the rows more often, or choose a stronger setting."
    )
    BETTER: Final = "Better, but not there yet"
    BETTER_WHY: Final = (
        "The exam went from {before} to {after} of 100: a clear gain, and still more wrong than "
        "right. Add rows like the questions that it gets wrong, then start again."
    )
    SAME: Final = "Not better yet"
    SAME_WHY: Final = (
        "The exam stands at {after} of 100, as before ({before}). Look at the rows first: are the "
        "answers in them always given the way you want them? Then try a stronger setting."
    )
    WORSE: Final = "Do not use it"
    WORSE_WHY: Final = (
        "The exam fell from {before} to {after} of 100. Try a gentler setting, and look for rows "
        "whose answers contradict each other."
    )
    UNCHANGED: Final = "It answers as before"
    UNCHANGED_WHY: Final = (
        "None of {answers} answers changed. It had {steps} steps to learn, which may be too few. "
        "Read the rows more often, or choose a stronger setting."
    )
    STOPPED: Final = "Stopped before the end"
    STOPPED_WHY: Final = (
        "These are its answers until step {step}. The finished check of the saved model was not "
        "done, so resume the run before you use it."
    )


class TalkText:
    """The talk with both models."""

    TITLE: Final = "Ask both"
    LEAD: Final = "The same question goes to the untouched model and to yours."
    QUESTION: Final = "Your question"
    PLACEHOLDER: Final = "Type a question as your users would"
    ASK: Final = "Ask both models"
    FIRST: Final = (
        "Loading both models. The first answer takes longer, often half a minute; the next ones "
        "come at once."
    )
    THINKING: Final = "Both models are answering."
    BASE: Final = "Untouched"
    TUNED: Final = "Yours"
    HASH: Final = "adapter {hash}"
    EMPTY: Final = "Ask something. Both answers will stand here side by side."
    NO_QUESTION_TITLE: Final = "There is no question yet"
    NO_QUESTION_DETAIL: Final = "Both models wait for one."
    NO_QUESTION_FIX: Final = "Type a question, then ask again."
    TOO_LONG_TITLE: Final = "This question is too long"
    TOO_LONG_DETAIL: Final = "It has {length} characters; the limit is {limit}."
    TOO_LONG_FIX: Final = "Shorten it and ask again."
    UNTRUSTED: Final = "Both answers are written by a model. Check what matters."
    SAME_ANSWER: Final = "Both answer the same."
    NO_ANSWER: Final = "(no answer)"
