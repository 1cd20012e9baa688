"""How long the rows are, as bars, with the limit as a line when it is near, and what can be done.

Drawn as plain blocks, not as a chart: it never changes while one looks at it, and every bar has its
sentence for a pointer and for a screen reader.
"""

from tailor.engine.data_types import RenderReport
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.limit_choices import LimitChoice
from tailor.ui.row_limit import added_memory_bytes, higher_limits, knob_value
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.quantities import bytes_words, count_words

ROOM_FOR_WORDS = 0.75
"""Further right than this the words stand before the line."""
NOTICED_BYTES = 50 * 1024**2
"""Less memory than this decides nothing."""


def lengths_part(report: RenderReport) -> Html:
    """The chart, and ways out where answers would be cut."""
    chart = lengths_chart(
        report.spec.lengths, limit_tokens=report.max_length_tokens, cut_rows=report.cut_rows
    )
    return join(chart, _ways_out(report) if report.cut_rows else None)


def lengths_chart(lengths: LengthHistogram, *, limit_tokens: int, cut_rows: int) -> Html:
    """Bars, limit and the sentence what it means."""
    most = max(lengths.counts, default=0)
    if most == 0:
        return join()
    bars = each(
        _bar(edge, count, most, is_cut=edge > limit_tokens)
        for edge, count in zip(lengths.edges_tokens, lengths.counts, strict=True)
    )
    return element(
        "figure",
        element("div", bars, _limit_line(lengths, limit_tokens), class_="bars", aria_hidden="true"),
        element(
            "div",
            element("span", "0"),
            element("span", count_words(lengths.edges_tokens[-1])),
            class_="bars-axis",
            aria_hidden="true",
        ),
        element("figcaption", _sentence(lengths, limit_tokens, cut_rows)),
        element("p", CheckText.LENGTHS_UNIT, class_="small quiet"),
        class_="lengths",
    )


def _ways_out(report: RenderReport) -> Html:
    count = count_words(len(report.long_row_ids))
    leave = _button("leave_long", CheckText.LEAVE_LONG.format(count=count), CheckText.LEAVE_WORDS)
    return element(
        "div",
        each(_raise(report, limit) for limit in higher_limits(report)),
        leave if report.long_row_ids else None,
        class_="ways-out",
    )


def _raise(report: RenderReport, limit: LimitChoice) -> Html:
    more = added_memory_bytes(report, limit)
    price = (
        CheckText.RAISE_PRICE.format(bytes=bytes_words(more))
        if more >= NOTICED_BYTES
        else CheckText.RAISE_FREE
    )
    label = CheckText.RAISE.format(limit=count_words(limit.tokens))
    return _button(f"limit:{knob_value(limit)}", label, f"{_rest_words(limit.cut_rows)} {price}")


def _rest_words(cut_rows: int) -> str:
    if cut_rows == 0:
        return CheckText.RAISE_WHOLE
    if cut_rows == 1:
        return CheckText.RAISE_REST_ONE
    return CheckText.RAISE_REST.format(count=count_words(cut_rows))


def _button(word: str, label: str, words: str) -> Html:
    return element(
        "div",
        element(
            "button", label, type="button", data_send=word, id=word.replace(":", "-"),
            class_="own-button small-button",
        ),
        element("p", words, class_="small quiet"),
        class_="way-out",
    )  # fmt: skip


def _bar(edge: int, count: int, most: int, *, is_cut: bool) -> Html:
    words = CheckText.LENGTHS_BAR.format(edge=count_words(edge), count=count_words(count))
    height = max(2.0, 100 * count / most) if count else 0
    fill = element("div", class_="bar cut" if is_cut else "bar", style=f"height:{height:.1f}%")
    return element("div", fill, class_="bar-slot", title=words)


def _limit_line(lengths: LengthHistogram, limit_tokens: int) -> Html | None:
    """A line where the limit falls between the bars; none when every row is shorter."""
    edges = lengths.edges_tokens
    if limit_tokens >= lengths.longest_tokens:
        return None
    lower = 0
    for n, edge in enumerate(edges):
        if edge >= limit_tokens:
            share = (n + (limit_tokens - lower) / max(1, edge - lower)) / len(edges)
            words = CheckText.LENGTHS_LIMIT.format(limit=count_words(limit_tokens))
            side = "limit-line left" if share > ROOM_FOR_WORDS else "limit-line"
            return element("div", words, class_=side, style=f"left:{100 * share:.1f}%")
        lower = edge
    return None


def _sentence(lengths: LengthHistogram, limit_tokens: int, cut_rows: int) -> str:
    if cut_rows:
        return CheckText.LENGTHS_CUT.format(
            cut=count_words(cut_rows),
            rows=count_words(lengths.rows),
            limit=count_words(limit_tokens),
        )
    return CheckText.LENGTHS_ALL_FIT.format(
        longest=count_words(lengths.longest_tokens), limit=count_words(limit_tokens)
    )
