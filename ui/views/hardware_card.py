"""What this computer has, in four figures and one sentence.

People choose a model by what their machine can do; without a graphics card this says so first.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.ui.text import HomeText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import bytes_words


def hardware_card(hardware: HardwareSpec) -> Html:
    """The card."""
    figures = [
        *(
            (HomeText.CARD, card.name, _free(card.free_bytes, card.memory_bytes))
            for card in hardware.cards
        ),
        (HomeText.PROCESSOR, hardware.cpu_name, HomeText.CORES.format(cores=hardware.cpu_cores)),
        (HomeText.MEMORY, _free(hardware.ram_free_bytes, hardware.ram_bytes), ""),
        (HomeText.DISK, HomeText.DISK_FREE.format(free=bytes_words(hardware.disk_free_bytes)), ""),
    ]
    return element(
        "section",
        element("h2", icon("chip"), HomeText.COMPUTER, class_="with-icon"),
        element(
            "p", HomeText.WITH_CARD if hardware.cards else HomeText.NO_CARD, class_="small quiet"
        ),
        element("dl", each(_figure(*figure) for figure in figures), class_="computer"),
        class_="card",
        aria_label=HomeText.COMPUTER_LABEL,
    )


def _free(free_bytes: int, whole_bytes: int) -> str:
    return HomeText.CARD_FREE.format(free=bytes_words(free_bytes), whole=bytes_words(whole_bytes))


def _figure(name: str, value: str, note: str) -> Html:
    return element(
        "div",
        element("dt", name),
        element("dd", value, element("span", note, class_="small quiet") if note else None),
    )
