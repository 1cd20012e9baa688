"""Every sentence of the Data screen: the files, what was found in them, which column is what.

Beside `ui/text.py`, in the same form, so that neither grows past one sitting's reading.
"""

from typing import Final

from tailor.engine.data_types import Shape


class DataText:
    """Step 2: show us your examples."""

    TITLE: Final = "Show us your examples"
    WHY: Final = (
        "The model learns from what you show it: what comes in, and what should go out. Your files "
        "stay on this computer and are never changed."
    )
    DROP: Final = "Drop your files here, or click to choose"
    KINDS: Final = (
        ("Tables", "Excel (.xlsx), CSV and TSV in any encoding, Parquet, Arrow"),
        ("Records", "JSON and JSON Lines, chat exports among them"),
        ("Documents", "Word (.docx), PDF with real text, plain text, Markdown"),
        ("Collections", "a ZIP with any of these, with pictures and their table, or with code"),
    )
    LIMIT: Final = "Up to {files} files at once, {bytes} together. A good start is 50 rows or more."
    NO_FILE_YET: Final = "Nothing at hand?"
    EXAMPLE: Final = "Use the built-in example"
    EXAMPLE_WORDS: Final = "About 300 maintenance notes and the short forms they should become."
    READING_TITLE: Final = "Reading {title}"
    READING: Final = "Looking at its form, its columns and its rows."
    READING_SHARE: Final = "{words} {percent} done."
    OTHER_FILE: Final = "Choose other files"
    KEEP_FILE: Final = "Keep “{title}”"
    KEEP_FILE_WORDS: Final = "It stays as it is until another file has arrived."
    FOUND_TITLE: Final = "What was found"
    FOUND_KIND: Final = "{kind}. {found}"
    FILES: Final = "Read together: {names}"
    MORE_FILES: Final = "{names} and {count} more"
    COUNT_DIFFERS: Final = (
        "{physical} lines or entries stand in the file and {rows} rows were read. A row may span "
        "several lines, and a title line is no row."
    )
    NOTICED: Final = "Noticed while reading ({count})"
    FIRST_ROWS: Final = "The first rows"
    ROW_ORIGIN: Final = "Where"
    MORE_COLUMNS: Final = "and {count} more columns"
    READ_DIFFERENTLY: Final = "Read differently"
    READ_DIFFERENTLY_WHY: Final = (
        "This was found out from the content. If something looks wrong above, choose another "
        "reading. The columns and repairs begin anew then."
    )
    READ_AGAIN: Final = "Read again like this"
    MAPPING_TITLE: Final = "Which column is what?"
    MAPPING_GUESSED: Final = "Our reading: {why}"
    MAPPING_OWN: Final = "As you chose it."
    OTHER_GUESSES: Final = "It could also be read as"
    GUESS: Final = "{shape} ({columns})"
    GUESS_COLUMNS: Final = "{part}: {column}"
    SHAPE: Final = "Each row is"
    SHAPES: Final[dict[Shape, str]] = {
        "question_answer": "a question and its answer",
        "chat": "a whole conversation",
        "classes": "a text and its label",
        "preference": "a better and a worse answer",
        "thumbs": "an answer with a thumb up or down",
        "text": "running text to learn as it is",
        "middle": "code with a gap to fill",
    }
    PARTS: Final = {
        "question": "What comes in (question)",
        "answer": "What should go out (answer)",
        "context": "Background put before the question",
        "system": "Standing instructions, row by row",
        "messages": "Conversation",
        "text": "Text",
        "history": "Earlier questions and answers (only read)",
        "chosen": "The better answer",
        "rejected": "The worse answer",
        "ranked": "List of answers, best first",
        "rating": "Thumb up or down",
        "tools": "Tools it may call",
        "pictures": "Names of pictures",
        "before": "Code before the gap",
        "after": "Code after the gap",
        "group": "Rows that belong together",
        "thread": "Which conversation a row belongs to",
        "parent": "Which row it follows",
        "speaker": "Who speaks",
        "order": "What sorts the rows",
    }
    PARTS_OF: Final[dict[Shape, dict[str, str]]] = {
        "chat": {"text": "What is said"},
        "classes": {"question": "Text to sort", "answer": "Its label"},
        "preference": {"messages": "Conversation before the answers"},
        "thumbs": {
            "answer": "The answer that was judged",
            "messages": "Conversation, or what came before the answer",
        },
        "middle": {"answer": "Code that fills the gap"},
    }
    """Where a part means something else than elsewhere."""
    PART_WORDS: Final = {
        "question": "asks", "answer": "answers", "messages": "conversation", "text": "text",
        "chosen": "better", "rejected": "worse", "ranked": "ranked", "rating": "thumb",
        "before": "before", "after": "after", "context": "background", "system": "instruction",
        "history": "earlier", "tools": "tools", "pictures": "pictures", "group": "together",
        "thread": "conversation", "parent": "follows", "speaker": "speaker", "order": "order",
    }  # fmt: skip
    """One word above a column of the table."""
    PART_WORDS_OF: Final[dict[Shape, dict[str, str]]] = {
        "classes": {"question": "text", "answer": "label"},
        "thumbs": {"answer": "judged"},
        "middle": {"answer": "gap"},
        "chat": {"text": "said"},
    }
    TYPED: Final = {
        "instruction": (
            "One standing instruction for all rows",
            "Optional. It is put before every question, in learning and in use.",
            "Rewrite the note as: equipment | problem | action",
        ),
        "answers_of": (
            "Whose turns are the answers?",
            "The name of the speaker that the model should learn to answer like. Leave it empty "
            "where the rows say it themselves.",
            "",
        ),
        "stars": (
            "Most points that can be given",
            "Such as 5 for five stars. Leave it empty for yes and no, or up and down.",
            "",
        ),
    }
    """Title, a sentence, an example of what is typed."""
    NO_COLUMN: Final = "none"
    MORE: Final = "More choices"
    SWAP: Final = "Swap the two"
    PREVIEW_TITLE: Final = "Is this right?"
    PREVIEW_WHY: Final = (
        "Finished examples, made from your own rows: this is what the model will learn from. Does "
        "everything stand where it should?"
    )
    PREVIEW_EMPTY: Final = "Choose above: {parts}. Then finished examples stand here."
    PREVIEW_ROW: Final = "Row {row}"
    ROLES: Final = {
        "system": "instruction",
        "user": "comes in",
        "assistant": "goes out",
        "tool": "tool answers",
    }
    ROLE_EARLIER: Final = "answered earlier, only read"
    ROLE_TEXT: Final = "text"
    ROLE_LABEL: Final = "label"
    ROLE_BETTER: Final = "better"
    ROLE_WORSE: Final = "worse"
    ROLE_PICTURES: Final = "pictures"
    ROLE_TOOLS: Final = "may call"
    CALLS: Final = "calls {name}"
    CODE: Final = "Code around the gap"
    GAP: Final = "The marked piece is what it learns to fill in."
    THUMBS: Final = {
        "good": "Thumb up: it learns to answer like this",
        "bad": "Thumb down: it learns not to answer like this",
    }
    EMPTY_TURN: Final = "(empty)"
    WHOLE: Final = "Show all {characters} characters"
    LESS: Final = "Show less"
    YES: Final = "Yes, this is right"
    YES_OFF: Final = "Waiting for your examples"
    YES_MISSING: Final = "Not ready yet"
    PROMISE: Final = "{rows} rows are checked, and a part of them is kept aside for the test."
    PROMISE_OFF: Final = "It goes on when your examples are here."
    PROMISE_MISSING: Final = "It goes on when finished examples stand above."
    BACK: Final = "Back"
    NONE_TITLE: Final = "There are no examples yet"
    NONE_DETAIL: Final = "The next step checks them."
    NONE_FIX: Final = "Drop a file above, or use the built-in example."
    UNSURE_TITLE: Final = "The columns are not all chosen yet"
    UNSURE_DETAIL: Final = "Still to choose: {parts}."
    UNSURE_FIX: Final = "Choose them on the Data screen, then say yes to the finished examples."
    UPLOAD_LOST_TITLE: Final = "The file did not arrive whole"
    UPLOAD_LOST_DETAIL: Final = "The browser handed over no readable file."
    UPLOAD_LOST_FIX: Final = "Drop it once more."
    UPLOAD_MANY_TITLE: Final = "These are too many files at once"
    UPLOAD_MANY_DETAIL: Final = "{count} files were dropped; {most} can be read together."
    UPLOAD_MANY_FIX: Final = "Put them into one ZIP file and drop that."
