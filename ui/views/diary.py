"""The diary of a run: what happened, newest first, in the engine's sentences. Pure.

Whoever comes back in the morning wants the night's story, not a log. Troubles that healed are
marked "care"; nothing here is red, since nothing here needs the reader.
"""

from tailor.engine.types import DiaryLine
from tailor.ui.text_run import RunText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import clock_words


def diary_html(lines: tuple[DiaryLine, ...], *, now: float) -> Html:
    """Time at the left, sentence at the right."""
    if not lines:
        return element("p", RunText.DIARY_EMPTY, class_="empty")
    return element("ol", each(_line(line, now) for line in reversed(lines)), class_="diary")


def _line(line: DiaryLine, now: float) -> Html:
    sign = icon("care") if line.level == "care" else None
    return element(
        "li",
        element("time", clock_words(line.at, now=now), class_="figure"),
        element("span", sign, line.words),
        class_="care" if line.level == "care" else None,
    )
