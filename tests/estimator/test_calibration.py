"""Which errors speak for a prediction, how wide the range is, and the file they lie in."""

import json
import math
import random
from dataclasses import replace

import pytest

from tailor.estimator.calibration import SHIPPED, Calibration, Learned, ResidualGroup
from tailor.estimator.learned.conformal import LEVELS
from tailor.estimator.learned.residual import Quantity, ResidualKey, Sharing
from tailor.estimator.promise import Layer, Range
from tailor.estimator.workload import Technique

EMPTY = Calibration()
LORA = ResidualKey(technique="lora", device="A100 80GB", is_measured_stack=True)


def group(
    count: int, spread: float = 0.05, *, quantity: Quantity = "allocated",
    layer: Layer = "closed_form", technique: Technique = "lora", sharing: Sharing = "one",
    device: str = "", seed: int = 1,
) -> ResidualGroup:  # fmt: skip
    dice = random.Random(seed)
    return ResidualGroup(
        quantity=quantity, layer=layer, technique=technique, sharing=sharing, device=device,
        residuals=tuple(sorted(dice.gauss(0.0, spread) for _ in range(count))),
    )  # fmt: skip


def width(calibration: Calibration, key: ResidualKey, quantity: Quantity = "allocated") -> float:
    low, high = calibration.residual(quantity, key).factor(0.90)
    return math.log(high / low)


# Before anything was measured


def test_the_starts_are_those_of_the_design() -> None:
    for key, low, high in (
        (LORA, 0.85, 1.15),
        (replace(LORA, sharing="sharded"), 0.77, 1.23),
        (replace(LORA, layer="trace"), 0.97, 1.07),
        (replace(LORA, layer="dry_run"), 0.97, 1.03),
        (replace(LORA, is_own_stack=False), 0.50, 1.50),
        (replace(LORA, is_generic=True), 0.40, 1.60),
    ):
        told = EMPTY.residual("allocated", key)
        assert told.factor(0.90) == pytest.approx((low, high)), key
        assert (told.count, told.likely_factor, told.key_used) == (0, 1.0, "start")
        assert told.upper_factor == told.factor(0.90)[1]


def test_levels_are_nested_around_the_likely_value() -> None:
    for calibration in (EMPTY, replace(EMPTY, groups=(group(60),))):
        told = calibration.residual("allocated", LORA)
        lows, highs = zip(*(told.factor(level) for level in LEVELS), strict=True)
        assert lows[0] > lows[1] > lows[2]
        assert highs[0] < highs[1] < highs[2]


def test_a_range_of_the_formulas_speaks_until_there_are_measurements() -> None:
    start = Range(low=50.0, likely=100.0, high=300.0)
    told = EMPTY.residual("step_seconds", replace(LORA, technique="full"), start=start)
    assert told.factor(0.90) == pytest.approx((0.5, 3.0))
    measured = replace(EMPTY, groups=(group(40, quantity="step_seconds", device=LORA.device),))
    assert measured.residual("step_seconds", LORA, start=start).factor(0.90)[1] < 1.2


# Groups and back-off


def test_twenty_of_the_same_kind_speak_alone() -> None:
    calibration = replace(
        EMPTY, groups=(group(20, 0.02), group(200, 0.4, technique="full", seed=2))
    )
    told = calibration.residual("allocated", LORA)
    assert (told.count, told.key_used) == (20, "closed_form lora one")
    assert width(calibration, LORA) < 0.15


def test_too_few_back_off_by_sharing_then_technique_and_never_to_another_layer() -> None:
    groups = (
        group(19, 0.02),
        group(30, 0.03, sharing="sharded", seed=2),
        group(30, 0.04, technique="full", seed=3),
        group(30, 0.05, technique="full", layer="trace", seed=4),
    )
    calibration = replace(EMPTY, groups=groups)
    assert calibration.residual("allocated", LORA).count == 49
    qlora = replace(LORA, technique="qlora")
    assert calibration.residual("allocated", qlora).count == 79
    assert calibration.residual("allocated", replace(qlora, layer="trace")).count == 30
    rehearsed = calibration.residual("allocated", replace(qlora, layer="dry_run"))
    assert (rehearsed.count, rehearsed.factor(0.90)) == (0, pytest.approx((0.97, 1.03)))
    assert calibration.residual("reserved_ratio", LORA).count == 0


def test_others_that_stand_in_cannot_make_it_surer_than_its_own_errors() -> None:
    own = ResidualGroup(
        quantity="allocated", layer="closed_form", technique="lora", sharing="sharded",
        residuals=(-0.3, 0.4),
    )  # fmt: skip
    calibration = replace(EMPTY, groups=(own, group(100, 0.01)))
    low, high = calibration.residual("allocated", replace(LORA, sharing="sharded")).bounds[0]
    assert low <= -0.3
    assert high >= 0.4


def test_errors_of_resident_weights_say_nothing_about_offloaded_ones() -> None:
    calibration = replace(EMPTY, groups=(group(300, 0.01),))
    told = calibration.residual("allocated", replace(LORA, sharing="offloaded"))
    assert told.count == 0
    assert told.factor(0.90) == pytest.approx((0.5, 1.5))


def test_speed_of_another_card_is_no_surer_than_thirty_percent() -> None:
    groups = (group(100, 0.02, quantity="step_seconds", device="A100 80GB"),)
    calibration = replace(EMPTY, groups=groups)
    assert width(calibration, LORA, "step_seconds") < 0.1
    other = calibration.residual("step_seconds", replace(LORA, device="RTX 3090"))
    assert other.factor(0.90) == pytest.approx((0.7, 1.3))


def test_a_program_that_was_never_measured_is_no_surer_than_before_anything_was() -> None:
    calibration = replace(EMPTY, groups=(group(100, 0.01),))
    newer = replace(LORA, is_measured_stack=False)
    assert calibration.residual("allocated", LORA).factor(0.90)[1] < 1.03
    told = calibration.residual("allocated", newer)
    assert told.factor(0.90) == pytest.approx((0.85, 1.15))
    assert told.count == 100


def test_a_guessed_shape_is_never_surer_than_sixty_percent() -> None:
    calibration = replace(EMPTY, groups=(group(100, 0.01),))
    told = calibration.residual("allocated", replace(LORA, is_generic=True))
    assert told.factor(0.90) == pytest.approx((0.4, 1.6))


def test_a_new_version_widens_by_half() -> None:
    for calibration in (EMPTY, replace(EMPTY, groups=(group(100),))):
        wider = replace(calibration, is_new_version=True)
        assert width(wider, LORA) == pytest.approx(1.5 * width(calibration, LORA))


def test_what_is_reserved_has_a_middle_of_its_own() -> None:
    errors = tuple(0.2 + 0.001 * number for number in range(41))
    reserved = ResidualGroup(
        quantity="reserved_ratio", layer="closed_form", technique="lora", sharing="one",
        residuals=errors,
    )  # fmt: skip
    told = replace(EMPTY, groups=(reserved,)).residual("reserved_ratio", LORA)
    assert told.mean_log == pytest.approx(0.22)


def test_ninety_of_a_hundred_are_inside() -> None:
    dice = random.Random(11)
    inside = 0
    tries = 2_000
    for number in range(tries):
        calibration = replace(EMPTY, groups=(group(60, 0.1, seed=number),))
        low, high = calibration.residual("allocated", LORA).factor(0.90)
        inside += low <= math.exp(dice.gauss(0.0, 0.1)) <= high
    assert inside / tries == pytest.approx(0.90, abs=0.02)


# What this machine taught


def test_own_runs_move_the_middle_and_change_the_width() -> None:
    taught = Learned(
        quantity="allocated", device="A100 80GB", technique="lora", sharing="one", mean_log=0.1,
        width=0.5, runs=4,
    )  # fmt: skip
    calibration = replace(EMPTY, groups=(group(60),), learned=(taught,))
    told = calibration.residual("allocated", LORA)
    assert told.mean_log == 0.1
    assert told.runs == 4
    assert width(calibration, LORA) == pytest.approx(0.5 * width(calibration.without_runs(), LORA))
    elsewhere = calibration.residual("allocated", replace(LORA, device="RTX 3090"))
    assert (elsewhere.mean_log, elsewhere.runs) == (0.0, 0)
    assert (calibration.runs("A100 80GB"), calibration.runs("RTX 3090")) == (4, 0)


# The file


def test_the_file_comes_back_as_it_was() -> None:
    calibration = replace(
        SHIPPED,
        made_from="a test",
        groups=(group(3), group(2, quantity="step_seconds", device="X")),
    )
    text = calibration.to_json()
    again = Calibration.from_json(text)
    assert again.to_json() == text
    assert again.versions == SHIPPED.versions
    assert again.groups[0].residuals == pytest.approx(calibration.groups[0].residuals, abs=1e-5)


def test_what_ships_can_be_read_and_names_its_source() -> None:
    assert SHIPPED.made_from
    assert dict(SHIPPED.versions)["transformers"]
    assert SHIPPED.learned == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": 2}',
        '{"schema": 1}',
        '{"schema": 1, "made_from": "", "made_from_sha256": "", "versions": [], "groups": []}',
        '{"schema": 1, "made_from": "", "made_from_sha256": "", "versions": {}, "groups": [{}]}',
    ],
)
def test_a_broken_file_is_told_as_such(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        Calibration.from_json(text)


def test_a_group_of_an_unknown_kind_or_without_numbers_is_refused() -> None:
    told = json.loads(replace(EMPTY, groups=(group(3),)).to_json())
    told["groups"][0]["quantity"] = "mood"
    with pytest.raises(ValueError, match="mood"):
        Calibration.from_json(json.dumps(told))
    told["groups"][0] |= {"quantity": "allocated", "residuals": [0.1, float("nan")]}
    with pytest.raises(ValueError, match="not a number"):
        Calibration.from_json(json.dumps(told))
