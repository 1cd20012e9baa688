import math
from dataclasses import replace
from pathlib import Path

import pytest

from tailor.estimator.evaluate.failures import RunOutcome, compute_failure_score
from tailor.estimator.evaluate.predict import Prediction
from tailor.estimator.evaluate.refused import Refused
from tailor.estimator.evaluate.rows import Case, read_cases
from tailor.estimator.evaluate.scores import Compared, compute_score, quantile

MEASURED = Path(__file__).parent / "measured.csv"
NARROW = ((-0.01, 0.01), (-0.05, 0.05), (-0.10, 0.10))


def case_of(family: str) -> Case:
    found = (row for row in read_cases(MEASURED) if isinstance(row, Case))
    return replace(next(case for case in found if case.family == family), assumed=())


def compared(value: float, measured: float, family: str = "peak_mem_alloc") -> Compared:
    prediction = Prediction(case=case_of(family), value=value, bounds=NARROW)
    return Compared(prediction=prediction, measured=measured)


def test_errors_are_of_predicted_over_measured() -> None:
    score = compute_score([compared(110, 100), compared(96, 100), compared(100, 100)])
    assert score.median_error == pytest.approx(0.04)
    assert score.mean_error == pytest.approx(0.14 / 3)
    assert score.median_signed_error == 0
    assert score.p90_error == pytest.approx(0.04 + 0.8 * 0.06)


def test_harm_is_memory_or_time_beyond_the_promise_and_speed_below_it() -> None:
    assert compared(94, 100).is_harmful
    assert not compared(96, 100).is_harmful
    assert not compared(150, 100).is_harmful
    assert compared(94, 100, "train time").is_harmful
    assert compared(106, 100, "tokens/s").is_harmful
    assert not compared(104, 100, "tokens/s").is_harmful
    assert not compared(50, 100, "samples/s").is_harmful


def test_coverage_is_counted_for_each_interval_and_the_one_sided_bound() -> None:
    one = compared(100, 104)
    assert [one.is_covered(level) for level in (0.80, 0.90, 0.95)] == [False, True, True]
    assert compared(100, 104).is_within_bound
    assert not compared(100, 106).is_within_bound
    # A speed is bounded from below.
    assert compared(100, 106, "tokens/s").is_within_bound
    assert not compared(100, 94, "tokens/s").is_within_bound
    assert compute_score([one]).median_width == pytest.approx(2 * math.sinh(0.05))


def test_refusals_are_counted_and_nothing_predicted_has_no_figures() -> None:
    refusal = Refused(
        number=1, source_group="lab", metric="oom", model="m", code="missing_batch", words="none"
    )
    score = compute_score([], [refusal, refusal])
    assert (score.rows, score.predicted) == (2, 0)
    assert score.refused == (("missing_batch", 2),)
    assert math.isnan(score.median_error)


def test_a_quantile_lies_between_its_neighbours() -> None:
    assert quantile([0.0, 1.0], 0.9) == pytest.approx(0.9)
    assert quantile([3.0], 0.9) == 3.0


def test_failures_are_counted_with_and_without_a_warning() -> None:
    def outcome(verdict: str, has_failed: bool) -> RunOutcome:
        return RunOutcome(
            source_group="lab",
            name="a",
            verdict=verdict,
            has_failed=has_failed,  # type: ignore[arg-type]
        )

    score = compute_failure_score(
        [
            outcome("will_not_fit", True),
            outcome("tight", True),
            outcome("fits", True),
            outcome("will_not_fit", False),
            outcome("tight", False),
            outcome("fits", False),
            outcome("fits", False),
            outcome("fits", False),
        ]
    )
    assert (score.failed, score.worked) == (3, 5)
    assert score.recall == pytest.approx(1 / 3)
    assert score.false_alarms == pytest.approx(1 / 5)
    assert score.recall_with_tight == pytest.approx(2 / 3)
    assert score.false_alarms_with_tight == pytest.approx(2 / 5)
    assert score.tight_share == pytest.approx(2 / 8)
