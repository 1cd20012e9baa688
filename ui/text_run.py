"""Every sentence of the Run screen: what is happening, how long, what each button will do.

Beside `ui/text.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final


class RunText:
    """Step 6: status, curve, answers, diary."""

    TITLE: Final = "How is it going?"
    NO_RUN_TITLE: Final = "Nothing has been started yet"
    NO_RUN_DETAIL: Final = "This screen shows a run while it learns."
    NO_RUN_FIX: Final = "Go back to Plan and start one."
    CLOSE_BANNER: Final = (
        "You can close this window. The run goes on, and this page shows it again at any time."
    )
    FINISH: Final = "Finish and keep"
    DISCARD: Final = "Stop and discard"
    CANCEL: Final = "Cancel this run"
    RESUME: Final = "Resume from the last saved step"
    OF: Final = "{title}, with {model}"
    RESULTS: Final = "See results"
    ASK_DISCARD: Final = "Discard this run? {lost} will be lost. There is no way back."
    ASK_CANCEL: Final = "Cancel this run? It has not learned anything yet, so nothing is lost."
    LOST_STEPS: Final = "What it learned in {steps} steps and {time}"
    DISCARD_YES: Final = "Yes, discard it"
    DISCARD_NO: Final = "No, go on"
    CURVE: Final = "How many mistakes it makes"
    STRIP: Final = "Its answers to your exam, as it learns"
    DIARY: Final = "Diary"
    DIARY_EMPTY: Final = "What happens will be written here."
    LOG: Final = "For experts: the run's own output"
    LOG_REFRESH: Final = "Read it again"
    LOG_EMPTY: Final = "Nothing was printed yet."
    PHASES: Final = {
        "load": "Load the model",
        "prepare": "First exam",
        "rehearsal": "Rehearse",
        "train": "Learn",
        "prove": "Check the saved model",
        "finish": "Put it away",
    }
    PHASES_LABEL: Final = "Parts of the run"
    FIGURE_TIME_LEFT: Final = "Time left"
    FIGURE_TIME_SPENT: Final = "Time so far"
    FIGURE_MEMORY: Final = "Memory in use"
    FIGURE_PEAK: Final = "Memory at its highest"
    FIGURE_MEMORY_NOTE: Final = "promised: {low_high}"
    FIGURE_SPEED: Final = "Speed"
    FIGURE_SPEED_VALUE: Final = "{words} words/s"
    FIGURE_SPEED_NOTE: Final = "{tokens} tokens/s"
    FIGURE_STEP: Final = "Steps"
    FIGURE_STEP_VALUE: Final = "{step} of {steps}"
    FIGURE_STEP_NOTE: Final = "{percent} done"
    UNKNOWN: Final = "not known yet"


class StatusText:
    """One sentence a status; the engine's own reason follows where it says more."""

    QUEUED_NEXT: Final = "Next in line. It starts as soon as the run before it is done."
    QUEUED: Final = "{place} in line. It starts after the runs before it."
    LEASING: Final = "Waiting for a free place on this computer."
    STARTING: Final = "Getting ready."
    RUNNING: Final = "Step {step} of {steps}. Done {when}."
    RUNNING_SOON: Final = "Step {step} of {steps}. The time left is not known yet."
    STOPPING: Final = "Saving what it learned."
    FINISHING: Final = "Checking that the saved model answers as it should."
    STOPPED: Final = "Stopped at step {step}. What it learned until then is kept."
    STOPPED_NOTHING: Final = "Stopped. Nothing was kept."
    RETRY_WAIT: Final = "It will try again by itself."
    SUCCEEDED: Final = "Done in {time}; estimated {estimated}."
    SUCCEEDED_MEMORY: Final = "It used {peak} of the {needs} that were promised."
    FAILED: Final = "The run ended before it was done."
    LOST: Final = "The folder of this run is gone from this computer."
    WORDS: Final = {
        "queued": "In line",
        "leasing": "Waiting",
        "starting": "Getting ready",
        "running": "Learning",
        "stopping": "Saving",
        "finishing": "Checking",
        "stopped": "Stopped",
        "succeeded": "Done",
        "failed": "Stopped by a problem",
        "retry_wait": "Trying again",
        "lost": "Gone",
    }


class CurveText:
    """Words in and under the live chart."""

    HELD_OUT: Final = "rows it has never seen"
    TRAIN: Final = "rows it learns from"
    BEST: Final = "kept"
    X: Final = "steps"
    Y: Final = "mistakes (fewer is better)"
    Y_EXPERT: Final = "loss"
    WAITING: Final = "Waiting for the first step"
    WAITING_SENTENCE: Final = (
        "The curve starts with the first step. Two lines will stand here: mistakes on the rows it "
        "learns from, and on rows it has never seen. The second one counts."
    )
    ENDED_EMPTY: Final = "This run ended before its first step, so there is no curve."
    UNTOUCHED: Final = (
        "The untouched model stands at {first} on rows it has never seen. The lines start with the "
        "first step."
    )
    NO_CHECK: Final = "It ended before its first check on rows that it has never seen."
    FIRST_POINTS: Final = (
        "The first steps are in. The line that counts, for rows it has never seen, starts with the "
        "first check."
    )
    DOWN: Final = "Still learning: mistakes on rows it has never seen went from {first} to {last}."
    UP: Final = (
        "Since step {best} it makes more mistakes on rows it has never seen: it starts to learn by "
        "heart. The version of step {best} is kept."
    )
    FLAT: Final = (
        "Nearly level: mistakes on rows it has never seen hardly change any more ({last})."
    )
    ENDED: Final = (
        "Mistakes on rows it has never seen went from {first} to {best_value}. The version of step "
        "{best} is kept."
    )
    NOT_BETTER: Final = (
        "Mistakes on rows it has never seen did not fall below the {first} of the untouched model."
    )


class StripText:
    """The film strip of exam answers."""

    BEFORE: Final = "Before"
    STEP: Final = "Step {step}"
    KEPT: Final = "kept"
    SCORE: Final = "{score} of 100"
    QUESTION: Final = "Question"
    EXPECTED: Final = "Expected:"
    RIGHT: Final = "right"
    WRONG: Final = "wrong"
    PARTLY: Final = "partly right"
    NOT_ENDED: Final = "did not end by itself"
    EMPTY_ANSWER: Final = "(no answer)"
    WAITING: Final = "to come"
    EMPTY: Final = (
        "Before it learns, the untouched model answers your exam. Its answers will stand here, and "
        "beside them the new ones at each check."
    )
    NO_EXAM: Final = "This run has no exam questions, so there are no answers to compare."
    CAPTION: Final = "Answers of the model at each check; changed words are underlined."
