"""Finished examples: what comes in and what should go out, as typeset text, names in the margin.

The person says yes to these, not to a table of settings. Texts stand exactly as they are.
"""

from tailor.engine.data_types import Conversation
from tailor.recipes.spec import Message
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.tabs import tabs


def conversations(shown: tuple[Conversation, ...]) -> Html:
    """Three examples behind tabs."""
    panels = tuple(
        (DataText.PREVIEW_TAB.format(number=n), conversation(one)) for n, one in enumerate(shown, 1)
    )
    if not panels:
        return element("p", DataText.PREVIEW_EMPTY, class_="empty-place")
    return tabs("preview", DataText.PREVIEW_TITLE, panels)


def conversation(one: Conversation) -> Html:
    """One example in a card, with the number of its row."""
    turns = (
        each(_turn(message) for message in one.messages)
        if one.messages
        else _line("user", DataText.ROLE_TEXT, one.text)
    )
    row = element("p", DataText.PREVIEW_ROW.format(row=one.row_id + 1), class_="small quiet")
    return element("div", turns, row, class_="card conversation")


def _turn(message: Message) -> Html:
    return _line(message.role, DataText.ROLES[message.role], message.content)


def _line(role: str, name: str, said: str) -> Html:
    words = (
        element("div", said, class_="said")
        if said.strip()
        else element("div", DataText.EMPTY_TURN, class_="said quiet")
    )
    return element("div", element("div", name, class_="role"), words, class_=f"example-turn {role}")
