"""What a chat template does with each part of a conversation, found out with made-up words.

Templates differ in more than spelling: one refuses a system turn, one drops it in silence, one
reads content as a list of parts only, and many leave tools out. A conversation of which a part
never reaches the model would be learned wrongly without a word, so each part is tried once per
tokenizer. `template` writes by these habits, `refusals` tells what a model cannot read.
"""

import json
from functools import lru_cache
from typing import Any

from jinja2.exceptions import TemplateError

from tailor.estimator.record import record

BREAKS = (TemplateError, TypeError, ValueError, KeyError)
"""What a template may end with: its own refusal, or a use of Python's types that fails."""

QUESTION, ANSWER, STANDING = "xqaskedxq", "xqansweredxq", "xqstandingxq"
TOOL, CALLED, RESULT = "xqtoolxq", "xqcalledxq", "xqresultxq"
CALL_ID = "call00000"
"""Nine letters and digits: Mistral's templates refuse any other form."""

Turn = dict[str, Any]


@record
class Habits:
    """Of one template."""

    takes_parts: bool
    """Whether content must be a list of parts; a plain text would be dropped."""
    keeps_words: bool
    """Whether question and answer reach the model at all."""
    keeps_system: bool
    shows_tools: bool
    """Whether the list of tools reaches the model."""
    shows_calls: bool
    """Whether calls and what the tools gave back reach the model."""
    calls_as_text: bool
    """Whether the arguments of a call must be JSON text instead of an object."""
    ending: str
    """What stands behind the last answer, up to the end of the text."""


def read_habits(tokenizer: Any) -> Habits:
    """Of the tokenizer's template; found out once and remembered."""
    template = tokenizer.chat_template
    return _read_habits(tokenizer, template if isinstance(template, str) else repr(template))


@lru_cache(maxsize=8)
def _read_habits(tokenizer: Any, _template: str) -> Habits:
    chat = [_turn("user", QUESTION), _turn("assistant", ANSWER)]
    takes_parts = not _shows(tokenizer, chat, QUESTION, ANSWER) and _shows(
        tokenizer, _in_parts(chat), QUESTION, ANSWER
    )

    def told(turns: list[Turn], *words: str, tools: list[Any] | None = None) -> bool:
        return _shows(tokenizer, _in_parts(turns) if takes_parts else turns, *words, tools=tools)

    whole = _try(tokenizer, _in_parts(chat) if takes_parts else chat) or ""
    as_object, as_text = _calling({CALLED: 1}), _calling(json.dumps({CALLED: 1}))
    takes_object = told(as_object, TOOL, CALLED, RESULT)
    return Habits(
        takes_parts=takes_parts,
        keeps_words=QUESTION in whole and ANSWER in whole,
        keeps_system=told([_turn("system", STANDING), *chat], STANDING, QUESTION, ANSWER),
        shows_tools=told(chat, TOOL, tools=[_tool()]),
        shows_calls=takes_object or told(as_text, TOOL, CALLED, RESULT),
        calls_as_text=not takes_object,
        ending=whole.partition(ANSWER)[2],
    )


def render(
    tokenizer: Any, turns: list[Turn], *, is_asking: bool, tools: list[Any] | None = None
) -> str:
    """The template's text, as it is. Raises one of `BREAKS` where the template cannot."""
    return tokenizer.apply_chat_template(
        turns, tools=tools or None, tokenize=False, add_generation_prompt=is_asking
    )


def fit_turns(turns: list[Turn], habits: Habits) -> list[Turn]:
    """Turns in the form that the template reads whole."""
    fitted = turns if habits.keeps_system else _fold_system(turns)
    return _in_parts(fitted) if habits.takes_parts else fitted


def _fold_system(turns: list[Turn]) -> list[Turn]:
    """Put standing instructions before the first question, for templates without a system turn."""
    if len(turns) < 2 or turns[0]["role"] != "system" or turns[1]["role"] != "user":
        return turns
    content = f"{turns[0]['content']}\n\n{turns[1]['content']}"
    return [_turn("user", content), *turns[2:]]


def _in_parts(turns: list[Turn]) -> list[Turn]:
    return [{**turn, "content": [{"type": "text", "text": turn["content"]}]} for turn in turns]


def _turn(role: str, content: str) -> Turn:
    return {"role": role, "content": content}


def _calling(arguments: Any) -> list[Turn]:
    call = {"id": CALL_ID, "type": "function", "function": {"name": TOOL, "arguments": arguments}}
    return [
        _turn("user", QUESTION),
        {**_turn("assistant", ""), "tool_calls": [call]},
        {**_turn("tool", RESULT), "name": TOOL, "tool_call_id": CALL_ID},
        _turn("assistant", ANSWER),
    ]


def _tool() -> dict[str, Any]:
    parameters = {"type": "object", "properties": {CALLED: {"type": "string", "description": "x"}}}
    about = {"name": TOOL, "description": "x", "parameters": {**parameters, "required": [CALLED]}}
    return {"type": "function", "function": about}


def _shows(tokenizer: Any, turns: list[Turn], *words: str, tools: list[Any] | None = None) -> bool:
    text = _try(tokenizer, turns, tools)
    return text is not None and all(word in text for word in words)


def _try(tokenizer: Any, turns: list[Turn], tools: list[Any] | None = None) -> str | None:
    try:
        return render(tokenizer, turns, is_asking=False, tools=tools)
    except BREAKS:
        return None
