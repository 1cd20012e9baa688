"""A quiet question to the server, so that no page waits for a lost answer.

Gradio 6.31 keeps one stream for a page's answers and ends it when nothing is left to tell. What the
page asks after that end was sent and before it was read has no stream: its answer lies on the
server, and a timer that waits for it never ticks again. The next question opens a stream, and all
that lies there is told. The page reads the end only when it has drawn what came before, so a quick
second click is caught easily: each question that opens no stream of its own is followed by one of
ours, and every few seconds one is asked in any case. Delete when the page opens a stream for what
is still unanswered (client/js, `open_stream`); tests/ui/browser/test_run_screen.py and
test_plan_screen.py have the case.
"""

from typing import Final

import gradio as gr

from tailor.ui.binding import READ

PULSE_SECONDS: Final = 4.0
"""Longest that a page stands still; each pulse costs the server about a millisecond."""

FOLLOW: Final = """
const LATE_MS = 250;
const ask = window.fetch;
let opened = 0, own = 0;
window.fetch = (...asked) => {
  const address = String(asked[0]?.url ?? asked[0]);
  if (address.includes('/queue/data')) { opened = performance.now(); }
  if (address.includes('/queue/join')) {
    const sent = performance.now();
    if (own) { own -= 1; }
    else { setTimeout(() => { if (opened < sent) { own += 1; trigger('click'); } }, LATE_MS); }
  }
  return ask(...asked);
};
"""
"""After a question that opened no stream: either another one is open, and ours costs nothing, or
the answer would lie there."""


def pulse() -> None:
    """Put the pulse into the page that is being built."""
    # Not "always_last": a pulse must be sent although an earlier one waits for its answer.
    asked = {**READ, "trigger_mode": "multiple"}
    gr.Timer(PULSE_SECONDS).tick(_nothing, **asked)
    gr.HTML(html_template="", js_on_load=FOLLOW, elem_classes="address").click(_nothing, **asked)


def _nothing() -> None:
    """The question itself is what helps."""
