"""Every sentence of the Data and Check screens: what was found, what the model will read.

Beside `ui/text.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final


class DataText:
    """Step 2: show us your examples."""

    TITLE: Final = "Show us your examples"
    WHY: Final = (
        "The model learns from pairs: what comes in, and what should go out. Your file stays on "
        "this computer and is never changed."
    )
    DROP: Final = "Drop a file here, or click to choose one"
    LIMIT: Final = (
        "A table (CSV) or records (JSON, JSONL), up to {bytes}. A good start is 50 rows or more, "
        "with a header line."
    )
    NO_FILE_YET: Final = "Nothing at hand?"
    EXAMPLE: Final = "Use the built-in example"
    EXAMPLE_WORDS: Final = "About 300 maintenance notes and the short forms they should become."
    READING_TITLE: Final = "Reading your file"
    READING: Final = "Looking at its form, its columns and its rows."
    OTHER_FILE: Final = "Choose another file"
    FOUND_TITLE: Final = "What was found"
    FIRST_ROWS: Final = "The first rows"
    ROW_ORIGIN: Final = "Where"
    MORE_COLUMNS: Final = "and {count} more columns"
    MAPPING_TITLE: Final = "Which column is what?"
    MAPPING_GUESSED: Final = "Our guess: {why}"
    SHAPE: Final = "Each row is"
    SHAPES: Final = {
        "question_answer": "a question and its answer",
        "chat": "a whole conversation in one column",
        "text": "running text to learn as it is",
    }
    QUESTION: Final = "What comes in (question)"
    ANSWER: Final = "What should go out (answer)"
    CONTEXT: Final = "Background put before the question"
    SYSTEM: Final = "Standing instructions, row by row"
    MESSAGES: Final = "Column with the conversation"
    PLAIN: Final = "Column with the text"
    INSTRUCTION: Final = "One standing instruction for all rows"
    INSTRUCTION_INFO: Final = "Optional. It is put before every question, in learning and in use."
    INSTRUCTION_PLACEHOLDER: Final = "Rewrite the note as: equipment | problem | action"
    NO_COLUMN: Final = "none"
    MORE: Final = "More choices"
    PREVIEW_TITLE: Final = "So this is what the model will learn from"
    PREVIEW_WHY: Final = (
        "Three finished examples, made from your rows. Does the answer stand where it should?"
    )
    PREVIEW_EMPTY: Final = "Choose the two columns above, and three finished examples stand here."
    PREVIEW_ROW: Final = "Row {row}"
    PREVIEW_TAB: Final = "Example {number}"
    ROLES: Final = {"system": "instruction", "user": "comes in", "assistant": "goes out"}
    ROLE_TEXT: Final = "text"
    EMPTY_TURN: Final = "(empty)"
    YES: Final = "Yes, this is right"
    YES_OFF: Final = "Waiting for your examples"
    PROMISE: Final = "{rows} rows are checked, and a part of them is kept aside for the test."
    PROMISE_OFF: Final = "It goes on when your examples are here."
    BACK: Final = "Back"
    NONE_TITLE: Final = "There are no examples yet"
    NONE_DETAIL: Final = "The next step checks them."
    NONE_FIX: Final = "Drop a file above, or use the built-in example."
    NO_ANSWER_TITLE: Final = "No column is chosen for the answer"
    NO_ANSWER_DETAIL: Final = "The model can only learn answers that it is shown."
    NO_ANSWER_FIX: Final = "Choose the column whose text should come out."
    NO_QUESTION_TITLE: Final = "No column is chosen for what comes in"
    NO_QUESTION_DETAIL: Final = "Without it the model would learn answers to nothing."
    NO_QUESTION_FIX: Final = "Choose the column whose text the model will be given."
    SAME_COLUMN_TITLE: Final = "One column is used for both sides"
    SAME_COLUMN_DETAIL: Final = "“{column}” is chosen as what comes in and as what should go out."
    SAME_COLUMN_FIX: Final = "Choose two different columns."
    UPLOAD_LOST_TITLE: Final = "The file did not arrive whole"
    UPLOAD_LOST_DETAIL: Final = "The browser handed over no readable file."
    UPLOAD_LOST_FIX: Final = "Drop it once more."


class CheckText:
    """Step 3: is it ready."""

    TITLE: Final = "Is it ready?"
    WHY: Final = "This is exactly what the model will read. Ten minutes here save a wasted night."
    WAIT_TITLE: Final = "Reading your rows as the model will"
    WAIT_READING: Final = "Checking the rows and setting some aside for the test."
    WAIT_RENDER: Final = "Each model cuts text into its own pieces, so {model} reads them now."
    WAIT_FETCH: Final = (
        "No model is chosen yet, so the small starter model reads your rows. It is not on this "
        "computer yet and is fetched once."
    )
    READ_BY: Final = "Read with {model}. With another model the lengths change a little."
    AGAIN: Final = "Try again"
    FIGURE_TRAIN: Final = "rows to learn from"
    FIGURE_HELD_OUT: Final = "kept for the test"
    FIGURE_LEFT_OUT: Final = "left out"
    FIGURE_CUT: Final = "cut off"
    FINDINGS: Final = "What we noticed"
    FINDINGS_NONE: Final = "Nothing is in the way. Every row has both sides and fits whole."
    LEVELS: Final = {"stop": "Must be settled", "warn": "Worth a look", "note": "Good to know"}
    FINDING_MORE: Final = "Details"
    READING: Final = "What the model will read"
    READING_TABS: Final = {
        "typical": "A typical row",
        "longest": "The longest row",
        "strangest": "The strangest row",
    }
    READING_TABS_LABEL: Final = "Which row is shown"
    LEGEND_LEARNED: Final = "learned"
    LEGEND_READ: Final = "read only"
    LEGEND_END: Final = "end: here it learns to stop"
    LEGEND_CUT: Final = "cut off, never read"
    COUNTS: Final = "Row {row}: reads {read} pieces of words, learns to write {learned}."
    END_MARK: Final = "end"
    LENGTHS: Final = "How long your rows are"
    LENGTHS_UNIT: Final = "pieces of words (real name: tokens); about four make three words"
    LENGTHS_ALL_FIT: Final = (
        "The longest row has {longest} pieces. The model reads up to {limit}, so all fit whole."
    )
    LENGTHS_CUT: Final = (
        "{cut} of {rows} rows are longer than {limit} pieces. What comes after that is not read."
    )
    LENGTHS_BAR: Final = "up to {edge} pieces: {count} rows"
    LENGTHS_LIMIT: Final = "limit {limit}"
    EXAM: Final = "The exam"
    EXAM_WHY: Final = (
        "These questions come from rows that the model never learns from. It answers them before, "
        "during and after learning."
    )
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
    OWN_TOO_MANY_TITLE: Final = "The exam has enough questions of yours"
    OWN_TOO_MANY_DETAIL: Final = (
        "Each question is answered many times while it learns; {most} are the most."
    )
    OWN_TOO_MANY_FIX: Final = "Remove one of yours first."
    CONTINUE: Final = "Continue with {rows} rows"
    CONTINUE_OFF: Final = "Not ready yet"
    PROMISE: Final = "They are kept as they are now; your file can change without harm."
    PROMISE_STOP: Final = "Settle what is marked “{level}” first."
    PROMISE_WAIT: Final = "It goes on when the rows are read."
    BACK: Final = "Back"
