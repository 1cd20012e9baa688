"""One conversation in the spellings that people export, as turns of three roles.

OpenAI writes role and content, ShareGPT writes from and value with names of its own, and content
may be a list of parts. What we cannot teach yet (tools, pictures) is named, so that the row is left
out with its reason. `mapping` builds chat rows with it, `shapes` recognises them with it.
"""

import json
from typing import Any

from tailor.recipes.spec import Message

ROLES = {
    "user": "user", "human": "user", "prompter": "user", "customer": "user", "question": "user",
    "assistant": "assistant", "gpt": "assistant", "model": "assistant", "bot": "assistant",
    "chatgpt": "assistant", "ai": "assistant", "answer": "assistant", "agent": "assistant",
    "system": "system", "developer": "system",
}  # fmt: skip
TOOLS = "the conversation uses tools, which cannot be taught yet"
PICTURES = "the conversation holds pictures or other parts that are no text"
_PICTURE_MARK = "<image>"
_TOOL_ROLES = frozenset({
    "tool", "function", "function_call", "observation", "ipython", "environment",
})  # fmt: skip


class NotTeachableError(ValueError):
    """A row makes no example that can be taught; the message completes "left out because ..."."""


def read_turns(cell: str) -> tuple[Message, ...]:
    """The turns in a cell, equal sides in a row joined; `NotTeachableError` tells a reason."""
    turns: list[Message] = []
    for entry in _entries(cell):
        turn = Message(role=_role(entry), content=_content(entry))
        if turns and turns[-1].role == turn.role:
            both = f"{turns[-1].content}\n\n{turn.content}"
            turns[-1] = Message(role=turn.role, content=both)
        else:
            turns.append(turn)
    return tuple(turns)


def check_turns(turns: tuple[Message, ...]) -> tuple[Message, ...]:
    """The turns up to the last answer; raises `NotTeachableError` when they cannot be taught."""
    last = max((i for i, turn in enumerate(turns) if turn.role == "assistant"), default=None)
    if last is None:
        raise NotTeachableError("no turn is an answer")
    kept = turns[: last + 1]
    asked = [turn.role for turn in kept if turn.role != "system"]
    if asked[0] != "user":
        raise NotTeachableError("the answer comes before any question")
    if any(turn.role == "system" for turn in kept[1:]):
        raise NotTeachableError("standing instructions appear in the middle")
    if any(not turn.content.strip() for turn in kept):
        raise NotTeachableError("a turn is empty")
    return kept


def _entries(cell: str) -> list[dict[str, Any]]:
    if not cell.strip():
        raise NotTeachableError("the conversation is empty")
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list) or not value:
        raise NotTeachableError("the cell holds no list of turns")
    if not all(isinstance(entry, dict) for entry in value):
        raise NotTeachableError("the cell holds no list of turns")
    return value


def _role(entry: dict[str, Any]) -> Any:
    name = entry.get("role", entry.get("from"))
    if not isinstance(name, str):
        raise NotTeachableError("a turn does not say who speaks")
    role = ROLES.get(name.strip().lower())
    if role is not None:
        return role
    if name.strip().lower() in _TOOL_ROLES:
        raise NotTeachableError(TOOLS)
    raise NotTeachableError(f"the speaker “{name[:40]}” is not known")


def _content(entry: dict[str, Any]) -> str:
    if entry.get("tool_calls") or entry.get("function_call"):
        raise NotTeachableError(TOOLS)
    if entry.get("weight") in (0, "0"):
        raise NotTeachableError("the conversation marks answers that should not be learned")
    content = entry.get("content", entry.get("value", entry.get("text")))
    if isinstance(content, list):
        return "".join(_part(part) for part in content)
    if content is None:
        return ""
    if not isinstance(content, str):
        raise NotTeachableError("a turn is not text")
    if _PICTURE_MARK in content:
        raise NotTeachableError(PICTURES)
    return content


def _part(part: Any) -> str:
    if isinstance(part, dict) and part.get("type", "text") == "text":
        text = part.get("text", part.get("value"))
        if isinstance(text, str):
            return text
    raise NotTeachableError(PICTURES)
