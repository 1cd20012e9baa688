"""Every sentence of the Check screen: what was noticed, what can be done, what the model will read.

In the form of `ui/text.py`, beside `text_data`, so that neither grows past one sitting's reading.
"""

from typing import Final


class CheckText:
    """Step 3: is it ready."""

    TITLE: Final = "Is it ready?"
    WHY: Final = (
        "Your rows are checked here, and you see exactly what the model will read. Ten minutes "
        "here save a wasted night."
    )
    WAIT_ROWS: Final = "Checking your rows"
    WAIT_READING: Final = "Looking at every row and setting some aside for the test."
    WAIT_TITLE: Final = "Reading your rows as the model will"
    WAIT_RENDER: Final = "Each model cuts text into its own pieces, so {model} reads them now."
    WAIT_FETCH: Final = (
        "No model is chosen yet, so the small starter model reads your rows. It is not on this "
        "computer yet and is fetched once."
    )
    WAIT_SHARE: Final = "{words} {percent} done."
    READ_BY: Final = "Read with {model}. With another model the lengths change a little."
    STAND_IN: Final = (
        "So says {model}, which reads your rows until you choose a model. Another one may be able "
        "to."
    )
    AGAIN: Final = "Try again"
    ACCOUNT: Final = "Where your rows go"
    FIGURE_TRAIN: Final = "rows to learn from"
    FIGURE_HELD_OUT: Final = "kept for the test"
    FIGURE_LEFT_OUT: Final = "left out"
    HELD_OUT_WHY: Final = (
        "The rows kept for the test are never learned from. Rows that are nearly alike stay on the "
        "same side."
    )
    NO_TEST: Final = "None are kept for the test: with so few rows no honest score is possible."
    LEFT_OUT: Final = "Why {count} rows are left out"
    LEFT_OUT_ONE: Final = "Why 1 row is left out"
    NONE_LEFT_OUT: Final = "0 rows left out: every row is used."
    ADDS_UP: Final = "{train} + {held_out} + {left_out} = {rows} rows read."
    FINDINGS: Final = "What we noticed"
    FINDINGS_NONE: Final = "Nothing is in the way. Every row has what it needs."
    LEVELS: Final = {"stop": "Must be settled", "warn": "Worth a look", "note": "Good to know"}
    LEVEL_COUNT: Final = "{level} ({count})"
    FINDING_MORE: Final = "Details"
    FINDING_ROWS: Final = "{count} rows"
    FINDING_ROW: Final = "1 row"
    EFFECT: Final = "If it stays: {effect}"
    EXAMPLES: Final = "Examples"
    SKIP: Final = "Leave it as it is"
    SKIP_LABEL: Final = "Leave it as it is: {title}"
    SKIPPED: Final = "Left as they are ({count})"
    LOOK_AGAIN: Final = "Look at it again"
    LOOK_AGAIN_LABEL: Final = "Look at it again: {title}"
    DONE: Final = "Done so far"
    DONE_WHY: Final = "Your files are untouched; each repair made a new version of the rows."
    UNDO: Final = "Undo"
    UNDO_LABEL: Final = "Undo: {words}"
    REQUESTS: Final = "On request"
    PERSONAL: Final = "Look for personal data"
    PERSONAL_WORDS: Final = (
        "E-mail addresses, telephone, account, card and national numbers; not people's names and "
        "street addresses. A model can repeat what it has read, so it is worth knowing before it "
        "learns. It takes a little longer and happens on this computer."
    )
    PERSONAL_DONE: Final = (
        "Personal data was looked for. No program finds all of it; the examples above are worth "
        "reading yourself."
    )
    MIXING: Final = "Learn from other data as well"
    MIXING_WHY: Final = (
        "Other examples of yours, and general questions so that it keeps its skills."
    )
    MIXING_OPEN: Final = "Choose other data"
    MIXING_NONE: Final = "Your other projects have no checked examples yet."
    MIXING_OF: Final = "{title} ({rows} rows)"
    WEIGHTS: Final = (
        ("0", "nothing from it"),
        ("0.25", "a quarter as many rows"),
        ("0.5", "half as many rows"),
        ("1", "as many rows as here"),
        ("2", "twice as many rows"),
        ("4", "four times as many rows"),
    )
    """How many rows of other data are learned beside these; no row comes twice."""
    GENERAL: Final = "Keep general skills"
    GENERAL_WHY: Final = (
        "Learning one thing makes a model a little worse at others. A share of general questions "
        "holds against it; 10 to 20 % is usual."
    )
    GENERAL_UNIT: Final = " %"
    SOURCES: Final = "What it learns from"
    SOURCE_HEADS: Final = ("Source", "Rows there", "Learned from", "Share")
    READING: Final = "What the model will read"
    READING_TABS: Final = {
        "typical": "A typical row",
        "longest": "The longest row",
        "strangest": "The strangest row",
    }
    READING_TABS_LABEL: Final = "Which row is shown"
    LEGEND_LEARNED: Final = "learned"
    LEGEND_READ: Final = "read only"
    LEGEND_END: Final = "end of the answer: here it learns to stop"
    LEGEND_CUT: Final = "cut off, never read"
    COUNTS: Final = "Row {row}: reads {read} pieces of words, learns to write {learned}."
    END_MARK: Final = "The end of the answer. The model learns to stop here."
    LENGTHS: Final = "How long your rows are"
    LENGTHS_UNIT: Final = (
        "Counted in pieces of words (real name: tokens); about four make three words."
    )
    LENGTHS_ALL_FIT: Final = (
        "The longest row has {longest} pieces. The model reads up to {limit}, so all fit whole."
    )
    LENGTHS_CUT: Final = (
        "{cut} of {rows} rows are longer than {limit} pieces. What comes after that is not read, "
        "and an answer that would break off is not learned."
    )
    LENGTHS_BAR: Final = "up to {edge} pieces: {count} rows"
    LENGTHS_LIMIT: Final = "limit {limit}"
    RAISE: Final = "Read up to {limit} pieces"
    RAISE_WHOLE: Final = "Nothing is cut then."
    RAISE_REST: Final = "{count} rows are longer still."
    RAISE_REST_ONE: Final = "1 row is longer still."
    RAISE_PRICE: Final = "It needs up to {bytes} more memory."
    RAISE_FREE: Final = "It needs hardly more memory."
    LEAVE_LONG: Final = "Leave these {count} rows out"
    LEAVE_WORDS: Final = "All others are read whole. It can be undone."
    EFFICIENT: Final = (
        "A piece holds {characters} characters of your text on average. English makes about 4, so "
        "this model reads your language at its best."
    )
    LESS_EFFICIENT: Final = (
        "A piece holds {characters} characters of your text on average, where English makes "
        "about 4. Your rows take about {times} times as much room and time as English ones of "
        "that length."
    )
    INEFFICIENT: Final = (
        "A piece holds only {characters} characters of your text, where English makes about 4. "
        "This model was hardly made for your language: your rows take about {times} times as much "
        "room and time. Another model may suit you better."
    )
    TEMPLATE: Final = "{percent} of what it reads only marks who speaks."
    WORDS: Final = "Words of your trade"
    WORDS_WHY: Final = (
        "These words stand often in your rows, but the model knows them only in pieces. It can "
        "learn the ones you tick as whole words. That pays for a few words that matter, in some "
        "hundred rows."
    )
    WORD_COUNT: Final = "{count} times, {pieces} pieces"
    WORDS_ADD: Final = "Learn the ticked words whole"
    WORDS_ADDED: Final = "Learned as whole words"
    WORD_REMOVE: Final = "Take out"
    WORD_REMOVE_LABEL: Final = "Take out: {word}"
    WORDS_MANY_TITLE: Final = "These are too many words"
    WORDS_MANY_DETAIL: Final = "{count} are chosen; {most} are the most that can be learned well."
    WORDS_MANY_FIX: Final = "Keep the ones that matter most."
    EXAM: Final = "The exam"
    EXAM_WHY: Final = (
        "These questions come from rows that the model never learns from. It answers them before, "
        "during and after learning."
    )
    EXAM_NONE: Final = "No rows could be kept for an exam. You can ask questions of your own."
    EXAM_QUESTION: Final = "Question"
    EXAM_EXPECTED: Final = "Expected"
    EXAM_ALL: Final = "Show all {count} questions"
    EXAM_YOURS: Final = "yours"
    EXAM_JUDGED_BY_YOU: Final = "judged by you"
    EXAM_REMOVE: Final = "Remove"
    EXAM_REMOVE_LABEL: Final = "Remove your question: {question}"
    OWN: Final = "Add a question of your own"
    OWN_QUESTION: Final = "Your question"
    OWN_EXPECTED: Final = "The answer you would accept"
    OWN_EXPECTED_INFO: Final = "Leave it empty if only you can judge the answer."
    OWN_ADD: Final = "Add to the exam"
    OWN_EMPTY_TITLE: Final = "The question is empty"
    OWN_EMPTY_DETAIL: Final = "There is nothing to ask yet."
    OWN_EMPTY_FIX: Final = "Write what you would ask the finished model."
    OWN_LONG_TITLE: Final = "The question is too long for the exam"
    OWN_LONG_DETAIL: Final = "{count} characters; {most} are the most."
    OWN_LONG_FIX: Final = "Shorten the question or the expected answer."
    OWN_TOO_MANY_TITLE: Final = "The exam has enough questions of yours"
    OWN_TOO_MANY_DETAIL: Final = (
        "Each question is answered many times while it learns; {most} are the most."
    )
    OWN_TOO_MANY_FIX: Final = "Remove one of yours first."
    CONTINUE: Final = "Continue with {rows} rows"
    CONTINUE_OFF: Final = "Not ready yet"
    PROMISE: Final = "They are kept as they are now; your files can change without harm."
    PROMISE_STOP: Final = "To settle first: {title}."
    PROMISE_UNREAD: Final = "It goes on when a model could read the rows."
    PROMISE_WAIT: Final = "It goes on when the rows are read."
    BACK: Final = "Back"
