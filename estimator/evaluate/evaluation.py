"""One evaluation from beginning to end: predict, then read what was measured, then count.

The order is the point: values come from a function that is called after the predictions exist. With
`leave_out` the values are needed to learn from, and each prediction is made by a calibration that
has not seen its model or source. `__main__.py` runs it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from tailor import __version__
from tailor.estimator.calibration import Calibration
from tailor.estimator.evaluate.columns import read_sha256
from tailor.estimator.evaluate.failures import find_outcomes
from tailor.estimator.evaluate.header import list_tables
from tailor.estimator.evaluate.leave_out import LeaveOut, predict_unseen
from tailor.estimator.evaluate.measured import read_measured
from tailor.estimator.evaluate.predict import Prediction, predict
from tailor.estimator.evaluate.refused import Refused
from tailor.estimator.evaluate.rows import Case
from tailor.estimator.evaluate.scores import Compared
from tailor.estimator.evaluate.summary import Summary, summarise
from tailor.estimator.record import record


@record
class Evaluation:
    """Predictions of a file, and how good they are."""

    summary: Summary
    predictions: tuple[Prediction, ...]
    refused: tuple[Refused, ...]


def evaluate(
    file: Path,
    rows: Sequence[Case | Refused],
    read_values: Callable[[], Sequence[str]],
    calibration: Calibration,
    *,
    leave_out: LeaveOut | None = None,
) -> Evaluation:
    """Predict every row that can be predicted and compare it with its value."""
    cases = [row for row in rows if isinstance(row, Case)]
    refused = [row for row in rows if isinstance(row, Refused)]
    if leave_out is None:
        predictions = [predict(case, calibration) for case in cases]
        values = read_values()
    else:
        values = read_values()
        predictions = predict_unseen(cases, values, leave_out)
    kept, compared = [], []
    for one in predictions:
        measured = read_measured(one.case, values)
        if isinstance(measured, Refused):
            refused.append(measured)
            continue
        kept.append(one)
        if one.case.family != "oom":
            compared.append(Compared(prediction=one, measured=measured))
    outcomes = find_outcomes(
        [(one.case, one.verdict) for one in kept if one.verdict is not None], values
    )
    summary = summarise(
        _header(file, calibration, leave_out),
        compared,
        refused,
        outcomes,
        len(kept) - len(compared),
    )
    return Evaluation(summary=summary, predictions=tuple(kept), refused=tuple(refused))


def _header(
    file: Path, calibration: Calibration, leave_out: LeaveOut | None
) -> tuple[tuple[str, str], ...]:
    learned = (
        f"learned from this file without each row's {leave_out}"
        if leave_out
        else f"{calibration.made_from} {calibration.made_from_sha256}".strip()
    )
    return (
        ("tailor", __version__),
        ("file", file.name),
        ("sha256", read_sha256(file)),
        *list_tables(),
        ("ranges", learned),
    )
