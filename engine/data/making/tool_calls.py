"""Tools that a conversation may call, and the calls themselves, in one spelling.

OpenAI nests a function inside a tool and writes arguments as text; ShareGPT and others write the
function bare and arguments as an object. Chat templates want one form of each, and a call that
cannot be parsed would teach the model to write broken ones. `turns` and `chat` read both here.
"""

import json
from typing import Any

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.json_cell import decode_cell, encode_cell

_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")


def read_tools(cell: str) -> str:
    """The tools of a cell as a JSON list of {"type": "function", "function"}; "" without any."""
    if not cell.strip() or cell.strip().casefold() in ("null", "none"):
        return ""
    value = decode_cell(cell)
    if isinstance(value, dict):
        value = value.get("tools", value.get("functions", [value]))
    if not isinstance(value, list):
        raise NotTeachableError("the list of tools cannot be read")
    tools = [_tool(one) for one in value]
    return encode_cell(tools) if tools else ""


def read_calls(value: Any) -> list[dict[str, Any]]:
    """Calls, whatever they are written as: one or several, objects or their text."""
    if isinstance(value, str):
        value = decode_cell(value)
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list) or not value:
        raise NotTeachableError("the call of a tool cannot be read")
    return [_call(one) for one in value]


def is_tool(value: Any) -> bool:
    """Whether an object describes a tool."""
    if not isinstance(value, dict):
        return False
    function = value.get("function", value)
    return (
        isinstance(function, dict)
        and isinstance(function.get("name"), str)
        and not {"description", "parameters", "input_schema"}.isdisjoint(function)
    )


def _tool(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = decode_cell(value)
    if isinstance(value, dict):
        function = value.get("function", value)
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            kept = {key: part for key, part in function.items() if key != "type"}
            return {"type": "function", "function": kept}
    raise NotTeachableError("the list of tools cannot be read")


def _call(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = decode_cell(value)
    if isinstance(value, dict):
        value = value.get("function", value)
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise NotTeachableError("the call of a tool cannot be read")
    found: Any = next((value[key] for key in _ARGUMENT_KEYS if key in value), None)
    return {"name": value["name"], "arguments": _arguments(found, value["name"])}


def _arguments(value: Any, name: str) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else {}
        except (ValueError, RecursionError):
            value = ""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise NotTeachableError(f"the arguments of the call of “{name[:40]}” cannot be read")
    return value
