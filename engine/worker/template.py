"""Chat templates: how turns become the text that a model reads.

Every model family writes conversations in its own way, some know no system turn, some want the
content in parts, and some bring no template at all. Training, exam, preview and side-by-side chat
must write them alike, so all of them come here. Only the tokenizer is needed: no torch in this
file.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.worker.habits import BREAKS, Turn, fit_turns, read_habits, render
from tailor.recipes.spec import Message

PLAIN_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}"
    "Answer: {{ message['content'] }}{{ eos_token }}\n\n"
    "{% elif message['role'] == 'system' %}{{ message['content'] }}\n\n"
    "{% else %}Question: {{ message['content'] }}\n\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}Answer:{% endif %}"
)
"""For models that bring no template. It is saved with the finished model, which needs it too."""


def load_tokenizer(folder: Path, *, may_lack_end: bool = False) -> Any:
    """The model's tokenizer, never running code from its folder, with a template and padding.

    `may_lack_end` is for the preview, which tells what is missing instead of ending.
    """
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(
        folder, local_files_only=True, trust_remote_code=False
    )
    if tokenizer.chat_template is None:
        tokenizer.chat_template = PLAIN_TEMPLATE
    if tokenizer.eos_token is None and not may_lack_end:
        raise UserError(
            title="This model cannot end an answer",
            detail="Its tokenizer names no end token, so it would go on writing for ever.",
            fix="Choose another model. The starter model has one.",
        )
    if tokenizer.pad_token is None:
        # Padding is masked by the attention mask, never by its id, so sharing the id is harmless.
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def write_turns(
    tokenizer: Any, messages: Sequence[Message], *, is_asking: bool, tools: str = ""
) -> str:
    """The text of `messages`; `is_asking` adds the words that make the model answer next."""
    habits = read_habits(tokenizer)
    turns = _number_calls([_turn(message, as_text=habits.calls_as_text) for message in messages])
    try:
        return render(
            tokenizer,
            fit_turns(turns, habits),
            is_asking=is_asking,
            tools=_read_tools(tools),
        )
    except BREAKS as refused:
        raise _unreadable(refused) from refused


@lru_cache(maxsize=64)
def _read_tools(tools: str) -> list[Any]:
    return json.loads(tools) if tools else []


def _turn(message: Message, *, as_text: bool) -> Turn:
    turn: Turn = {"role": message.role, "content": message.content}
    if message.tool_calls:
        turn["tool_calls"] = [
            {"type": "function", "function": _function(call, as_text=as_text)}
            for call in json.loads(message.tool_calls)
        ]
    return turn


def _function(call: dict[str, Any], *, as_text: bool) -> dict[str, Any]:
    arguments = call.get("arguments", {})
    if as_text and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return {"name": call["name"], "arguments": arguments}


def _number_calls(turns: list[Turn]) -> list[Turn]:
    """Give every call a number and every result the number and name of its call, in their order.

    Some templates refuse calls without one, or results that do not say whose they are.
    """
    number, waiting = 0, []
    for turn in turns:
        for call in turn.get("tool_calls", ()):
            call["id"] = f"call{number:05d}"
            number += 1
            waiting.append(call)
        if turn["role"] == "tool" and waiting:
            call = waiting.pop(0)
            turn |= {"name": call["function"]["name"], "tool_call_id": call["id"]}
    return turns


def _unreadable(refused: Exception) -> UserError:
    return UserError(
        title="This model cannot read conversations like yours",
        detail=f"Its chat template says: {refused}",
        fix="Check that questions and answers take turns, or choose another model.",
    )
