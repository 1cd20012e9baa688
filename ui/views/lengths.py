"""How long the rows are, as bars, with the model's limit as a line when it is near.

Drawn as plain blocks, not as a chart: it never changes while one looks at it, and every bar has its
sentence for a pointer and for a screen reader.
"""

from tailor.estimator.workload import LengthHistogram
from tailor.ui.text_data import CheckText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.quantities import count_words


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
            return element("div", words, class_="limit-line", style=f"left:{100 * share:.1f}%")
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
