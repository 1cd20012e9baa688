"""Why nothing fits, and what would do: more of the computer's memory, larger cards, more cards.

A dead end is told with the number that is missing, so that a person can decide what to buy or whom
to ask. Every amount comes from the smallest plans that the moves can make without cutting a row.
Asked where `nearest_fitting` has no answer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.search.bench import TIGHT, Bench
from tailor.estimator.search.moves import SHORTER, check_frozen, list_structures, smallest
from tailor.estimator.verdict import HOST_HIGH_SHARE, gb
from tailor.estimator.workload import Workload

GIB = 2**30
CARD_SIZES_GIB = (8, 12, 16, 24, 32, 40, 48, 80, 96, 141, 192, 288)
"""Memory of the cards in our table of cards."""
RAM_SIZES_GIB = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
"""Memory that computers are sold with."""
FREE_SHARE = 0.93
"""Of nominal memory that a program can use: cards of 16 to 80 GB give 91 to 99 % (read off
torch)."""
MOST_CARDS = 8
"""Cards that one computer holds."""


@record
class Shortfall:
    """A dead end in words."""

    words: str
    """Why nothing fits."""
    would_do: tuple[str, ...]
    """What would make it fit, one sentence each; empty when nothing that is sold would."""


@record
class _Need:
    """What the smallest plan of one structure needs."""

    device_bytes: float
    """Of each card, or of the computer where it trains itself."""
    ram_bytes: float
    """Of the computer around cards."""
    ram_why: str


def explain_shortfall(
    workload: Workload,
    architecture: Architecture,
    hardware: HardwareSpec,
    *,
    weights_bytes: int,
    frozen: tuple[str, ...] = (),
    calibration: Calibration = SHIPPED,
    download_bytes: int = 0,
) -> Shortfall:
    """Say what is missing, by the plans that need least."""
    fixed = check_frozen(frozen)
    bench = Bench(
        architecture, hardware, weights_bytes=weights_bytes, calibration=calibration,
        download_bytes=download_bytes,
    )  # fmt: skip
    asked = bench.promise(workload)
    if asked.blocked_by == "disk":
        more = gb(asked.disk_bytes + download_bytes - hardware.disk_free_bytes)
        way = f"Free {more} more on the disk, or keep Tailor's files on a larger one."
        return Shortfall(words=asked.reason, would_do=(way,))
    needs = _needs(bench, workload, fixed)
    capacity = asked.capacity_bytes
    if not hardware.cards:
        return _on_processor(needs, hardware)
    words = " ".join(_why(needs, hardware, capacity))
    ways = (
        *_more_ram(needs, hardware, capacity),
        *_larger_cards(needs, hardware, workload.cards),
        *_more_cards(bench, workload, fixed),
    )
    return Shortfall(words=words, would_do=ways)


def _needs(bench: Bench, workload: Workload, fixed: frozenset[str]) -> tuple[_Need, ...]:
    """Of the smallest plan of every structure, rows uncut."""
    needs = []
    for plan in _smallest_plans(bench, workload, fixed):
        memory = bench.memory(plan)
        needs.append(
            _Need(
                device_bytes=memory.bytes.high,
                ram_bytes=memory.host_bytes,
                ram_why=memory.host_why,
            )
        )
    return tuple(needs)


def _smallest_plans(bench: Bench, workload: Workload, fixed: frozenset[str]) -> Iterator[Workload]:
    for structure in list_structures(workload, bench.hardware, fixed):
        yield smallest(structure.workload, bench.architecture, fixed, SHORTER - 1)


def _why(needs: Iterable[_Need], hardware: HardwareSpec, capacity: int) -> Iterator[str]:
    """The smallest shortage on the cards, and the one in the computer's memory where it decides."""
    free = hardware.ram_free_bytes
    yield "Even with every change that saves memory it does not fit."
    in_reach = [need for need in needs if need.ram_bytes <= free]
    if in_reach:
        least = min(need.device_bytes for need in in_reach)
        yield (
            f"The smallest plan may need {gb(least)} on a card, and {gb(capacity)} are free there."
        )
    waiting = [need for need in needs if need.device_bytes <= capacity and need.ram_bytes > free]
    if waiting:
        least_ram = min(waiting, key=lambda need: need.ram_bytes)
        yield (
            f"A plan that fits on the card needs about {gb(least_ram.ram_bytes)} of the computer's "
            f"own memory, {least_ram.ram_why}, and {gb(free)} are free."
        )


def _more_ram(needs: Iterable[_Need], hardware: HardwareSpec, capacity: int) -> Iterator[str]:
    """Memory of the computer that lets a plan fit which the cards could hold."""
    least = min((need.ram_bytes for need in needs if need.device_bytes <= capacity), default=None)
    if least is None:
        return
    yield from _ram_words(least, least * HOST_HIGH_SHARE, hardware)


def _ram_words(likely: float, high: float, hardware: HardwareSpec) -> Iterator[str]:
    if likely <= hardware.ram_free_bytes:
        return
    if likely <= hardware.ram_bytes:
        yield f"Close other programs until {gb(likely)} of the computer's memory are free."
        return
    taken = hardware.ram_bytes - hardware.ram_free_bytes
    just, surely = (_next_size(need + taken, RAM_SIZES_GIB) for need in (likely, high))
    if just is None:
        return
    words = f"{just} GB of memory in the computer would do"
    if surely is not None and surely > just:
        words += f", tightly; {surely} GB would surely do"
    yield f"{words}."


def _larger_cards(needs: Iterable[_Need], hardware: HardwareSpec, cards: int) -> Iterator[str]:
    """As many cards of the next size."""
    free = hardware.ram_free_bytes
    least = min((need.device_bytes for need in needs if need.ram_bytes <= free), default=None)
    if least is None:
        return
    size = _next_size(least / FREE_SHARE, CARD_SIZES_GIB)
    if size is not None:
        told = f"{cards} cards with {size} GB each" if cards > 1 else f"A card with {size} GB"
        yield f"{told} would do."


def _more_cards(bench: Bench, workload: Workload, fixed: frozenset[str]) -> Iterator[str]:
    """More cards of the same kind, the fewest that do."""
    card = bench.hardware.cards[0]
    if card.kind != "cuda" or not fixed.isdisjoint({"cards", "sharding"}):
        return
    for count in range(workload.cards + 1, MOST_CARDS + 1):
        larger = bench.with_hardware(replace(bench.hardware, cards=(card,) * count))
        shared = replace(
            workload, cards=count, sharding="ddp" if workload.cards == 1 else workload.sharding
        )
        if any(larger.rank(plan) < TIGHT for plan in _smallest_plans(larger, shared, fixed)):
            yield (
                f"{count} cards like this one would do."
                if workload.cards == 1
                else (f"{count} cards like these would do.")
            )
            return


def _on_processor(needs: Iterable[_Need], hardware: HardwareSpec) -> Shortfall:
    least = min(need.device_bytes for need in needs)
    words = (
        "Even with every change that saves memory it does not fit. The smallest plan may need "
        f"{gb(least)}, and {gb(hardware.ram_free_bytes)} are free in this computer's memory."
    )
    return Shortfall(words=words, would_do=tuple(_ram_words(least, least, hardware)))


def _next_size(needed_bytes: float, sizes_gib: tuple[int, ...]) -> int | None:
    """The smallest that is sold, or None."""
    return next((size for size in sizes_gib if size * GIB >= needed_bytes), None)
