"""Every sentence of what stands beside the promise: other plans, other machines, prices.

Beside `ui/text_plan.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final


class VariantText:
    """What another plan changes, and what that costs."""

    CHOSEN: Final = "Your plan"
    RECIPE: Final = "Teach it as “{title}”."
    KNOB: Final = "{title} {choice}."
    MODEL: Final = "Teach {name} instead."
    SMALLER_GIVES_UP: Final = (
        "A smaller model knows less. Your rows were counted with the present one, so the figures "
        "move a little once it is chosen."
    )
    LARGER_GIVES_UP: Final = (
        "A larger model learns more slowly. Your rows were counted with the present one, so the "
        "figures move a little once it is chosen."
    )
    PACKED_GIVES_UP: Final = "Answers may be slightly worse, because the model is packed smaller."
    PACKED_GIVES_UP_PROCESSOR: Final = (
        "Answers may be slightly worse, and without a graphics card it is slower."
    )
    UNPACKED_GIVES_UP: Final = "It needs more memory, and the model stays as it was made."
    ADAPTER_GIVES_UP: Final = (
        "Only a small added part learns. It picks up less than the whole model could, and the "
        "model forgets less."
    )
    WHOLE_GIVES_UP: Final = (
        "Every part learns: the result is as large as the model, and it forgets more of what it "
        "could before."
    )
    ROWS_WHOLE: Final = "Nothing is lost: your longest row still fits."


class OfferText:
    """Alternatives under the promise card."""

    TITLE: Final = "Other plans worth a look"
    NEAREST: Final = "The nearest plans that fit"
    NONE_FIT: Final = (
        "None of the other choices on this screen makes it fit. Go back to Model and choose a "
        "smaller one."
    )
    ROLES: Final = {
        "nearest": "Fits",
        "safer": "Surely fits",
        "faster": "Faster",
        "smaller": "Smaller",
        "better": "Better",
    }
    TIGHT: Final = "Fits, but it is tight"
    NEEDS: Final = "{memory}, {time}"
    NEEDS_MONEY: Final = "{needs}, {money}"
    GIVES_UP: Final = "What it means: {words}"
    TAKE: Final = "Take this plan"
    TAKE_SHORT: Final = "Take it"
    ELSEWHERE: Final = "What would help too, but cannot be chosen here:"
    WOULD_DO: Final = "What would do:"
    GONE_TITLE: Final = "This plan is no longer there"
    GONE_DETAIL: Final = "The model {name} was removed from this computer, or was never on it."
    GONE_FIX: Final = "Choose one of the plans that are shown now."


class ChartText:
    """All plans side by side, drawn and as a table."""

    FOLD: Final = "Compare all plans"
    LEAD: Final = (
        "Each plan is one choice away from yours. Press a point, or a button in the table, to take "
        "it."
    )
    X: Final = "memory of this computer, in GB"
    X_CARD: Final = "memory on each card, in GB"
    Y: Final = "time, in {unit}"
    Y_RATIO: Final = "time, each line 2 to 3 times the one below"
    FREE: Final = "free: {free}"
    ADAPTER: Final = "small adapter"
    PACKED: Final = "small adapter, packed model"
    WHOLE: Final = "whole model"
    HOVER: Final = "{words}\n{memory}, {time}\n{difference}"
    SENTENCE: Final = (
        "All with the model that you chose. Further left needs less memory, further down less "
        "time. The line joins the plans that none beats in both; it says nothing about how well "
        "they learn. Thin lines show how far the figures can be off."
    )
    LABEL: Final = "Plans by memory and time"
    YOUR_PLAN: Final = "your plan"
    LESS_MEMORY: Final = "{gap} less memory"
    MORE_MEMORY: Final = "{gap} more memory"
    SHORTER: Final = "{gap} shorter"
    LONGER: Final = "{gap} longer"
    SAME: Final = "no difference in memory or time"
    CAPTION: Final = "Your plan and every plan that is one choice away from it"
    COLUMN_PLAN: Final = "Plan"
    COLUMN_MEMORY: Final = "Memory"
    COLUMN_TIME: Final = "Time"
    COLUMN_MONEY: Final = "Cost"
    BEST: Final = "none beats it in both"
    YOURS: Final = "yours"


class CostText:
    """The small form for prices."""

    FOLD: Final = "Electricity and prices"
    WHY: Final = (
        "Money is worked out only from what you tell here. It stays on this computer; leave empty "
        "what you do not know."
    )
    PER_KWH: Final = "Price of a kilowatt-hour"
    PER_KWH_HINT: Final = "It stands on your electricity bill, such as 0.35."
    WATTS: Final = "Watts of the computer without its graphics cards"
    WATTS_HINT_CARD: Final = "Empty: 150 are assumed."
    WATTS_HINT: Final = "Without a graphics card nothing is assumed: a laptop draws about 40."
    PER_CARD_HOUR: Final = "Price of one rented card for an hour"
    PER_CARD_HOUR_HINT: Final = "For rented machines. Electricity is then not counted again."
    CURRENCY: Final = "Currency"
    CURRENCY_HINT: Final = "Such as EUR or $."
    SAVE: Final = "Keep these prices"
    SAVED: Final = "Kept. The promise above counts with them."
    NOT_A_NUMBER_TITLE: Final = "{field} is not a number"
    NOT_A_NUMBER_DETAIL: Final = "“{typed}” was typed."
    NOT_A_NUMBER_FIX: Final = "Type a number such as 0.35, or leave the field empty."


class MachineText:
    """Other models and other machines: what would fit where."""

    FOLD: Final = "Other models and machines"
    WHY: Final = (
        "What could you teach on this computer, and what on another? Each figure is for your rows "
        "and your choices above."
    )
    CARD: Final = "Graphics card"
    HERE: Final = "this computer"
    OTHER: Final = "a card that is not in the list"
    COUNT: Final = "How many"
    MEMORY: Final = "Its memory in GB"
    MEMORY_HINT: Final = "Such as 24."
    BANDWIDTH: Final = "Its memory speed in GB a second"
    BANDWIDTH_HINT: Final = "In the maker's data sheet, such as 936. Leave it empty to guess."
    NAME: Final = "One more model, by its name"
    NAME_HINT: Final = "As on the public hub, such as Qwen3-8B."
    SHOW: Final = "Show"
    TYPED: Final = "card with {memory} GB"
    NO_MODEL_TITLE: Final = "This model is not known"
    NO_MODEL_FIX: Final = "Check the name, or bring the model on the Model screen."
    NOT_YET_TITLE: Final = "Your rows are still being read"
    NOT_YET_FIX: Final = "Open this again in a moment."
    WAITING: Final = "Working it out"
    WHOLE_ON_EACH: Final = "each card holds all of it"
    SPLIT: Final = "split between the cards"
    SPLIT_AND_WAITING: Final = "split, and resting in the computer's memory"
    BLOCKED: Final = {
        "ram": "with {ram} of the computer's own memory",
        "disk": "the disk is too full",
    }
    NOT_A_CARD_TITLE: Final = "This card cannot be worked out"
    NOT_A_CARD_FIX: Final = "Type its memory from 1 to 1,000 GB and its speed from 10 to 100,000."
    NOT_A_CARD_DETAIL: Final = "“{typed}” was typed."
    NO_CARD_TITLE: Final = "Tell Tailor about the card"
    NO_CARD_DETAIL: Final = "It is not in the list, so its memory has to be typed."
    NO_CARD_FIX: Final = "Type its memory in GB, from 1 to 1,000, and its speed if you know it."
    MODEL: Final = "Model"
    SIZE: Final = "{parameters} parameters"
    CAPTION: Final = "What fits on {machine}"
    ONE_CARD: Final = "one {name}"
    MANY_CARDS: Final = "{count} x {name}"
    GUESSED: Final = "its shape is guessed from its size"
    EMPTY: Final = "No model is known for this."
    HOME_FOLD: Final = "Large models at home"
    HOME_WHY: Final = (
        "From 7 to 70 billion parameters, for your rows, in a computer with 128 GB of memory and "
        "one or two cards of 24 GB. Runs that are started here use one card; the second column "
        "says what both could do."
    )
    HOME_CAPTION: Final = "Time, memory and cost at home"
    UNKNOWN: Final = "not known"
