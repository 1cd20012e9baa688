"""Every sentence around the screens and on Home, Goal and Model, one class a screen.

Sentences are kept together so that they can be read as one voice and checked by tests: no jargon
on the main path, no key unused or missing. Longer screens have a `text_<screen>.py` of their own in
the same form. Pages and views read from here and write none inline.
"""

from typing import Final

from tailor.recipes.spec import Goal


class ShellText:
    """Around every screen."""

    PRODUCT: Final = "Tailor"
    STEPS: Final = ("Goal", "Data", "Check", "Model", "Plan", "Run", "Results", "Use it")
    STEP_OF: Final = "Step {step} of {steps}: {title}"
    RAIL_LABEL: Final = "Steps of this project"
    CHOICES_TITLE: Final = "Your choices so far"
    CHOICES_EMPTY: Final = "What you choose will be listed here."
    CHOICE_GOAL: Final = "Goal"
    CHOICE_DATA: Final = "Examples"
    CHOICE_DATA_ROWS: Final = "{title}: {train} to learn from, {held_out} kept for the test"
    CHOICE_MODEL: Final = "Model"
    CHOICE_QUESTIONS: Final = "Your own exam questions"
    LOOK: Final = "Light or dark"
    HOME: Final = "All projects"
    STEP_LATER: Final = "This step opens when the ones before it are answered."
    OPENING: Final = "Opening the project"
    BAD_ADDRESS_TITLE: Final = "This address does not belong to a project"
    BAD_ADDRESS_DETAIL: Final = "Part of it is missing or was changed."
    BAD_ADDRESS_FIX: Final = "Open the project from the list of all projects."


class HomeText:
    """The first page."""

    TITLE: Final = "Fit a model to your own work"
    WHY: Final = (
        "Show Tailor examples of how you do it. A language model learns from them, on this "
        "computer, and nothing leaves it."
    )
    NEW: Final = "New project"
    EXAMPLE: Final = "Try the example"
    EXAMPLE_WORDS: Final = (
        "The example teaches a small model to turn free maintenance notes into a fixed short form: "
        "about 300 rows, a few minutes."
    )
    CONTINUE: Final = "Continue"
    CONTINUE_EMPTY: Final = "Your projects will stand here, each with the next thing to do."
    PROJECTS_LABEL: Final = "Projects"
    UNTITLED: Final = "Untitled project"
    DRAFT_SENTENCES: Final = (
        "The goal is still open.",
        "The goal is set. It needs your examples next.",
        "The examples are there. Next: look at what the model will read.",
        "The examples are checked. Next: choose the model that learns.",
        "Everything is chosen. Next: see what it will cost, then start.",
    )
    DRAFT_ACTIONS: Final = (
        "Choose the goal", "Show your examples", "Check the examples", "Choose a model",
        "See the plan",
    )  # fmt: skip
    RUN_WATCH: Final = "Watch it learn"
    RUN_RESULTS: Final = "See results"
    RUN_LOOK: Final = "See what happened"
    REMOVE: Final = "Remove"
    REMOVE_LABEL: Final = "Remove the project {title}"
    REMOVE_ASK: Final = "Remove “{title}”? Its answers to the steps are lost; its examples stay."
    REMOVE_YES: Final = "Yes, remove it"
    REMOVE_NO: Final = "Keep it"
    DELETE: Final = "Delete"
    DELETE_LABEL: Final = "Delete the run of {title}"
    DELETE_ASK: Final = (
        "Delete this run of “{title}”? It frees {size} on the disk: what the model learned, its "
        "curve and its answers go for good. Your examples and the model it began with stay."
    )
    DELETE_YES: Final = "Yes, delete it"
    JUST_NOW: Final = "just now"
    AGO: Final = "{time} ago"
    COMPUTER: Final = "This computer"
    COMPUTER_LABEL: Final = "What this computer has"
    CARD: Final = "Graphics card"
    CARD_FREE: Final = "{free} free of {whole}"
    MEMORY: Final = "Memory"
    DISK: Final = "Disk"
    DISK_FREE: Final = "{free} free"
    PROCESSOR: Final = "Processor"
    CORES: Final = "{cores} cores"
    NO_CARD: Final = (
        "No graphics card was found, so learning runs on the processor: small models work, large "
        "ones would take days."
    )
    WITH_CARD: Final = "Learning runs on the graphics card."
    ENGINE_AWAY: Final = "This computer could not be read just now."


class GoalText:
    """Step 1: what should it get better at."""

    TITLE: Final = "What should the model get better at?"
    WHY: Final = "It decides how the model is taught and how its exam is scored."
    LEGEND: Final = "Choose what comes closest"
    SUGGESTED: Final = "most common"
    CARDS: Final[dict[Goal, tuple[str, str, str]]] = {
        "answer": (
            "Answer like our experts",
            "Questions come in, answers go out the way your experts write them.",
            "“Can we return opened filters?” becomes the answer your service desk would give.",
        ),
        "format": (
            "Follow a format, fill in fields",
            "Free text comes in, a fixed short form goes out.",
            "“pump 3 loud again, bearing?” becomes “P-03 | noise | check bearing”.",
        ),
        "classify": (
            "Sort or tag",
            "Each text gets one of your labels.",
            "“Invoice is wrong again” becomes “billing”.",
        ),
        "style": (
            "Write in our style",
            "Notes come in, text in your house style goes out.",
            "Three bullet points become the paragraph your editor would print.",
        ),
    }
    """Title, one line, an example."""
    FACTS: Final[dict[Goal, tuple[str, str, str]]] = {
        "answer": (
            "50 examples to try it, 500 to rely on it",
            "Scored by how close its answers come to theirs",
            "Will not reliably remember facts; searching your documents is better for that",
        ),
        "format": (
            "50 examples to try it, 300 to rely on it",
            "Scored by how much of the form is exactly right",
            "Will not know whether what it fills in is true",
        ),
        "classify": (
            "10 examples a label to try it, 100 a label to rely on it",
            "Scored by how many labels are right",
            "Will not find labels that your examples do not show",
        ),
        "style": (
            "50 examples to try it, 500 to rely on it",
            "Scored by how close its text comes to yours; the final judge is you",
            "Will not learn your facts, only your way of writing",
        ),
    }
    """Rows needed, how it is scored, what it will not do."""
    WISH: Final = "In your own words, if you like"
    WISH_INFO: Final = "It becomes the name of this project."
    WISH_PLACEHOLDER: Final = "Turn our shift notes into the short form we file"
    CONTINUE: Final = "Continue to your examples"
    PROMISE: Final = "Nothing is decided for good: you can come back and change it."


class ModelText:
    """Step 4: which model should learn."""

    TITLE: Final = "Which model should learn?"
    WHY: Final = (
        "A larger model knows more and learns more slowly. Start small: you can run again with a "
        "larger one on the same examples."
    )
    LEGEND: Final = "Models on this computer"
    SUGGESTED: Final = "suggested for a first try"
    LICENCE: Final = "Licence: {licence}"
    LICENCE_UNKNOWN: Final = "Licence: the model's folder does not say"
    SIZE: Final = "{bytes} on disk, {parameters} parameters"
    TO_FETCH: Final = "{bytes} to download, once"
    NOT_HERE: Final = "Not on this computer yet"
    FETCH: Final = "Download it ({bytes})"
    FETCH_PLAIN: Final = "Download it"
    FETCHING: Final = "Getting the model"
    FETCH_WAIT: Final = "This can take a few minutes. You can go on looking around meanwhile."
    VERDICTS: Final = {
        "fits": "Fits: about {low_high} of {free} free, {time}",
        "tight": "Tight: about {low_high} of {free} free, {time}",
        "will_not_fit": "Will not fit: it needs about {low_high}, {free} are free",
    }
    VERDICT_LATER: Final = "Whether it fits is worked out once your examples are checked"
    NO_TEMPLATE: Final = (
        "It was never taught to hold a conversation; a model whose name ends in “Instruct” learns "
        "this more easily"
    )
    OTHER: Final = "Use another model"
    OTHER_WHY: Final = (
        "A folder on this computer, or the name of a model on the public hub. Only weights in the "
        "safetensors form are read, and a model may not bring program code along."
    )
    FOLDER: Final = "Folder on this computer"
    FOLDER_PLACEHOLDER: Final = "/home/me/models/my-model"
    FOLDER_ADD: Final = "Add this folder"
    HUB: Final = "Name on the hub"
    HUB_PLACEHOLDER: Final = "HuggingFaceTB/SmolLM2-360M-Instruct"
    HUB_ADD: Final = "Download from the hub"
    EMPTY_VALUE_TITLE: Final = "There is nothing to look for yet"
    EMPTY_VALUE_DETAIL: Final = "The field is empty."
    EMPTY_VALUE_FIX: Final = "Write the folder or the name of the model into it."
    CONTINUE: Final = "Continue to the plan"
    CONTINUE_OFF: Final = "Choose a model first"
    PROMISE: Final = (
        "Next you see what learning will need on this computer, before anything starts."
    )
    PROMISE_OFF: Final = "Choose one of the models above, or add another."
    BACK: Final = "Back"
    NONE_TITLE: Final = "No model is chosen yet"
    NONE_DETAIL: Final = "The plan depends on the model more than on anything else."
    NONE_FIX: Final = "Choose one of the cards."


class StartText:
    """What `python app.py` prints."""

    READY: Final = (
        "{told}Tailor is ready. Open this link:\n\n  {address}\n\n"
        "Stop with Ctrl+C; runs go on without it."
    )
    CLOSED: Final = "The wizard is closed. Runs go on; python app.py opens it again."
    PORT_TAKEN: Final = "Port {wanted} is held by another program, so port {port} is used."
    NO_PORT_TITLE: Final = "No free port was found"
    NO_PORT_DETAIL: Final = "Ports {first} to {last} are all held by other programs."
    NO_PORT_FIX: Final = "Name another one with: python app.py --port 9000"
    DOOR_TITLE: Final = "The wizard does not open itself to the network"
    DOOR_DETAIL: Final = "The environment sets {name}={value}, which would let others in."
    DOOR_FIX: Final = (
        "Remove it with: unset {name}. To reach this computer from another one, use ssh -L."
    )
