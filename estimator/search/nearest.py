"""The nearest plans that fit: the least harm first, then plans that win back time for more harm.

Memory falls with every move, so a level of harm is ruled out with one look at its smallest plan,
and what is left is narrowed by halving. Effective batch, number of cards and whatever a person has
fixed stay as they are. `nearest_fitting` is the front door; the room of a plan that fits is
`roomier.py`'s.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.cost import Price
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.search.bench import FITS, TIGHT, Bench
from tailor.estimator.search.feeding import choose_feeding
from tailor.estimator.search.moves import (
    ADAPTER,
    COARSER_NOTES,
    GRAVEST,
    NO_HARM,
    OTHER_SHARING,
    PACKED,
    SHORTER,
    SLOWER,
    SMALLER_PIECES,
    Structure,
    can_checkpoint,
    check_frozen,
    list_limits,
    list_pieces,
    list_structures,
    smallest,
    with_limit,
)
from tailor.estimator.search.roomier import use_room
from tailor.estimator.search.suggestion import ModelChoice, Suggestion
from tailor.estimator.search.tell import tell, tell_model
from tailor.estimator.search.words import cut_shares
from tailor.estimator.workload import Workload

FASTER_ENOUGH = {COARSER_NOTES: 0.9, PACKED: 0.9, OTHER_SHARING: 0.9, SHORTER: 0.75, ADAPTER: 0.75}
NOTICEABLE = 0.97
"""A graver plan is told beside a milder one when it takes at most this share of its time: more harm
must buy more."""
STORED_BYTES = 2
"""Model folders hold 16-bit weights."""


OF_FEEDING = frozenset((SLOWER, SMALLER_PIECES, SHORTER))
"""Levels of harm that any structure can reach by how it is fed and where its rows are cut."""


@record
class _Start:
    """A structure with its rows cut as little as possible, before it is fed."""

    workload: Workload
    harms: float
    cut_tokens: float
    has_to_feed: bool
    """The level's own move is smaller pieces, so the present ones are no plan of it."""


@record
class _Found:
    """A plan that fits, and how long its steps take."""

    workload: Workload
    rank: int
    seconds: float


@record
class _Level:
    """One level of harm of one search."""

    harm: int
    bound: int
    """The worst verdict that is good enough."""
    is_first: bool
    """Nothing milder was found, so the least cut of rows comes before the fewest moves."""

    def order(self, start: _Start) -> tuple[float, float]:
        """Smaller is better; time decides between equals."""
        if self.is_first:
            return start.cut_tokens, start.harms
        return start.harms, start.cut_tokens


def nearest_fitting(
    workload: Workload,
    architecture: Architecture,
    hardware: HardwareSpec,
    *,
    limit: int = 3,
    frozen: tuple[str, ...] = (),
    weights_bytes: int | None = None,
    calibration: Calibration = SHIPPED,
    price: Price | None = None,
    download_bytes: int = 0,
    candidates: tuple[ModelChoice, ...] = (),
) -> tuple[Suggestion, ...]:
    """Plans near `workload` that fit; where it fits itself, plans that use the room that is left.

    `frozen` names fields of the workload that stay as they are. `candidates` are models that may
    take the place of this one. Empty when nothing fits: `explain_shortfall` then says why.
    """
    fixed = check_frozen(frozen)
    stored = STORED_BYTES * architecture.parameters if weights_bytes is None else weights_bytes
    bench = Bench(
        architecture, hardware, weights_bytes=stored, calibration=calibration, price=price,
        download_bytes=download_bytes,
    )  # fmt: skip
    if bench.promise(workload).verdict == "fits":
        return use_room(bench, workload, fixed, limit)
    found: list[Suggestion] = []
    for one in _search(bench, workload, fixed):
        suggestion = tell(bench, workload, one)
        if suggestion.estimate.verdict != "will_not_fit":
            found.append(suggestion)
        if len(found) >= limit:
            return tuple(found[:limit])
    with_other = _smaller_model(bench, workload, fixed, candidates)
    return (*found, *with_other)[:limit]


def _search(bench: Bench, asked: Workload, fixed: frozenset[str]) -> Iterator[Workload]:
    """The best plan of each level of harm that is worth telling, the mildest first."""
    structures = list_structures(asked, bench.hardware, fixed)
    bounds = (FITS,) if bench.promise(asked).verdict == "tight" else (FITS, TIGHT)
    told: list[_Found] = []
    for harm in range(GRAVEST + 1):
        for bound in bounds:
            level = _Level(harm=harm, bound=bound, is_first=not told)
            best = _best_of(bench, asked, fixed, structures, level)
            if best is not None:
                break
        if best is None or not _is_worth_telling(best, harm, told):
            continue
        told.append(best)
        yield _without_needless(bench, asked, best)


def _is_worth_telling(found: _Found, harm: int, milder: list[_Found]) -> bool:
    """More harm must buy a safer fit or time."""
    if not milder:
        return True
    is_safer = found.rank < min(one.rank for one in milder)
    fastest = min(one.seconds for one in milder)
    return is_safer or found.seconds <= FASTER_ENOUGH.get(harm, NOTICEABLE) * fastest


def _best_of(
    bench: Bench,
    asked: Workload,
    fixed: frozenset[str],
    structures: tuple[Structure, ...],
    level: _Level,
) -> _Found | None:
    """The best plan whose gravest move has this harm."""
    starts = _in_order(_starts(bench, fixed, structures, level), level)
    for _, equals in groupby(starts, key=level.order):
        fed = [_feed(bench, start, fixed, level) for start in equals]
        found = [
            _Found(workload=made, rank=bench.rank(made), seconds=bench.seconds(made))
            for made in fed
            if made is not None and made != asked
        ]
        if found:
            return min(found, key=lambda one: one.seconds)
    return None


def _in_order(starts: Iterator[_Start], level: _Level) -> Iterator[_Start]:
    """Starts come with rising harm; only where cuts come first must all of them be looked at."""
    if level.is_first and level.harm >= SHORTER:
        yield from sorted(starts, key=level.order)
        return
    for _, equals in groupby(starts, key=lambda start: start.harms):
        yield from sorted(equals, key=level.order)


def _starts(
    bench: Bench,
    fixed: frozenset[str],
    structures: tuple[Structure, ...],
    level: _Level,
) -> Iterator[_Start]:
    """Structures that can fit at this level, with rising harm."""
    for structure in sorted(structures, key=lambda one: one.harms):
        is_own = structure.worst == level.harm
        if not is_own and (structure.worst > level.harm or level.harm not in OF_FEEDING):
            continue
        asked = structure.workload
        if not bench.within(level.bound)(smallest(asked, bench.architecture, fixed, level.harm)):
            continue
        made: Workload | None = asked
        if level.harm >= SHORTER:
            made = _cut_least(bench, asked, fixed, level, has_to_cut=not is_own)
        if made is None:
            continue
        is_cut = made.max_length_tokens < asked.max_length_tokens
        lost = cut_shares(made.lengths, made.max_length_tokens)[1] if is_cut else 0.0
        yield _Start(
            workload=made,
            harms=structure.harms,
            cut_tokens=lost,
            has_to_feed=not is_own and level.harm == SMALLER_PIECES,
        )


def _cut_least(
    bench: Bench, made: Workload, fixed: frozenset[str], level: _Level, *, has_to_cut: bool
) -> Workload | None:
    """The longest limit on rows that fits when everything milder is done."""

    def can_fit(limited: Workload) -> bool:
        floor = smallest(limited, bench.architecture, fixed, SHORTER - 1)
        return bench.within(level.bound)(floor)

    if not has_to_cut and can_fit(made):
        return made
    limits = list_limits(made, fixed)
    if not limits or not can_fit(with_limit(made, limits[-1])):
        return None
    too_long, short_enough = -1, len(limits) - 1
    while short_enough - too_long > 1:
        middle = (too_long + short_enough) // 2
        if can_fit(with_limit(made, limits[middle])):
            short_enough = middle
        else:
            too_long = middle
    return with_limit(made, limits[short_enough])


def _feed(bench: Bench, start: _Start, fixed: frozenset[str], level: _Level) -> Workload | None:
    """The quickest feeding that this level allows; None where it has to change and cannot."""
    made = start.workload
    pieces: tuple[int, ...] = (made.micro_batch_rows,)
    if level.harm >= SMALLER_PIECES:
        pieces = list_pieces(made, fixed)
    if start.has_to_feed:
        pieces = tuple(rows for rows in pieces if rows < made.micro_batch_rows)
    return choose_feeding(
        made,
        bench.layers,
        pieces,
        fits=bench.within(level.bound),
        seconds=bench.seconds,
        may_checkpoint=level.harm > NO_HARM and can_checkpoint(fixed),
    )


def _without_needless(bench: Bench, asked: Workload, found: _Found) -> Workload:
    """Harmless changes are taken back where the plan fits and is as quick without them."""
    made = found.workload
    for field in ("attention", "optimizer", "adapter_dropout"):
        is_harmless = field != "optimizer" or made.optimizer == "adamw"
        if not is_harmless:
            continue
        with_old = replace(made, **{field: getattr(asked, field)})
        is_as_good = bench.rank(with_old) <= found.rank
        if is_as_good and bench.seconds(with_old) * NOTICEABLE <= found.seconds:
            made = with_old
    return made


def _smaller_model(
    bench: Bench,
    asked: Workload,
    fixed: frozenset[str],
    candidates: tuple[ModelChoice, ...],
) -> Iterator[Suggestion]:
    """The largest of the smaller models that fits as the plan is, or in smaller pieces."""
    size = bench.architecture.parameters
    smaller = [one for one in candidates if one.architecture.parameters < size]
    for choice in sorted(smaller, key=lambda one: -one.architecture.parameters):
        other = bench.with_model(choice.architecture, choice.weights_bytes)
        fed = choose_feeding(
            asked,
            other.layers,
            list_pieces(asked, fixed),
            fits=other.within(FITS),
            seconds=other.seconds,
            may_checkpoint=can_checkpoint(fixed),
        )
        if fed is None or other.promise(fed).verdict == "will_not_fit":
            continue
        yield tell_model(bench, asked, other, fed, choice)
        return
