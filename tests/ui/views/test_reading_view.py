"""What the model will read: exact, marked, and with the counts beneath."""

import re
from html import unescape

from tailor.engine.data_types import RenderedExample, Span
from tailor.estimator.workload import LengthHistogram
from tailor.ui.views.lengths import lengths_chart
from tailor.ui.views.reading_view import reading_page, reading_view

SPANS = (
    Span(text="<|im_start|>user\nAdd 2 & 2 <b>\n<|im_end|>", kind="read"),
    Span(text="It is 4.", kind="learned"),
    Span(text="<|im_end|>", kind="end"),
    Span(text=" never read", kind="cut"),
)
EXAMPLE = RenderedExample(
    which="longest", row_id=17, spans=SPANS, read_tokens=1812, learned_tokens=143
)
LENGTHS = LengthHistogram(
    edges_tokens=(10, 20, 30, 40),
    counts=(4, 8, 0, 1),
    total_tokens=200,
    learned_tokens=50,
    longest_tokens=38,
)


def test_the_shown_text_is_the_read_text_exactly() -> None:
    page = reading_page(EXAMPLE)
    body = re.search(r'class="reading"[^>]*>(.*)</div><p', page, re.DOTALL)
    assert body is not None
    without_icons = re.sub(r"<svg.*?</svg>", "", body.group(1))
    text = unescape(re.sub(r"<[^>]+>", "", without_icons))
    assert text == "".join(span.text for span in SPANS)


def test_learned_cut_and_end_are_marked_by_more_than_colour() -> None:
    page = reading_page(EXAMPLE)
    assert '<span class="learned">It is 4.</span>' in page
    assert '<del class="cut"> never read</del>' in page
    assert "end-mark" in page
    assert "<svg" in page


def test_counts_are_told_in_words() -> None:
    assert "Row 17: reads 1,812 pieces of words, learns to write 143." in reading_page(EXAMPLE)


def test_the_legend_names_only_what_is_there() -> None:
    plain = RenderedExample(
        which="typical", row_id=0, spans=SPANS[:2], read_tokens=1, learned_tokens=1
    )
    assert "cut off" not in reading_view((plain,))
    assert "cut off" in reading_view((EXAMPLE,))
    assert reading_view(()) == ""


def test_lengths_below_the_limit_need_no_line() -> None:
    chart = lengths_chart(LENGTHS, limit_tokens=8192, cut_rows=0)
    assert "limit-line" not in chart
    assert "The longest row has 38 pieces. The model reads up to 8,192" in chart
    assert chart.count('class="bar-slot"') == 4


def test_the_limit_stands_where_it_cuts() -> None:
    chart = lengths_chart(LENGTHS, limit_tokens=25, cut_rows=1)
    assert "left:62.5%" in chart
    assert "1 of 13 rows are longer than 25 pieces" in chart
    assert chart.count('class="bar cut"') == 2


def test_no_rows_draw_nothing() -> None:
    empty = LengthHistogram(
        edges_tokens=(), counts=(), total_tokens=0, learned_tokens=0, longest_tokens=0
    )
    assert lengths_chart(empty, limit_tokens=1, cut_rows=0) == ""
