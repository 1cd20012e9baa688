"""The answer of `python app.py estimate`: one noun for scripts, and its lines for a person.

Figures are told with the same words and digits as on the Plan screen. Nothing is measured or
decided here.
"""

import math
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Estimate
from tailor.estimator.record import record
from tailor.estimator.search import Shortfall, Suggestion
from tailor.estimator.search.feeding import count_checkpointed
from tailor.estimator.workload import Workload
from tailor.ui.terminal.data import printable
from tailor.ui.text_estimate import EstimateText
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.cost_words import cost_words, kwh_words
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    count_words,
    duration_range_words,
)

LABEL_CELLS: Final = 12
PART_CELLS: Final = 37
NARROW_PART_CELLS: Final = 19
ROOMY_WIDTH: Final = 60
"""From here on parts are told by both of their names."""
BILLION: Final = 1e9


@record
class Answer:
    """What was asked and what is promised; `--json` prints it whole."""

    schema: int = 1
    model: str
    parameters: int
    layers: int
    is_generic: bool
    workload: Workload
    hardware: HardwareSpec
    estimate: Estimate
    suggestions: tuple[Suggestion, ...]
    shortfall: Shortfall | None
    notes: tuple[str, ...]


def describe(answer: Answer, width: int) -> Iterator[str]:
    """The whole answer in lines of at most `width` cells."""
    promise = answer.estimate
    yield from _wrapped("", _head(answer), width)
    if answer.is_generic:
        billions = f"{answer.parameters / BILLION:.1f}"
        yield from _wrapped("", EstimateText.GENERIC.format(billions=billions), width)
    yield ""
    verdict = f"{PromiseText.VERDICT[promise.verdict]}. {promise.reason}"
    yield from _wrapped(EstimateText.VERDICT, verdict, width)
    yield from _memory(answer, width)
    for label, words in _figures(answer):
        yield from _wrapped(label, words, width)
    yield from _wrapped(EstimateText.PLAN, " ".join(_plan(answer)), width)
    yield from _list(EstimateText.ADVICE, promise.advice, width)
    yield from _list(EstimateText.ASSUMED, (*answer.notes, *promise.assumed), width)
    yield from _beside(answer, width)


def _head(answer: Answer) -> str:
    cards = answer.hardware.cards
    if not cards:
        machine = EstimateText.PROCESSOR.format(processor=answer.hardware.cpu_name)
    elif answer.workload.cards == 1:
        machine = EstimateText.ONE_CARD.format(card=cards[0].name)
    else:
        machine = EstimateText.CARDS.format(count=answer.workload.cards, card=cards[0].name)
    return EstimateText.HEAD.format(
        model=answer.model,
        technique=EstimateText.TECHNIQUES[answer.workload.technique],
        machine=machine,
    )


def _memory(answer: Answer, width: int) -> Iterator[str]:
    """Memory of a card by part; the fullest card speaks for all."""
    promise = answer.estimate
    told = EstimateText.MEMORY_EACH if len(promise.cards) > 1 else EstimateText.MEMORY_ONE
    needs = bytes_range_words(promise.memory_bytes.low, promise.memory_bytes.high)
    words = told.format(needs=needs, free=bytes_words(promise.capacity_bytes))
    yield from _wrapped(EstimateText.MEMORY, words, width)
    for part in promise.parts:
        if part.bytes:
            name, expert = PromiseText.PARTS[part.name]
            label = f"{name} ({expert})" if width >= ROOMY_WIDTH else name
            cells = PART_CELLS if width >= ROOMY_WIDTH else NARROW_PART_CELLS
            yield f"{'':{LABEL_CELLS}}{label:<{cells}}{bytes_words(part.bytes):>9}"


def _figures(answer: Answer) -> Iterator[tuple[str, str]]:
    promise, seconds = answer.estimate, answer.estimate.seconds
    time = duration_range_words(seconds.low, seconds.high)
    if promise.step_seconds is not None:
        each = _step_words(promise.step_seconds.low, promise.step_seconds.high)
        told = EstimateText.STEPS if answer.workload.steps > 1 else EstimateText.STEP
        steps = told.format(steps=count_words(answer.workload.steps), each=each)
        time = f"{time}: {steps}"
    yield PromiseText.TIME, time
    yield PromiseText.DISK, bytes_words(promise.disk_bytes)
    if promise.download_bytes:
        yield PromiseText.DOWNLOAD, bytes_words(promise.download_bytes)
    if promise.device != "cpu":
        free = bytes_words(answer.hardware.ram_free_bytes)
        needs = bytes_words(promise.ram_bytes)
        yield EstimateText.RAM, EstimateText.RAM_OF.format(needs=needs, free=free)
    if promise.kwh is not None:
        yield PromiseText.ENERGY, kwh_words(promise.kwh)
    yield PromiseText.MONEY, cost_words(promise)


def _step_words(low: float, high: float) -> str:
    """Steps are often shorter than the second that durations are told in."""
    if high >= 10:  # noqa: PLR2004 - from here on whole seconds are exact enough
        return duration_range_words(low, high)
    first, last = f"{low:.2g}", f"{high:.2g}"
    each = last if first == last else f"{first}-{last}"
    return EstimateText.STEP_SECONDS.format(each=each)


def _plan(answer: Answer) -> Iterator[str]:
    workload = answer.workload
    told = EstimateText.FEEDING if workload.cards > 1 else EstimateText.FEEDING_ALONE
    yield told.format(
        rows=count_words(workload.micro_batch_rows * workload.accumulation),
        micro=count_words(workload.micro_batch_rows),
        tokens=count_words(workload.max_length_tokens),
    )
    yield _passes(workload)
    twice = count_checkpointed(workload, answer.layers)
    if twice:
        yield EstimateText.TWICE.format(twice=twice, layers=answer.layers)
    if workload.cards > 1:
        yield EstimateText.SHARED[workload.sharding]


def _passes(workload: Workload) -> str:
    """How often each row is read: twice the rows need not take twice the time."""
    batch = workload.micro_batch_rows * workload.accumulation * workload.cards
    times = round(workload.steps / max(1, math.ceil(workload.lengths.rows / batch)))
    return EstimateText.PASSES.format(times=count_words(times)) if times > 1 else EstimateText.PASS


def _beside(answer: Answer, width: int) -> Iterator[str]:
    """Other plans, or why there is none."""
    if answer.suggestions:
        is_better = answer.suggestions[0].is_improvement
        yield ""
        yield f"{EstimateText.BETTER if is_better else EstimateText.FITTING}:"
        for number, one in enumerate(answer.suggestions, 1):
            yield from _wrapped(f"  {number}.", one.words, width, cells=5)
            yield from _wrapped("", one.gives_up, width, cells=5)
    if answer.shortfall is not None:
        yield ""
        yield f"{EstimateText.NOTHING}:"
        yield from _wrapped("", answer.shortfall.words, width, cells=5)
        yield from _list(EstimateText.WOULD_DO, answer.shortfall.would_do, width)


def _list(label: str, sentences: Iterable[str], width: int) -> Iterator[str]:
    for place, sentence in enumerate(sentences):
        yield from _wrapped("" if place else label, sentence, width, cells=LABEL_CELLS)


def _wrapped(label: str, text: str, width: int, *, cells: int | None = None) -> list[str]:
    """A paragraph behind its label. Nothing out of a name is obeyed by the terminal."""
    indent = LABEL_CELLS if cells is None and label else cells or 0
    return textwrap.wrap(
        printable(text),
        width,
        initial_indent=label.ljust(indent),
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
