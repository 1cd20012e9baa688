"""Where the answers of a conversation stand in its text, by asking the template and not by search.

An answer begins where the text that asks for it ends, and it ends with the token that stops the
model. Some templates rewrite what was said before (they drop earlier thoughts), some put a
document's end behind the last answer, some open a thought when they ask: for each there is a rule
here, and none looks for a fixed string. `data` calls `find_answers`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tailor.engine.worker.endings import (
    find_known_ending,
    find_special_ending,
    match_ending,
    match_known_ending,
    template_ending,
)
from tailor.engine.worker.habits import read_habits
from tailor.engine.worker.template import write_turns
from tailor.estimator.record import record
from tailor.recipes.spec import Message

PLACE = "xqplacexq"
"""Stands for an answer while its place is looked for."""
THOUGHT, THOUGHT_END = "<think>", "</think>"
NO_THOUGHT = f"\n{THOUGHT_END}\n\n"
"""Closes a thought that the template opened, as Qwen's and Nemotron's templates do it."""


@record
class Answer:
    """Where a learned answer stands in the text of its row, in characters."""

    start: int
    end_token_start: int
    """Equal to `end` when no end token follows."""
    end: int


def find_answers(
    tokenizer: Any, messages: Sequence[Message], tools: str = ""
) -> tuple[str, tuple[Answer, ...]]:
    """The conversation as text, and where its learned answers stand."""
    turns = _until_last_learned(messages)
    if not _is_answer(turns[-1]) or len(turns) == 1:
        return write_turns(tokenizer, turns, is_asking=False, tools=tools), ()
    asked = write_turns(tokenizer, turns[:-1], is_asking=True, tools=tools)
    text, last = _last_answer(tokenizer, turns, asked, tools)
    earlier = (
        _earlier_answer(tokenizer, turns, place, text=text, asked=asked, tools=tools)
        for place in range(1, len(turns) - 1)
        if _is_answer(turns[place])
    )
    return text, (*(answer for answer in earlier if answer is not None), last)


def _is_answer(turn: Message) -> bool:
    return turn.role == "assistant" and turn.is_learned


def _until_last_learned(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Turns behind the last answer teach nothing; without any answer all are kept, to be shown."""
    last = max((i for i, one in enumerate(messages) if _is_answer(one)), default=None)
    return tuple(messages if last is None else messages[: last + 1])


def _last_answer(
    tokenizer: Any, turns: tuple[Message, ...], asked: str, tools: str
) -> tuple[str, Answer]:
    """The whole text, and the last answer exactly as it will be asked for."""
    text = write_turns(tokenizer, turns, is_asking=False, tools=tools)
    if not text.startswith(asked):
        ending = template_ending(tokenizer) or tokenizer.eos_token or ""
        text = asked + _continue(asked, turns[-1].content) + ending
    last = _close(tokenizer, text, len(asked))
    if last.end_token_start == last.end:
        text = text[: last.end] + (tokenizer.eos_token or "")
        last = replace(last, end=len(text))
    return text, last


def _continue(asked: str, content: str) -> str:
    """What the model has to write: a thought that the question opened is closed first."""
    if not asked.rstrip().endswith(THOUGHT):
        return content
    if content.lstrip().startswith(THOUGHT):
        return content.lstrip().removeprefix(THOUGHT).lstrip("\n")
    return content if THOUGHT_END in content else NO_THOUGHT + content


def _close(tokenizer: Any, text: str, start: int) -> Answer:
    """The answer from `start` to the end of `text`, without what the template puts behind it."""
    behind = read_habits(tokenizer).ending
    if text.endswith(behind) and len(text) - len(behind) >= start:
        place = len(text) - len(behind)
        return Answer(
            start=start,
            end_token_start=place,
            end=place + len(match_ending(tokenizer, text, place)),
        )
    told = text[start:].rstrip()
    ending = find_special_ending(tokenizer, told)
    end = start + len(told)
    return Answer(start=start, end_token_start=end - len(ending), end=end)


def _earlier_answer(
    tokenizer: Any,
    turns: tuple[Message, ...],
    place: int,
    *,
    text: str,
    asked: str,
    tools: str,
) -> Answer | None:
    """An answer inside the conversation; None where the template does not keep it as it was."""
    before = write_turns(tokenizer, turns[:place], is_asking=True, tools=tools)
    until = write_turns(tokenizer, turns[: place + 1], is_asking=False, tools=tools)
    if text.startswith(before) and until.startswith(before):
        found = _close(tokenizer, until, len(before))
        if text.startswith(until[: found.end]) and found.end > found.start:
            return found
        if turns[place].content and text.startswith(until[: found.end_token_start]):
            # In the middle the template ends it with a mark that is no end token.
            return replace(found, end=found.end_token_start)
    return _rewritten_answer(tokenizer, turns, place, before=before, asked=asked, tools=tools)


def _rewritten_answer(
    tokenizer: Any,
    turns: tuple[Message, ...],
    place: int,
    *,
    before: str,
    asked: str,
    tools: str,
) -> Answer | None:
    """An answer that the template writes otherwise once others follow, if all of it is still there.

    The same conversation with another word in its place shows what stands around it.
    """
    turn = turns[place]
    marked = (*turns[:place], replace(turn, content=PLACE), *turns[place + 1 : -1])
    told = write_turns(tokenizer, marked, is_asking=True, tools=tools)
    head, found, tail = told.partition(PLACE)
    if not found or not asked.startswith(head):
        return None
    is_asked_so = asked.startswith(before) and len(before) <= len(head)
    start = len(before) if is_asked_so else len(head)
    if turn.tool_calls:
        # A call is written in the template's own way: it goes on to the first end token.
        ending = find_known_ending(tokenizer, asked, start)
        return Answer(start=start, end_token_start=ending[0], end=ending[1]) if ending else None
    end = len(asked) - len(tail)
    if not asked.endswith(tail) or end < len(head):
        return None
    if not turn.content.strip() or asked[len(head) : end].strip() != turn.content.strip():
        return None
    ending = match_known_ending(tokenizer, asked, end)
    return Answer(start=start, end_token_start=end, end=end + len(ending))
