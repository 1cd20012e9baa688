"""From a few layers to all of them: which depths are traced, and when their answers may be
prolonged.

Layers that are alike add the same bytes each, so two or three shallow models tell a deep one. That
holds as long as one operation holds the peak of a phase at every depth; another may take over as
layers are added, and then the whole model is traced. Pure; the tracer calls it.
"""

from collections.abc import Mapping, Sequence

from tailor.estimator.record import record
from tailor.estimator.trace import Phase

LEAST = 2
"""Repeats in the shallowest model: a first and a last one, which differ from those between."""
STEP = 1
SAME_SHARE = 5e-4
"""How far the check may be off: blocks of 512 bytes and position tables do not grow evenly."""

Peaks = Mapping[Phase, Mapping[str, int]]
"""The most that was held in a phase when an operation took its share, by operation."""


@record
class Pattern:
    """How the layers of a model repeat: some at the start, then groups that are alike."""

    start: int
    """Layers before the first group."""
    group: int
    """Layers of one group."""
    end: int
    """Layers of a last, incomplete group."""


@record
class Depth:
    """One model of the same kind with fewer layers."""

    layers: int
    checkpointed_layers: int
    """Of them, those that are computed again in the backward pass."""
    counts: tuple[int, ...]
    """Repeats of each kind of layer; traces are prolonged along these."""


@record
class Depths:
    """What to trace: the whole model alone, or some shallow ones in its place."""

    whole: Depth
    shallow: tuple[Depth, ...] = ()
    """The shallowest, one with more of each kind, and one more as a check; empty where a whole
    model is no deeper."""


@record
class Peak:
    """The peak of one phase."""

    bytes: int
    operation: str


def find_pattern(kinds: Sequence[object]) -> Pattern | None:
    """How equal things follow each other; None when they do not repeat.

    The shortest group counts, after the shortest start.
    """
    layers = len(kinds)
    for start in range(layers // 2):
        rest = kinds[start:]
        for group in range(1, len(rest) // 2 + 1):
            if all(one == other for one, other in zip(rest, rest[group:], strict=False)):
                return Pattern(start=start, group=group, end=len(rest) % group)
    return None


def plan_depths(pattern: Pattern | None, layers: int, checkpointed_layers: int | None) -> Depths:
    """Which models to trace for one of `layers` layers; None of them checkpointed is all."""
    checkpointed = layers if checkpointed_layers is None else min(layers, checkpointed_layers)
    whole = Depth(layers=layers, checkpointed_layers=checkpointed, counts=())
    if pattern is None:
        return Depths(whole=whole)
    if checkpointed in (0, layers):
        return _even(pattern, layers, is_checkpointed=checkpointed > 0)
    if (pattern.start, pattern.group) == (0, 1):
        return _two_kinds(layers, checkpointed)
    return Depths(whole=whole)


def _even(pattern: Pattern, layers: int, *, is_checkpointed: bool) -> Depths:
    """All layers are treated alike: groups are the one thing that grows."""
    fixed = pattern.start + pattern.end
    groups = (layers - fixed) // pattern.group

    def depth(count: int) -> Depth:
        there = fixed + count * pattern.group
        return Depth(
            layers=there, checkpointed_layers=there if is_checkpointed else 0, counts=(count,)
        )

    if groups <= LEAST + 2 * STEP:
        return Depths(whole=depth(groups))
    shallow = (depth(LEAST), depth(LEAST + STEP), depth(LEAST + 2 * STEP))
    return Depths(whole=depth(groups), shallow=shallow)


def _two_kinds(layers: int, checkpointed: int) -> Depths:
    """Layers that are computed again, and layers that are not, grow apart from each other."""

    def depth(again: int, alone: int) -> Depth:
        return Depth(layers=again + alone, checkpointed_layers=again, counts=(again, alone))

    more, whole = LEAST + STEP, depth(checkpointed, layers - checkpointed)
    if min(whole.counts) < LEAST or layers <= 2 * more:
        return Depths(whole=whole)
    shallow = (depth(LEAST, LEAST), depth(more, LEAST), depth(LEAST, more), depth(more, more))
    return Depths(whole=whole, shallow=shallow)


def extrapolate(depths: Depths, peaks: Sequence[Peaks]) -> dict[Phase, Peak] | None:
    """The whole model's peaks from those of the shallow ones, in the same order.

    None when another operation takes over with depth, or when the check says that layers do not
    add up; then only the whole model tells.
    """
    told: dict[Phase, Peak] = {}
    for phase in peaks[0]:
        of_phase = [one[phase] for one in peaks]
        whole = _on_the_lines(depths, of_phase, depths.whole)
        check = _on_the_lines(depths, of_phase, depths.shallow[-1])
        traced = max(of_phase[-1].values())
        holders = {_holder(one) for one in of_phase} | {whole.operation, check.operation}
        if len(holders) > 1 or abs(check.bytes - traced) > SAME_SHARE * traced:
            return None
        told[phase] = whole
    return told


def read_peaks(peaks: Peaks) -> dict[Phase, Peak]:
    """What holds the peak of each phase of a trace."""
    return {
        phase: Peak(bytes=max(held.values()), operation=_holder(held))
        for phase, held in peaks.items()
    }


def _holder(held: Mapping[str, int]) -> str:
    """The operation of the peak; of equal ones the first by name."""
    return min(held, key=lambda operation: (-held[operation], operation))


def _on_the_lines(depths: Depths, held: Sequence[Mapping[str, int]], depth: Depth) -> Peak:
    """What each operation would hold at a depth, on the straight line through what was traced."""
    base, *more = depths.shallow[:-1]
    common = set(held[0]).intersection(*held[1:])
    lines: dict[str, int] = {}
    for operation in common:
        start = held[0][operation]
        total = float(start)
        for kind, further in enumerate(more):
            slope = (held[1 + kind][operation] - start) / (further.counts[kind] - base.counts[kind])
            total += slope * (depth.counts[kind] - base.counts[kind])
        lines[operation] = round(total)
    operation = _holder(lines)
    return Peak(bytes=lines[operation], operation=operation)
