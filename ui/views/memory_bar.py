"""The memory bar: each part of a run's memory, the free line, and what other programs hold.

A number alone does not tell why a run is big; the bar shows which part it is. The promise card
draws it before a run and the result page draws it beside what was measured.
"""

from tailor.estimator.estimate import Estimate
from tailor.estimator.hardware import HardwareSpec
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.quantities import bytes_words

NARROWEST_SHARE = 0.004
"""A part thinner than this would be invisible; it is drawn this wide."""


def memory_total_bytes(estimate: Estimate, hardware: HardwareSpec) -> int:
    """All memory of the device that the run uses, whoever holds it now."""
    if estimate.device == "cuda" and hardware.cards:
        return hardware.cards[0].memory_bytes
    return hardware.ram_bytes


def memory_bar(estimate: Estimate, hardware: HardwareSpec) -> Html:
    """Bar and legend. Colours repeat what the legend says in words."""
    total = max(memory_total_bytes(estimate, hardware), estimate.capacity_bytes)
    scale = max(total, estimate.memory_bytes.high, 1)
    others = max(0, total - estimate.capacity_bytes)
    return element(
        "div",
        element(
            "div",
            each(_part(part.name, part.bytes / scale) for part in estimate.parts if part.bytes),
            _worst_case(estimate, scale),
            _others(estimate.capacity_bytes, others, scale),
            element(
                "span", class_="free-line", style=_left(min(1.0, estimate.capacity_bytes / scale))
            ),
            class_="memory-bar",
            role="img",
            aria_label=_spoken(estimate),
        ),
        _legend(estimate, others),
        class_="memory",
    )


def _part(name: str, share: float) -> Html:
    width = max(NARROWEST_SHARE, share)
    return element("span", class_=f"memory-part {name}", style=f"width:{width:.2%}")


def _worst_case(estimate: Estimate, scale: float) -> Html:
    spread = max(0.0, estimate.memory_bytes.high - estimate.memory_bytes.likely) / scale
    return element("span", class_="memory-part worst", style=f"width:{spread:.2%}")


def _others(capacity_bytes: int, others_bytes: int, scale: float) -> Html | None:
    if not others_bytes:
        return None
    place = f"{_left(capacity_bytes / scale)};width:{others_bytes / scale:.2%}"
    return element("span", class_="memory-others", style=place)


def _left(share: float) -> str:
    return f"left:{share:.2%}"


def _legend(estimate: Estimate, others: int) -> Html:
    free = PromiseText.FREE_LINE.format(free=bytes_words(estimate.capacity_bytes))
    taken = PromiseText.OTHERS.format(others=bytes_words(others))
    return element(
        "ul",
        each(_legend_part(part.name, part.bytes) for part in estimate.parts if part.bytes),
        element("li", element("span", class_="swatch worst"), PromiseText.RANGE),
        element("li", element("span", class_="swatch line"), free),
        element("li", element("span", class_="swatch others"), taken) if others else None,
        class_="memory-legend",
    )


def _legend_part(name: str, count: int) -> Html:
    words, expert = PromiseText.PARTS[name]
    return element(
        "li",
        element("span", class_=f"swatch {name}"),
        words,
        element("span", expert, class_="real-name"),
        element("span", bytes_words(count), class_="figure"),
    )


def _spoken(estimate: Estimate) -> str:
    parts = ", ".join(
        f"{PromiseText.PARTS[part.name][0]} {bytes_words(part.bytes)}"
        for part in estimate.parts
        if part.bytes
    )
    return PromiseText.BAR.format(parts=parts, free=bytes_words(estimate.capacity_bytes))
