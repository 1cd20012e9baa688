"""Finished examples: what comes in and what should go out, as typeset text, names in the margin.

The person says yes to these, not to a table of settings. Texts stand exactly as they are; a long
one folds. Every kind of example has its own look: turns, two answers side by side, a gap in code.
"""

import json
from typing import Any

from tailor.engine.data_types import Conversation, Shape
from tailor.recipes.spec import Message
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.icons import IconName, icon
from tailor.ui.views.long_text import long_text

TOOLS_SHOWN = 12
THUMB_SIGNS: dict[str, IconName] = {"good": "check", "bad": "cross"}


def conversations(shown: tuple[Conversation, ...], shape: Shape) -> Html:
    """The examples, one beneath the other."""
    return element("div", each(conversation(one, shape) for one in shown), class_="stack")


def conversation(one: Conversation, shape: Shape) -> Html:
    """One example in a card, with the number of its row."""
    return element(
        "article",
        element("p", DataText.PREVIEW_ROW.format(row=one.row_id), class_="row-number"),
        _tools(one.tools) if one.tools else None,
        _body(one, shape),
        _pictures(one.pictures) if one.pictures else None,
        _thumb(one.rating) if one.rating else None,
        class_="card conversation",
        aria_label=DataText.PREVIEW_ROW.format(row=one.row_id),
    )


def _body(one: Conversation, shape: Shape) -> Html:
    if shape == "middle":
        return _code(one)
    if not one.messages:
        return _line("user", DataText.ROLE_TEXT, _said(one.text))
    if one.rejected:
        return join(each(_turn(turn) for turn in one.messages[:-1]), _answers(one))
    if shape == "classes":
        label = element("div", element("span", one.messages[-1].content, class_="chip label"))
        return join(
            each(_turn(turn) for turn in one.messages[:-1]),
            _line("assistant", DataText.ROLE_LABEL, label),
        )
    return each(_turn(turn) for turn in one.messages)


def _turn(message: Message) -> Html:
    said = _said(message.content) if message.content.strip() or not message.tool_calls else None
    calls = _calls(message.tool_calls) if message.tool_calls else None
    if not message.is_learned:
        return _line("earlier", DataText.ROLE_EARLIER, join(said, calls))
    return _line(message.role, DataText.ROLES[message.role], join(said, calls))


def _line(role: str, name: str, body: Html) -> Html:
    body = element("div", body, class_="turn-body")
    return element("div", element("div", name, class_="role"), body, class_=f"example-turn {role}")


def _said(text: str) -> Html:
    if text.strip():
        return long_text(text)
    return element("div", DataText.EMPTY_TURN, class_="said quiet")


def _answers(one: Conversation) -> Html:
    """The better answer and the worse ones, side by side; on a phone beneath one another."""
    better = element(
        "div",
        element("div", icon("check"), DataText.ROLE_BETTER, class_="role better"),
        _said(one.messages[-1].content),
        class_="answer",
    )
    worse = each(
        element(
            "div",
            element("div", icon("cross"), DataText.ROLE_WORSE, class_="role"),
            _said(answer),
            class_="answer worse",
        )
        for answer in one.rejected
    )
    return element("div", better, worse, class_="answers-beside")


def _code(one: Conversation) -> Html:
    """The code as it stands in the file, the gap marked by ground and line."""
    gap = element("mark", one.text, class_="gap") if one.text else None
    code = element(
        "pre", _end_of(one.before), gap, _beginning_of(one.after), class_="code", tabindex="0",
        role="region", aria_label=DataText.CODE,
    )  # fmt: skip
    return element(
        "div", code, element("p", DataText.GAP, class_="small quiet"), class_="turn-body"
    )


def _end_of(code: str, lines: int = 14) -> str:
    kept = code.split("\n")
    return code if len(kept) <= lines else "…\n" + "\n".join(kept[-lines:])


def _beginning_of(code: str, lines: int = 10) -> str:
    kept = code.split("\n")
    return code if len(kept) <= lines else "\n".join(kept[:lines]) + "\n…"


def _pictures(names: tuple[str, ...]) -> Html:
    chips = each(element("span", icon("picture"), name, class_="chip file") for name in names)
    return _line("user", DataText.ROLE_PICTURES, element("div", chips, class_="chips"))


def _thumb(rating: str) -> Html:
    return element(
        "p", icon(THUMB_SIGNS[rating]), DataText.THUMBS[rating], class_=f"thumb {rating}"
    )


def _tools(tools: str) -> Html:
    names = _names(tools)[:TOOLS_SHOWN]
    chips = each(element("span", name, class_="chip") for name in names)
    return _line("system", DataText.ROLE_TOOLS, element("div", chips, class_="chips"))


def _calls(calls: str) -> Html:
    return each(
        element(
            "div",
            element("span", DataText.CALLS.format(name=_name(call)), class_="chip"),
            element("pre", _arguments(call), class_="code"),
            class_="tool-call",
        )
        for call in _listed(calls)
    )


def _names(tools: str) -> list[str]:
    return [_name(tool) for tool in _listed(tools)]


def _listed(written: str) -> list[Any]:
    """A JSON list; what is none is shown as one entry, because nothing is hidden here."""
    try:
        read = json.loads(written)
    except (ValueError, RecursionError):
        return [written]
    return read if isinstance(read, list) else [read]


def _name(thing: Any) -> str:
    if not isinstance(thing, dict):
        return str(thing)[:80]
    inner = thing.get("function", thing)
    return str(inner.get("name", "?") if isinstance(inner, dict) else inner)[:80]


def _arguments(call: Any) -> str:
    if not isinstance(call, dict):
        return ""
    inner = call.get("function", call)
    given = inner.get("arguments", {}) if isinstance(inner, dict) else {}
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=2)
