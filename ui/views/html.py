"""HTML built so that text can never become markup: everything is escaped unless we built it.

Rows, file names, model answers and log lines are written by strangers. `element` escapes every
plain string and lets only `Html` through, and only this module makes `Html`. All views use it;
pages hand the result to `gr.HTML`.
"""

from collections.abc import Iterable
from html import escape

VOID = frozenset({"br", "hr", "img", "input", "col"})


class Html(str):
    """Markup of our own making, safe to show as it stands."""

    __slots__ = ()


NOTHING = Html("")


def element(name: str, /, *children: str | None, **attributes: str | bool | int | None) -> Html:
    """One element; `class_` becomes class, `aria_label` becomes aria-label, None leaves out."""
    opening = name + "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Html(f"<{opening}>")
    return Html(f"<{opening}>{join(*children)}</{name}>")


def join(*parts: str | None) -> Html:
    """Parts one after the other; plain strings are escaped, None is left out."""
    return Html("".join(_safe(part) for part in parts if part is not None))


def each(parts: Iterable[str]) -> Html:
    """The same as `join`, for something made in a loop."""
    return join(*parts)


def own_markup(text: str) -> Html:
    """Declare a constant of ours, such as a drawn icon, to be markup. Never for anything read."""
    return Html(text)


def _safe(part: str) -> str:
    return part if isinstance(part, Html) else escape(part, quote=True)


def _attribute(key: str, value: str | bool | int | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    return f' {name}="{escape(str(value), quote=True)}"'
