"""The parts that every screen has: its question, a place for an error, the one button.

They look and behave the same everywhere: the button's sentence says what it will do, and on a
phone both stick to the bottom edge.
"""

import gradio as gr

from tailor.ui.components.action_html import show
from tailor.ui.views.html import NOTHING, Html, element, join


def heading(title: str, why: str) -> gr.HTML:
    """The one question of the screen and the line why it is asked."""
    return show(heading_markup(title, why))


def heading_markup(title: str, why: str) -> Html:
    """The same as markup, for screens whose title depends on what happened."""
    return join(element("h1", title), element("p", why, class_="why") if why else None)


def problem_place() -> gr.HTML:
    """Where an error card appears; takes no room while empty."""
    return show(NOTHING, elem_classes="problem")


def action_bar(label: str, words: str = "", *, back: str = "") -> "ActionBar":
    """The primary button with the sentence that says what it does, and a quiet way back."""
    with gr.Row(elem_classes="action-bar"):
        quiet = gr.Button(back, elem_classes="quiet-button", visible=bool(back))
        promise = show(promise_markup(words))
        button = gr.Button(label, variant="primary", elem_classes="primary-button")
    return ActionBar(button, quiet, promise)


def promise_markup(words: str) -> Html:
    """The sentence beside the primary button."""
    return element("p", words, class_="promise") if words else NOTHING


class ActionBar:
    """The bottom of a screen."""

    def __init__(self, button: gr.Button, back: gr.Button, promise: gr.HTML) -> None:
        """`back` is invisible on the first screen."""
        self.button = button
        self.back = back
        self.promise = promise
