"""What one turn says: plain text, nothing, or a list of parts of several kinds.

Text parts are joined, pictures become a mark where they stand, thoughts and calls of tools are kept
apart, and what no model of ours can read (sound, film, files) is named. `turns` reads contents
here.
"""

from typing import Any

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.picture_marks import MARK, picture_name
from tailor.engine.data.making.tool_calls import read_calls
from tailor.estimator.record import record

_TEXT_TYPES = frozenset({"text", "input_text", "output_text", "tool_result"})
_REASONING_TYPES = frozenset({"reasoning", "thinking"})
_CALL_TYPES = frozenset({"tool_call", "tool_use", "function_call"})
_PICTURE_KEYS = ("image_url", "image", "url", "path")
_PICTURE_TYPES = frozenset({"image", "image_url", "input_image"})


@record
class Content:
    """The content of a turn, taken apart."""

    text: str
    reasoning: str = ""
    calls: tuple[dict[str, Any], ...] = ()
    pictures: tuple[str, ...] = ()
    is_result: bool = False
    """Whether it is the answer of a tool."""


def read_content(value: Any) -> Content:
    """The content in any of its forms; raises for what is neither text nor a picture."""
    if value is None:
        return Content(text="")
    if isinstance(value, str):
        return Content(text=value)
    if not isinstance(value, list):
        raise NotTeachableError("a turn is not text")
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    pictures: list[str] = []
    kinds = set()
    for part in value:
        kind, held = _part(part)
        kinds.add(kind)
        if kind in _TEXT_TYPES:
            texts.append(_text(held))
        elif kind in _REASONING_TYPES:
            thoughts.append(_text(held))
        elif kind in _CALL_TYPES:
            calls += read_calls(held)
        elif kind in _PICTURE_TYPES:
            texts.append(MARK)
            pictures += [name] if (name := picture_name(held)) else []
        else:
            raise NotTeachableError("it holds sound, film or other parts that are no text")
    return Content(
        text="".join(texts),
        reasoning="\n\n".join(thoughts),
        calls=tuple(calls),
        pictures=tuple(pictures),
        is_result=kinds == {"tool_result"},
    )


def _part(part: Any) -> tuple[str, Any]:
    """Kind and inner value of a part."""
    if isinstance(part, str):
        return "text", part
    if not isinstance(part, dict):
        raise NotTeachableError("a turn is not text")
    kind = part.get("type", "text")
    if kind in _CALL_TYPES:
        return kind, part.get("value", part)
    if kind in _PICTURE_TYPES:
        inner = next(
            (part[key] for key in ("image_url", "image", "url", "path") if key in part), ""
        )
        return kind, inner
    keys = ("text", "value", "content", "thinking", "reasoning")
    return str(kind), next((part[key] for key in keys if key in part), None)


def _text(held: Any) -> str:
    if isinstance(held, str):
        return held
    if isinstance(held, list) and all(isinstance(one, str | dict) for one in held):
        inner = [one if isinstance(one, str) else one.get("text", "") for one in held]
        return "".join(one for one in inner if isinstance(one, str))
    if held is None:
        return ""
    raise NotTeachableError("a turn is not text")
