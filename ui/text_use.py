"""Every sentence of the Use it screen: where the model is, how to take it along.

Beside `ui/text.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final


class UseText:
    """Step 8: folder, files to take along, a few lines of code."""

    TITLE: Final = "Where do you want to use it?"
    WHY: Final = "It is yours: it stays on this computer and works without Tailor."
    NO_MODEL_TITLE: Final = "There is no finished model yet"
    NO_MODEL_DETAIL: Final = "It stands here once a run has ended and its result was checked."
    NO_MODEL_FIX: Final = "Go back to Run to see how far it is."
    NO_RUN_FIX: Final = "Start a run from the plan first."
    TO_RUN: Final = "See how far the run is"
    TO_PLAN: Final = "See the plan"
    HOME: Final = "Back to all projects"
    HOME_HINT: Final = "Everything here stays as it is."
    FOLDER: Final = "Its folder on this computer"
    TAKE: Final = "Take it along"
    KINDS: Final = {
        "adapter": "Only what it learned",
        "merged": "The whole model",
    }
    KIND_EXPERT: Final = {"adapter": "adapter", "merged": "merged model"}
    KIND_WORDS: Final = {
        "adapter": "A small add-on. Whoever uses it also needs the model it was made from.",
        "merged": "Everything in one folder. Works wherever models of this kind work.",
    }
    MAKE: Final = {
        "adapter": "Make the add-on",
        "merged": "Make the whole model",
    }
    MAKE_NOTE: Final = "needs about {size} of disk"
    MAKING: Final = "Working on it"
    READY: Final = "Ready: {size}"
    DOWNLOAD: Final = "Download"
    PATH: Final = "Folder"
    CODE: Final = "Use it from Python"
    CODE_LEAD: Final = "Needs the packages {packages}."
    CODE_LABEL: Final = "Python"
    CODE_QUESTION: Final = "Your question"
    CODE_PATH: Final = "The path below is the real one."
    BACK: Final = "Back to the results"
    UNKNOWN_KIND: Final = "This cannot be made"
    UNKNOWN_KIND_WHY: Final = "The page asked for something that this version does not know."
    UNKNOWN_KIND_FIX: Final = "Reload the page and try again."
    ALREADY: Final = "Something is being made already"
    ALREADY_WHY: Final = "One thing at a time keeps the disk and the memory free for it."
    ALREADY_FIX: Final = "Wait until it is done, then start the next one."


class CopyText:
    """Copy buttons."""

    COPY: Final = "Copy"
    COPIED: Final = "Copied"
    COPY_WHAT: Final = "Copy: {what}"


class DownloadText:
    """The answer of a download that cannot be given."""

    NOT_MADE: Final = "This is not there to take along"
    NOT_MADE_WHY: Final = "It has not been made yet, or it is not yours."
    NOT_MADE_FIX: Final = "Open the screen Use it of the run and make it there."
