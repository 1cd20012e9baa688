"""Every sentence of the Plan screen: how strongly, what it will need, what happens at Start.

Beside `ui/text.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final


class PlanText:
    """Step 5: the question, the knobs, the promise, Start."""

    TITLE: Final = "How strongly should it learn?"
    WHY: Final = "Each choice changes what the run will need. The promise below follows at once."
    MEASURING: Final = "Reading your rows with this model, to know how long they are for it."
    MEASURING_FIX: Final = "Wait a moment, then start."
    START: Final = "Start: done {when}"
    BACK: Final = "Back"
    START_WAIT: Final = "Working it out"
    START_OFF: Final = "Start is not possible yet"
    START_HINT: Final = "You can stop at any time and keep what it learned."
    START_HINT_OFF: Final = "Nothing runs until the point above is settled."
    IN_WORDS: Final = "The plan in words"
    IN_WORDS_LEAD: Final = "What will be done, and the reason for each decision."
    EXPERT: Final = "For experts: method, settings, file"
    RECIPE: Final = "How it is taught"
    RECIPE_WHY: Final = "The suggested way suits nearly everyone."
    YAML_LEAD: Final = "The same run as a file. Save it as SPEC.yaml and start it from a terminal:"
    YAML_COMMAND: Final = "python app.py run SPEC.yaml"
    YAML_LABEL: Final = "SPEC.yaml"
    ARGUMENTS_LEAD: Final = "The settings that the libraries get:"
    CHECKS_NONE: Final = "Everything that was checked is fine."
    MISSING_DATA_TITLE: Final = "There are no examples yet"
    MISSING_DATA_DETAIL: Final = "A plan needs to know how many rows there are and how long."
    MISSING_DATA_FIX: Final = "Go back to Data and choose a file, or take the example."
    MISSING_MODEL_TITLE: Final = "No model is chosen yet"
    MISSING_MODEL_DETAIL: Final = "What a run needs depends most on the model."
    MISSING_MODEL_FIX: Final = "Go back to Model and choose one."
    MODEL_AWAY_TITLE: Final = "The chosen model is not on this computer"
    MODEL_AWAY_DETAIL: Final = "{name} has not been brought here, or its folder was moved."
    MODEL_AWAY_FIX: Final = "Go back to Model and bring it again, or choose another."
    NONSENSE_TITLE: Final = "This plan cannot be carried out"
    NONSENSE_FIX: Final = "Change one of the choices above, or look at the rows on Check again."
    BLOCKED_TITLE: Final = "Start is not possible yet"


class PromiseText:
    """The promise card."""

    TITLE: Final = "What this run will need"
    VERDICT: Final = {
        "fits": "It fits",
        "tight": "It is tight",
        "will_not_fit": "It will not fit",
    }
    SHORT_VERDICT: Final = {"fits": "fits", "tight": "tight", "will_not_fit": "will not fit"}
    MEMORY_OF: Final = {
        "cpu": "Memory of this computer.",
        "cuda": "Memory of the graphics card.",
        "mps": "Memory of this computer.",
    }
    MEMORY_OF_CARDS: Final = "Memory of the {count} graphics cards that share the work."
    PHASE: Final = "It is fullest {phase}."
    MEMORY_FIGURE: Final = "{needs} of {free} free"
    FULLEST: Final = "{figure} on the fullest card"
    CARD_NAME: Final = "Card {number}: {name}"
    FREE_LINE: Final = "free: {free}"
    OTHERS: Final = "used by other programs: {others}"
    RANGE: Final = "up to here in the worst case"
    PARTS: Final = {
        "weights": ("the model itself", "weights"),
        "adapter": ("what it adds", "adapter"),
        "optimizer": ("learning notes", "optimizer"),
        "activations": ("rows being read", "activations"),
        "loss": ("checking answers", "logits"),
        "sharding": ("lent between cards", "gathered pieces"),
        "overhead": ("programs", "overhead"),
    }
    TIME: Final = "Time"
    TIME_DONE: Final = "done {when}"
    DISK: Final = "Disk"
    DISK_FREE: Final = "{free} free"
    RAM: Final = "Memory of the computer"
    RAM_FREE: Final = "{free} free now"
    DOWNLOAD: Final = "Download"
    DOWNLOAD_NOTE: Final = "once, before it starts"
    ENERGY: Final = "Electricity"
    KWH: Final = "{kwh} kWh"
    KWH_LESS: Final = "below 0.01 kWh"
    MONEY: Final = "Cost"
    MONEY_LESS: Final = "below 0.01 {currency}"
    NO_PRICE: Final = "no price set"
    ANSWERS: Final = "Answers to look at"
    ANSWERS_NOTE: Final = "{questions} questions, asked {times} times"
    PROVENANCE: Final = {
        "closed_form": "Worked out from sizes and lengths; not yet measured on this computer.",
        "trace": "Memory checked exactly: one real step was followed, byte by byte, without "
        "starting it.",
        "measured_here": "Corrected by what earlier runs on this computer really took.",
        "dry_run": "Measured on this computer in a short try with your longest rows.",
        "live": "Measured while it runs.",
    }
    FROM_RUN: Final = "measured on this computer (from 1 run)"
    FROM_RUNS: Final = "measured on this computer (from {runs} runs)"
    ASSUMED: Final = "What was assumed"
    BAR: Final = "Memory by part: {parts}. {free} is free."


class ExactText:
    """The exact check of a plan's memory."""

    BUTTON: Final = "Check exactly"
    NOTE: Final = "Follows one real step byte by byte, in about ten seconds. Nothing is started."
    RUNNING: Final = "Following one real step byte by byte. It takes about ten seconds."
    REFUSED: Final = "An exact check was not possible: {why}"
