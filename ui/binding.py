"""How a handler meets Gradio: services bound in front, the caller read from the request.

Gradio reads a handler's signature to find where `gr.Request` goes; `functools.partial` hides it
(measured on 6.31), so `bind` writes the shortened signature itself. Every page wires with it.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from html import escape
from typing import Any, Final

import gradio as gr

from tailor.engine.errors import UserError
from tailor.ui.guard import OWNER_KEY

READ: Final[dict[str, Any]] = {
    "api_visibility": "private",
    "concurrency_limit": None,
    "show_progress": "hidden",
    # Else the page of Gradio 6.31 writes a status to every component that was ever an output, and
    # looks for each in the whole tree, three times an event: a third of a click (50 ms, measured).
    "show_progress_on": (),
    "trigger_mode": "always_last",
}
"""Settings of an event that reads. The default limit of one would make viewers wait in line."""

IN_ORDER: Final[dict[str, Any]] = {**READ, "trigger_mode": "multiple", "concurrency_limit": 1}
"""Settings of choices that a person makes faster than they are answered: each is sent, and none
overtakes another. "always_last" of Gradio 6.31 loses what came in between (measured)."""

WRITE: Final[dict[str, Any]] = {**READ, "trigger_mode": "once"}
"""Settings of a click: a double click counts once."""


def bind(handler: Callable[..., Any], *first: Any) -> Callable[..., Any]:
    """`handler` with its first arguments given; the rest of its signature stays readable."""

    @wraps(handler)
    def bound(*args: Any, **kwargs: Any) -> Any:
        try:
            return handler(*first, *args, **kwargs)
        except UserError as problem:
            # Handlers show trouble in place; what reaches this line had no place to go to.
            words = escape(f"{problem.detail} {problem.fix}".strip())
            raise gr.Error(words, title=escape(problem.title), print_exception=False) from problem

    signature = inspect.signature(handler)
    del bound.__wrapped__
    kept = [*signature.parameters.values()][len(first) :]
    bound.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return bound


def identity(request: gr.Request) -> str:
    """Who calls, as the guard in front of Gradio found out; empty means the UNIX user."""
    scope = request.request.scope if request.request is not None else {}
    return str(scope.get(OWNER_KEY, ""))
