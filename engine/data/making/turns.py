"""One conversation in the spellings that people export, as turns of four roles.

OpenAI writes role and content, ShareGPT from and value with names of its own, others a pair of
fields, plain strings in turn, or a transcript. Contents may be parts, and calls of tools stand in
several places. What cannot be taught is named, so that the row is left out with its reason.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.json_cell import decode_cell, encode_cell, is_list_of_objects
from tailor.engine.data.making.parts import Content, read_content
from tailor.engine.data.making.speakers import CALLERS, find_role, read_role
from tailor.engine.data.making.tool_calls import read_calls
from tailor.engine.data.making.transcripts import split_transcript
from tailor.estimator.record import record
from tailor.recipes.spec import Message

SPEAKER_KEYS = ("role", "from", "speaker", "sender", "author")
_CONTENT_KEYS = ("content", "value", "text", "message", "utterance", "body")
_LIST_KEYS = ("messages", "conversations", "conversation", "turns")
_REASONING_KEYS = ("reasoning_content", "reasoning", "thinking")


@record
class Turns:
    """What a cell says."""

    turns: tuple[Message, ...]
    """Equal sides in a row are joined."""
    pictures: tuple[str, ...] = ()
    """Names of pictures that stand inside turns; each has its mark there."""


def read_turns(cell: str, answers_of: str = "") -> Turns:
    """The turns in a cell; `NotTeachableError` tells why there are none."""
    if not cell.strip():
        raise NotTeachableError("the conversation is empty")
    turns: list[Message] = []
    pictures: list[str] = []
    for entry in _entries(cell, answers_of):
        turn, shown = _turn(entry, answers_of)
        pictures.extend(shown)
        if turns and turns[-1].role == turn.role != "tool":
            turns[-1] = _joined(turns[-1], turn)
        else:
            turns.append(turn)
    return Turns(turns=tuple(turns), pictures=tuple(pictures))


def check_turns(turns: Sequence[Message]) -> tuple[Message, ...]:
    """The turns up to the last answer to learn; raises when they cannot be taught.

    A greeting before the first question answers nothing and is not read.
    """
    turns = _without_greeting(turns)
    answers = [place for place, turn in enumerate(turns) if turn.role == "assistant"]
    learned = [place for place in answers if turns[place].is_learned]
    if not answers:
        raise NotTeachableError("no turn is an answer")
    if not learned:
        raise NotTeachableError("none of its answers is meant to be learned")
    kept = tuple(turns[: learned[-1] + 1])
    check_asked(kept)
    return kept


def _without_greeting(turns: Sequence[Message]) -> Sequence[Message]:
    first = next((place for place, turn in enumerate(turns) if turn.role == "user"), 0)
    return [turn for place, turn in enumerate(turns) if place >= first or turn.role == "system"]


def check_asked(turns: Sequence[Message]) -> None:
    """Raise when turns do not make sense one after another."""
    said = [turn for turn in turns if turn.role != "system"]
    if not said or said[0].role != "user":
        raise NotTeachableError("the answer comes before any question")
    if any(turn.role == "system" for turn in turns[1:]):
        raise NotTeachableError("standing instructions appear in the middle")
    if any(_is_empty(turn) for turn in turns):
        raise NotTeachableError("a turn is empty")
    for before, turn in zip(said, said[1:], strict=False):
        if turn.role == "tool" and before.role != "tool" and not before.tool_calls:
            raise NotTeachableError("a tool answers although none was called")


def as_context(turns: Sequence[Message]) -> tuple[Message, ...]:
    """The same turns, their answers read and not learned."""
    return tuple(
        replace(turn, is_learned=False) if turn.role == "assistant" else turn for turn in turns
    )


def is_turn(value: Any) -> bool:
    """Whether an object is one turn: somebody speaks and something is said."""
    return (
        isinstance(value, dict)
        and any(isinstance(value.get(key), str | dict) for key in SPEAKER_KEYS)
        and any(key in value for key in (*_CONTENT_KEYS, "tool_calls", "function_call"))
    )


def pair_roles(value: Any) -> list[str]:
    """The fields of an object that is a question with its answer, such as {"human", "gpt"}."""
    if not isinstance(value, dict):
        return []
    sides = {find_role(key): key for key in reversed(value) if isinstance(value[key], str)}
    return [sides["user"], sides["assistant"]] if {"user", "assistant"} <= sides.keys() else []


def _is_empty(turn: Message) -> bool:
    return not (turn.content.strip() or turn.tool_calls or turn.role == "tool")


def _entries(cell: str, answers_of: str) -> list[dict[str, Any]]:
    value = decode_cell(cell)
    if value is None:
        said = split_transcript(cell, answers_of)
        if not said:
            raise NotTeachableError("the cell holds no list of turns")
        return [{"role": name, "content": text} for name, text in said]
    if isinstance(value, dict):
        value = next((value[key] for key in _LIST_KEYS if key in value), [value])
    if is_list_of_objects(value):
        return list(_expanded(value))
    found = list(_in_turn(value)) if isinstance(value, list) else []
    if not found:
        raise NotTeachableError("the cell holds no list of turns")
    return found


def _expanded(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        keys = [] if is_turn(entry) else pair_roles(entry)
        if keys:
            yield from ({"role": key, "content": entry[key]} for key in keys)
        else:
            yield entry


def _in_turn(value: list[Any]) -> Iterator[dict[str, Any]]:
    """Plain texts that take turns, or pairs of question and answer."""
    pairs = [one for one in value if isinstance(one, list) and len(one) == 2]
    texts = [text for pair in pairs for text in pair] if len(pairs) == len(value) else value
    if all(isinstance(text, str) for text in texts):
        for place, text in enumerate(texts):
            yield {"role": "assistant" if place % 2 else "user", "content": text}


def _turn(entry: dict[str, Any], answers_of: str) -> tuple[Message, tuple[str, ...]]:
    name = _speaker(entry)
    role = read_role(name, answers_of)
    found = next((entry[key] for key in _CONTENT_KEYS if key in entry), None)
    if name.strip().casefold() in CALLERS:
        return _answer("", read_calls(found), entry), ()
    content = read_content(found)
    calls = list(content.calls)
    for key in ("tool_calls", "function_call"):
        if entry.get(key):
            calls += read_calls(entry[key])
    text = _with_reasoning(content, entry)
    if role == "assistant":
        return _answer(text, calls, entry), content.pictures
    if calls:
        raise NotTeachableError("somebody else than the assistant calls a tool")
    return Message(role="tool" if content.is_result else role, content=text), content.pictures


def _answer(text: str, calls: list[dict[str, Any]], entry: dict[str, Any]) -> Message:
    is_context = entry.get("weight") in (0, "0") or entry.get("train") is False
    return Message(
        role="assistant",
        content=text,
        tool_calls=encode_cell(calls) if calls else "",
        is_learned=not is_context,
    )


def _speaker(entry: dict[str, Any]) -> str:
    for key in SPEAKER_KEYS:
        name = entry.get(key)
        if isinstance(name, dict):
            name = name.get("role", name.get("name"))
        if isinstance(name, str):
            return name
    raise NotTeachableError("a turn does not say who speaks")


def _with_reasoning(content: Content, entry: dict[str, Any]) -> str:
    """What was thought before the answer stands in front of it, marked as models write it."""
    beside = next((entry[key] for key in _REASONING_KEYS if isinstance(entry.get(key), str)), "")
    thought = "\n\n".join(part for part in (beside, content.reasoning) if part.strip())
    return f"<think>\n{thought}\n</think>\n\n{content.text}" if thought else content.text


def _joined(first: Message, second: Message) -> Message:
    calls = [*_calls(first), *_calls(second)]
    return Message(
        role=first.role,
        content="\n\n".join(part for part in (first.content, second.content) if part),
        tool_calls=encode_cell(calls) if calls else "",
        is_learned=first.is_learned and second.is_learned,
    )


def _calls(turn: Message) -> list[Any]:
    return decode_cell(turn.tool_calls) or []
