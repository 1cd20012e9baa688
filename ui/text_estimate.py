"""Every sentence of `python app.py estimate`: the promise on a terminal, and what is wrong with a
question.

Words that the Plan screen says too come from `ui/text_plan.py`; here is what only a terminal needs.
"""

from typing import Final


class EstimateText:
    """The table, its labels and its last words."""

    HEAD: Final = "{model}, {technique}, on {machine}"
    TECHNIQUES: Final = {
        "full": "the whole model learns",
        "lora": "a small adapter learns",
        "qlora": "a small adapter learns on a packed model",
    }
    ONE_CARD: Final = "one {card}"
    CARDS: Final = "{count} x {card}"
    PROCESSOR: Final = "{processor} without a graphics card"
    GENERIC: Final = (
        "This model is not in our table. A common shape of {billions} billion weights is taken in "
        "its place, so every figure is rougher."
    )
    MEMORY: Final = "Memory"
    MEMORY_ONE: Final = "{needs} of {free} free"
    MEMORY_EACH: Final = "{needs} of {free} free, on each card"
    PLAN: Final = "Plan"
    FEEDING: Final = (
        "{rows} rows a step on each card, {micro} at a time, up to {tokens} tokens a row."
    )
    FEEDING_ALONE: Final = "{rows} rows a step, {micro} at a time, up to {tokens} tokens a row."
    TWICE: Final = "{twice} of {layers} layers are computed twice."
    SHARED: Final = {
        "ddp": "Each card holds the whole model (DDP).",
        "zero1": "Cards share the learning notes (ZeRO-1).",
        "zero2": "Cards share learning notes and gradients (ZeRO-2).",
        "fsdp": "The model is split over the cards (FSDP).",
        "fsdp_offload": "The model waits in the computer's memory (FSDP with CPU offload).",
    }
    STEPS: Final = "{steps} steps of {each}, and loading, exams and saving around them"
    STEP: Final = "one step of {each}"
    STEP_SECONDS: Final = "{each} seconds"
    PASSES: Final = "Each row is read {times} times."
    PASS: Final = "Each row is read once."
    VERDICT: Final = "Verdict"
    ADVICE: Final = "Advice"
    ASSUMED: Final = "Assumed"
    FITTING: Final = "The nearest plans that fit"
    BETTER: Final = "There is room for more"
    NOTHING: Final = "Nothing near it fits"
    WOULD_DO: Final = "Ways out"
    RAM: Final = "RAM"
    RAM_OF: Final = "{needs} of {free} free"
    ROWS_ASSUMED: Final = (
        "All {rows} rows are taken to have {tokens} tokens, half of them learned. Real rows are "
        "shorter on average, which takes less time."
    )
    ROWS_DEFAULT: Final = "Nobody told how many rows there are: {rows} are taken (--rows)."
    LENGTH_DEFAULT: Final = "Nobody told how long a row is: {tokens} tokens are taken (--length)."
    LENGTH_CUT: Final = "This model reads {tokens} tokens at most, so longer rows are cut."
    RAM_DEFAULT: Final = "The computer around the card is taken to have {ram} GB of memory (--ram)."
    DISK_DEFAULT: Final = "Its disk is taken to have {disk} GB free."
    CARD_TOLD: Final = (
        "The card is not in our table: memory and bandwidth are taken as told, and its speed is "
        "guessed."
    )


class AskedText:
    """What is wrong with a question, and how to ask it."""

    WHAT_TITLE: Final = "Tailor needs to know what to estimate"
    WHAT_DETAIL: Final = "Neither a spec file nor a model was named."
    WHAT_FIX: Final = (
        'Give one of them: python app.py estimate SPEC.yaml, or --model NAME --gpu "RTX 3090".'
    )
    BOTH_TITLE: Final = "Ask either by a spec file or by options"
    BOTH_DETAIL: Final = "The spec file {path} says already what {option} says."
    BOTH_FIX: Final = "Leave one of them out, or change the file."
    MODEL_TITLE: Final = "Tailor does not know this model"
    MODEL_FIX: Final = (
        "Check the name, or give its size with --params-b, such as --params-b 7 for 7 billion "
        "weights. A common shape of that size is then taken."
    )
    SIZE_TITLE: Final = "This model has another size"
    SIZE_DETAIL: Final = "{model} has {billions} billion weights."
    SIZE_FIX: Final = "Leave --params-b out; it is for models that Tailor does not know."
    BATCH_TITLE: Final = "A step cannot learn from more rows than there are"
    BATCH_DETAIL: Final = (
        "{wanted} rows a step were asked for, and there are {rows} rows to learn from. A tenth is "
        "held back for the test."
    )
    BATCH_FIX: Final = "Choose a smaller --batch, or leave it out."
    CARD_KNOWN_TITLE: Final = "Tailor knows this graphics card"
    CARD_KNOWN_DETAIL: Final = "The memory and the speed of {card} are in its table."
    CARD_KNOWN_FIX: Final = (
        "Leave --memory-gb and --bandwidth out, or leave --gpu out for a card of your own figures."
    )
    CARD_DETAIL: Final = "Its memory alone says nothing about its speed."
    CARD_TITLE: Final = "Tailor does not know this graphics card"
    CARD_FIX: Final = (
        "Check the name, or tell what its maker says: --memory-gb for its memory and --bandwidth "
        "for GB a second, such as --memory-gb 24 --bandwidth 936."
    )
    NUMBER_TITLE: Final = "One of the numbers makes no sense"
    LEAST: Final = "{option} is {value}; it must be at least {least}."
    MOST: Final = "{option} is {value}; more than {most} is not a real figure."
    NUMBER_FIX: Final = "Change {option}."
    GPUS_TITLE: Final = "Which graphics cards?"
    GPUS_DETAIL: Final = "{count} cards were asked for and none was named."
    GPUS_FIX: Final = 'Name one, such as --gpu "RTX 3090", or leave --gpus out for this computer.'
    SHARE_TITLE: Final = "A step cannot be shared evenly"
    SHARE_DETAIL: Final = "{rows} rows a step cannot be divided among {cards} cards."
    SHARE_FIX: Final = "Choose --batch as a multiple of {cards}."
    SHARING_TITLE: Final = "One card has nobody to share with"
    SHARING_DETAIL: Final = "--sharding {sharding} was asked for, and there is one card or none."
    SHARING_FIX: Final = "Leave --sharding out, or ask for more cards with --gpus."
    PRICE_TITLE: Final = "Two prices for the same run"
    PRICE_DETAIL: Final = "A rented card's price holds its electricity already."
    PRICE_FIX: Final = "Give either --tariff or --card-hour."
    PLAN_TITLE: Final = "This plan cannot be carried out"
    PLAN_FIX: Final = "Change the number that is named."
    AWAY_TITLE: Final = "This model is not on this computer"
    AWAY_DETAIL: Final = (
        "{model} would have to be fetched first, to count your rows with its tokenizer."
    )
    AWAY_FIX: Final = (
        "Bring it in the wizard, or ask without it: python app.py estimate --model {model} "
        "--rows N --length TOKENS."
    )
