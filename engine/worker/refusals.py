"""What a model cannot read, in words: pictures, tools, gaps, or a conversation at all.

A part of a row that never reaches the model would be learned wrongly without a sound. The Check
screen shows these as red findings before anything is paid for, and a run refuses them, too.
"""

from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.worker.gap import find_gap_marks
from tailor.engine.worker.habits import read_habits
from tailor.engine.worker.rows import Row


def find_refusal(tokenizer: Any, row: Row) -> UserError | None:
    """Why the model cannot read this row; None when it can."""
    if row.pictures:
        return UserError(
            title="This model does not see pictures",
            detail="It reads text alone, so the pictures of a row would be missing and the answer "
            "about them would be guessed.",
            fix="Take the rows with pictures out on the Data page, or describe the pictures in "
            "words.",
        )
    if row.messages:
        return _refuse_chat(tokenizer, row)
    if row.has_gap and find_gap_marks(tokenizer) is None:
        return without_gap()
    return None


def without_gap() -> UserError:
    """For a model that was never taught to fill a gap."""
    return UserError(
        title="This model cannot fill gaps in code",
        detail="Its tokenizer has no marks for the code before and behind a gap.",
        fix="Choose a model of code, such as Qwen2.5-Coder, StarCoder2, CodeGemma or Granite Code.",
    )


def _refuse_chat(tokenizer: Any, row: Row) -> UserError | None:
    habits = read_habits(tokenizer)
    if not habits.keeps_words:
        return UserError(
            title="This model cannot read conversations",
            detail="Its chat template drops the text of questions and answers.",
            fix="Choose another model.",
        )
    uses_calls = any(turn.tool_calls or turn.role == "tool" for turn in row.messages)
    if row.tools and not habits.shows_tools:
        return _ignored("the list of tools", "call tools that it was never shown")
    if uses_calls and not habits.shows_calls:
        return _ignored("calls of tools and their results", "answer from what it never read")
    return None


def _ignored(what: str, effect: str) -> UserError:
    return UserError(
        title="This model does not know tools",
        detail=f"Its chat template leaves out {what}, so it would learn to {effect}.",
        fix="Choose a model that knows tools, or map the rows without the tools column on the "
        "Data page.",
    )
