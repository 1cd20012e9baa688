"""Markup of ours: text can never become markup, whatever a stranger wrote into it."""

import pytest

from tailor.engine.data_types import DataRow
from tailor.engine.findings import Finding, Problem
from tailor.ui.views.choice_cards import Card, choice_cards
from tailor.ui.views.findings import findings_list
from tailor.ui.views.html import Html, each, element, join, own_markup
from tailor.ui.views.problem import error_card
from tailor.ui.views.rows_table import MOST_COLUMNS, rows_table
from tailor.ui.views.tabs import tabs
from tailor.ui.views.waiting import waiting_card

NAUGHTY = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "<thinking>",
    "$$x$$ ${value} {{value}}",
    "![](http://evil.example/x.png)",
)


@pytest.mark.parametrize("text", NAUGHTY)
def test_text_from_outside_stays_text(text: str) -> None:
    shown = [
        element("p", text, title=text),
        error_card(Problem(title=text, detail=text, fix=text)),
        findings_list((Finding(level="warn", title=text, detail=text, fix=text, where=text),)),
        rows_table((text,), (DataRow(id=1, cells=(text,), origin=text),), {}),
        choice_cards(text, text, (Card(value=text, title=text, line=text, facts=(text,)),), text),
        waiting_card(text, text),
    ]
    for markup in shown:
        assert "<img src=x" not in markup
        assert "<script" not in markup
        assert "<thinking" not in markup
        assert ' onmouseover="' not in markup


def test_only_our_own_markup_passes_through() -> None:
    inner = element("b", "bold")
    assert element("p", inner, " & ", "<i>") == "<p><b>bold</b> &amp; &lt;i&gt;</p>"
    assert isinstance(join(inner), Html)
    assert not isinstance(inner + "<i>", Html)
    assert each(["<", ">"]) == "&lt;&gt;"
    assert own_markup("<svg></svg>") == join(own_markup("<svg></svg>"))


def test_attributes_are_left_out_when_they_say_nothing() -> None:
    assert element("input", checked=False, value=None, disabled=True) == "<input disabled>"
    assert (
        element("p", class_="a", aria_label="b", data_x=1)
        == '<p class="a" aria-label="b" data-x="1"></p>'
    )


def test_most_serious_findings_stand_first_each_with_a_word_besides_its_colour() -> None:
    note, stop = (
        Finding(level=level, title=level.upper(), detail="", fix="") for level in ("note", "stop")
    )
    markup = findings_list((note, stop))
    assert markup.index("STOP") < markup.index("NOTE")
    assert "Must be settled" in markup


def test_no_findings_say_that_all_is_well() -> None:
    assert "All is well" in findings_list((), none="All is well")
    assert findings_list(()) == ""


def test_an_error_card_is_announced() -> None:
    assert 'role="alert"' in error_card(Problem(title="a", detail="b", fix="c"))
    assert error_card(None) == ""


def test_many_columns_are_counted_not_shown() -> None:
    columns = tuple(f"column {n}" for n in range(MOST_COLUMNS + 3))
    assert "and 3 more columns" in rows_table(columns, (), {})


def test_one_panel_needs_no_tabs() -> None:
    assert "radiogroup" not in tabs("t", "label", (("One", element("p", "x")),))
    two = tabs("t", "label", (("One", element("p", "x")), ("Two", element("p", "y"))))
    assert two.count('type="radio"') == 2
    assert two.count(" checked") == 1
