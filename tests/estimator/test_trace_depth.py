"""A few layers speak for many as long as one operation holds the peak, and for none otherwise."""

import pytest

from tailor.estimator.trace import PHASES
from tailor.estimator.trace_depth import (
    Depth,
    Depths,
    Pattern,
    Peak,
    Peaks,
    extrapolate,
    find_pattern,
    plan_depths,
    read_peaks,
)

ALIKE = Pattern(start=0, group=1, end=0)


@pytest.mark.parametrize(
    ("kinds", "pattern"),
    [
        ("aaaaaa", ALIKE),
        ("abababab", Pattern(start=0, group=2, end=0)),
        ("aaabaaabaa", Pattern(start=0, group=4, end=2)),
        ("baaaaaaa", Pattern(start=1, group=1, end=0)),
        ("abcdefgh", None),
        ("aaaaaaab", None),
        ("a", None),
    ],
)
def test_how_layers_repeat_is_found(kinds: str, pattern: Pattern | None) -> None:
    assert find_pattern(kinds) == pattern


def test_the_whole_model_is_traced_where_it_is_no_deeper_than_the_shallow_ones() -> None:
    assert plan_depths(ALIKE, 4, 0).shallow == ()
    assert plan_depths(ALIKE, 4, 0).whole.layers == 4
    assert plan_depths(None, 80, 0).shallow == ()
    assert plan_depths(Pattern(start=0, group=4, end=2), 18, None).shallow == ()


def test_shallow_models_keep_start_and_end_and_whole_groups() -> None:
    depths = plan_depths(Pattern(start=1, group=3, end=2), 60, None)

    assert [depth.layers for depth in depths.shallow] == [9, 12, 15]
    assert [depth.checkpointed_layers for depth in depths.shallow] == [9, 12, 15]
    assert depths.whole.counts == (19,)


def test_layers_that_are_left_alone_grow_apart_from_the_others() -> None:
    depths = plan_depths(ALIKE, 32, 20)

    assert depths.whole == Depth(layers=32, checkpointed_layers=20, counts=(20, 12))
    assert [depth.counts for depth in depths.shallow] == [(2, 2), (3, 2), (2, 3), (3, 3)]


@pytest.mark.parametrize("checkpointed", [1, 31])
def test_a_single_layer_that_differs_is_traced_whole(checkpointed: int) -> None:
    assert plan_depths(ALIKE, 32, checkpointed).shallow == ()


def test_a_pattern_with_layers_left_alone_is_traced_whole() -> None:
    assert plan_depths(Pattern(start=0, group=2, end=0), 32, 20).shallow == ()


def trace(depth: Depth, **operations: tuple[int, ...]) -> Peaks:
    """What operations hold: a fixed part, and a part for each repeat of each kind."""
    held = {
        name: fixed + sum(each * count for each, count in zip(parts, depth.counts, strict=True))
        for name, (fixed, *parts) in operations.items()
    }
    return dict.fromkeys(PHASES, held)


def traces(depths: Depths, **operations: tuple[int, ...]) -> list[Peaks]:
    return [trace(depth, **operations) for depth in depths.shallow]


def test_the_operation_of_the_peak_is_prolonged_along_its_line() -> None:
    depths = plan_depths(ALIKE, 32, 0)

    told = extrapolate(depths, traces(depths, loss=(9_000, 100), layer=(5_000, 100)))

    assert told is not None
    assert told["backward"] == Peak(bytes=9_000 + 32 * 100, operation="loss")


def test_both_kinds_of_layers_are_prolonged() -> None:
    depths = plan_depths(ALIKE, 32, 20)

    told = extrapolate(depths, traces(depths, loss=(9_000, 100, 700)))

    assert told is not None
    assert told["forward"].bytes == 9_000 + 20 * 100 + 12 * 700


def test_an_operation_that_takes_over_with_depth_calls_for_the_whole_model() -> None:
    depths = plan_depths(ALIKE, 32, 0)

    assert extrapolate(depths, traces(depths, loss=(9_000, 100), layer=(8_000, 200))) is None


def test_an_operation_that_takes_over_between_the_shallow_ones_does_too() -> None:
    depths = plan_depths(ALIKE, 32, 0)

    assert extrapolate(depths, traces(depths, loss=(9_000, 100), layer=(8_750, 200))) is None


def test_layers_that_do_not_add_up_call_for_the_whole_model() -> None:
    depths = plan_depths(ALIKE, 32, 0)
    peaks = traces(depths, loss=(9_000, 100))
    peaks[-1] = trace(depths.shallow[-1], loss=(9_020, 100))

    assert extrapolate(depths, peaks) is None


def test_a_trace_of_the_whole_model_is_read_as_it_is() -> None:
    assert read_peaks({"forward": {"loss": 7, "layer": 9}})["forward"] == Peak(
        bytes=9, operation="layer"
    )
