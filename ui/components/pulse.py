"""A quiet question to the server every few seconds, so that no page waits for a lost answer.

Gradio 6.31 keeps one stream for a page's answers and ends it when nothing is left to tell. What the
page asks after that end was sent and before it was read has no stream: its answer lies on the
server, and a timer that waits for it never ticks again. The next question opens a stream, and all
that lies there is told. Delete when the page opens a stream for what is still unanswered
(client/js, `open_stream`); tests/ui/browser/test_run_screen.py has the case.
"""

from typing import Final

import gradio as gr

from tailor.ui.binding import READ

PULSE_SECONDS: Final = 4.0
"""Longest that a page stands still; each pulse costs the server about a millisecond."""


def pulse() -> None:
    """Put the pulse into the page that is being built."""
    # Not "always_last": a pulse must be sent although an earlier one waits for its answer.
    asked = {**READ, "trigger_mode": "multiple"}
    gr.Timer(PULSE_SECONDS).tick(_nothing, **asked)


def _nothing() -> None:
    """The question itself is what helps."""
