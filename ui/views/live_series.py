"""From a run's curves to what the live chart draws, with one sentence on what it means. Pure.

A curve without words is only for those who know curves. The chart gets its two lines, the ring on
the version that is kept, and the sentence beneath; colours are the browser's, by role.
"""

from html import escape
from typing import Any, Final

from tailor.engine.types import RunRecord, Series, Trace
from tailor.ui.text_run import CurveText
from tailor.ui.views.quantities import count_words

HELD_OUT: Final = "loss/held_out"
TRAIN: Final = "loss/train"
NAMES: Final = (TRAIN, HELD_OUT)
SHORTEST_AXIS_STEPS: Final = 10
ROOM: Final = 1.2
"""How much longer than the curve the axis of a live run is."""
LEVEL: Final = 0.01
"""A change below one part in a hundred is called level."""

ChartValue = dict[str, Any]
"""What the browser gets: lines by role, the words around them, the sentence."""


def chart_value(run: RunRecord, series: Series, *, is_live: bool) -> ChartValue:
    """Everything that the chart shows. Names are escaped: the drawing library takes markup."""
    best_step = run.progress.best_step
    train, held_out = _trace(series, TRAIN), _trace(series, HELD_OUT)
    lines = [
        _line(trace, role, words)
        for trace, role, words in (
            (train, "train", CurveText.TRAIN),
            (held_out, "held_out", CurveText.HELD_OUT),
        )
        if trace.steps
    ]
    return {
        "run": run.id,
        "lines": lines,
        "best": _best(held_out, best_step),
        "x_end": _x_end(run, lines, is_live=is_live),
        "x": escape(CurveText.X),
        "y": escape(CurveText.Y),
        "y_expert": escape(CurveText.Y_EXPERT),
        "waiting": CurveText.WAITING if is_live else "",
        "sentence": chart_sentence(series, best_step=best_step, is_live=is_live),
    }


def chart_sentence(series: Series, *, best_step: int | None, is_live: bool) -> str:
    """What the curve means, in one sentence."""
    train, held_out = _trace(series, TRAIN), _trace(series, HELD_OUT)
    if not train.steps and not held_out.steps:
        return CurveText.WAITING_SENTENCE if is_live else CurveText.ENDED_EMPTY
    if held_out.steps == (0,) and not train.steps and is_live:
        return CurveText.UNTOUCHED.format(first=_figure(held_out.values[0]))
    if len(held_out.steps) < 2:  # noqa: PLR2004 - a change needs two points
        return CurveText.FIRST_POINTS if is_live else CurveText.NO_CHECK
    first, last = held_out.values[0], held_out.values[-1]
    best, best_value = _best_point(held_out, best_step)
    if best_value >= first:
        return CurveText.NOT_BETTER.format(first=_figure(first))
    words = {
        "first": _figure(first),
        "last": _figure(last),
        "best": count_words(best),
        "best_value": _figure(best_value),
    }
    return _meaning(held_out, best, best_value, is_live).format(**words)


def _meaning(held_out: Trace, best: int, best_value: float, is_live: bool) -> str:
    if not is_live:
        return CurveText.ENDED
    last, before = held_out.values[-1], held_out.values[-2]
    if best < held_out.steps[-1] and last > best_value * (1 + LEVEL):
        return CurveText.UP
    if abs(before - last) <= LEVEL * before:
        return CurveText.FLAT
    return CurveText.DOWN


def _best_point(held_out: Trace, best_step: int | None) -> tuple[int, float]:
    """The version that is kept: as the engine says, else the lowest point."""
    if best_step in held_out.steps:
        place = len(held_out.steps) - 1 - held_out.steps[::-1].index(best_step)
    else:
        place = min(range(len(held_out.steps)), key=held_out.values.__getitem__)
    return held_out.steps[place], held_out.values[place]


def _best(held_out: Trace, best_step: int | None) -> dict[str, Any] | None:
    """The ring; the untouched model is no version that could be kept."""
    if not held_out.steps:
        return None
    step, value = _best_point(held_out, best_step)
    if step == 0:
        return None
    return {"step": step, "value": value, "words": escape(CurveText.BEST)}


def _x_end(run: RunRecord, lines: list[dict[str, Any]], *, is_live: bool) -> int:
    """Where the axis ends: a little ahead of a live run, so that there is room to grow."""
    last = max((line["x"][-1] for line in lines), default=0)
    if not is_live:
        return max(1, last)
    return max(1, min(run.plan.steps, max(SHORTEST_AXIS_STEPS, round(last * ROOM))))


def _line(trace: Trace, role: str, words: str) -> dict[str, Any]:
    return {
        "role": role,
        "name": escape(words),
        "x": list(trace.steps),
        "y": [round(value, 5) for value in trace.values],
    }


def _trace(series: Series, name: str) -> Trace:
    for trace in series.traces:
        if trace.name == name:
            return trace
    return Trace(name=name, steps=(), values=())


def _figure(value: float) -> str:
    return f"{value:.2f}"
