"""Memory bars: each part of a run's memory, the free line, and what other programs hold.

A number alone does not tell why a run is big; a bar shows which part it is. The promise card draws
one for each card that works on the run, or one for the computer's own memory. Bars of one card are
drawn to one scale, so that they can be compared.
"""

from collections.abc import Iterable
from itertools import zip_longest

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Estimate, MemoryPart, Range
from tailor.estimator.record import record
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.quantities import bytes_range_words, bytes_words

NARROWEST_SHARE = 0.004
"""A part thinner than this would be invisible; it is drawn this wide."""


@record
class Bar:
    """One memory to fill."""

    name: str
    """The card's, empty where there is only one memory."""
    parts: tuple[MemoryPart, ...]
    need_bytes: Range
    capacity_bytes: int
    total_bytes: int
    """All there is, whoever holds it now."""

    @property
    def others_bytes(self) -> int:
        """What other programs hold."""
        return max(0, self.total_bytes - self.capacity_bytes)


def read_bars(estimate: Estimate, hardware: HardwareSpec) -> tuple[Bar, ...]:
    """A bar for each card that works on the run; one where there is one memory."""
    if len(estimate.cards) > 1:
        pairs = zip_longest(estimate.cards, hardware.cards[: len(estimate.cards)])
        return tuple(
            Bar(
                name=card.name,
                parts=card.parts,
                need_bytes=card.memory_bytes,
                capacity_bytes=card.capacity_bytes,
                total_bytes=max(card.capacity_bytes, real.memory_bytes if real else 0),
            )
            for card, real in pairs
        )
    is_card = estimate.device != "cpu" and hardware.cards
    total = hardware.cards[0].memory_bytes if is_card else hardware.ram_bytes
    return (
        Bar(
            name="",
            parts=estimate.parts,
            need_bytes=estimate.memory_bytes,
            capacity_bytes=estimate.capacity_bytes,
            total_bytes=max(total, estimate.capacity_bytes),
        ),
    )


def memory_bars(estimate: Estimate, hardware: HardwareSpec) -> Html:
    """The bars and one legend. Colours repeat what the legend says in words."""
    bars = read_bars(estimate, hardware)
    scale = max(1.0, *(max(bar.total_bytes, bar.need_bytes.high) for bar in bars))
    return element(
        "div",
        each(_bar(bar, scale, number) for number, bar in enumerate(bars, start=1)),
        _legend(bars),
        class_="memory",
    )


def _bar(bar: Bar, scale: float, number: int) -> Html:
    drawn = element(
        "div",
        each(_part(part.name, part.bytes / scale) for part in bar.parts if part.bytes),
        _worst_case(bar, scale),
        _others(bar, scale),
        element("span", class_="free-line", style=_left(min(1.0, bar.capacity_bytes / scale))),
        class_="memory-bar",
        role="img",
        aria_label=_spoken(bar, number),
    )
    if not bar.name:
        return drawn
    return element("div", _card_line(bar, number), drawn, class_="card-memory")


def _card_line(bar: Bar, number: int) -> Html:
    need = bar.need_bytes
    figure = PromiseText.MEMORY_FIGURE.format(
        needs=bytes_range_words(need.low, need.high), free=bytes_words(bar.capacity_bytes)
    )
    return element(
        "p",
        element("span", PromiseText.CARD_NAME.format(number=number, name=bar.name)),
        element("span", figure, class_="figure"),
        class_="card-line",
    )


def _part(name: str, share: float) -> Html:
    width = max(NARROWEST_SHARE, share)
    return element("span", class_=f"memory-part {name}", style=f"width:{width:.2%}")


def _worst_case(bar: Bar, scale: float) -> Html:
    spread = max(0.0, bar.need_bytes.high - bar.need_bytes.likely) / scale
    return element("span", class_="memory-part worst", style=f"width:{spread:.2%}")


def _others(bar: Bar, scale: float) -> Html | None:
    if not bar.others_bytes:
        return None
    place = f"{_left(bar.capacity_bytes / scale)};width:{bar.others_bytes / scale:.2%}"
    return element("span", class_="memory-others", style=place)


def _left(share: float) -> str:
    return f"left:{share:.2%}"


def _legend(bars: tuple[Bar, ...]) -> Html:
    names = dict.fromkeys(part.name for bar in bars for part in bar.parts if part.bytes)
    free = PromiseText.FREE_LINE.format(free=_span(bar.capacity_bytes for bar in bars))
    others = [bar.others_bytes for bar in bars]
    taken = PromiseText.OTHERS.format(others=_span(others))
    return element(
        "ul",
        each(_legend_part(name, bars) for name in names),
        element("li", element("span", class_="swatch worst"), PromiseText.RANGE),
        element("li", element("span", class_="swatch line"), free),
        element("li", element("span", class_="swatch others"), taken) if any(others) else None,
        class_="memory-legend",
    )


def _legend_part(name: str, bars: tuple[Bar, ...]) -> Html:
    words, expert = PromiseText.PARTS[name]
    sizes = [sum(part.bytes for part in bar.parts if part.name == name) for bar in bars]
    return element(
        "li",
        element("span", class_=f"swatch {name}"),
        words,
        element("span", expert, class_="real-name"),
        element("span", _span(sizes), class_="figure"),
    )


def _span(sizes: Iterable[int]) -> str:
    """One figure where all cards have the same, else the least and the most."""
    all_of_them = tuple(sizes)
    return bytes_range_words(min(all_of_them), max(all_of_them))


def _spoken(bar: Bar, number: int) -> str:
    parts = ", ".join(
        f"{PromiseText.PARTS[part.name][0]} {bytes_words(part.bytes)}"
        for part in bar.parts
        if part.bytes
    )
    words = PromiseText.BAR.format(parts=parts, free=bytes_words(bar.capacity_bytes))
    if not bar.name:
        return words
    return f"{PromiseText.CARD_NAME.format(number=number, name=bar.name)}. {words}"
