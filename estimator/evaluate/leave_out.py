"""What would have been promised for a model or a source that had never been seen.

Figures of rows that were learned from say how well one remembers. Here every model (or source) is
predicted by a calibration that was learned from all the others: the speeds, and the errors that the
ranges come from, which were themselves made without their own model. `evaluation.py` asks for
`--leave-out`.
"""

from collections.abc import Hashable, Sequence
from typing import Literal

from tailor.estimator.calibration import Calibration
from tailor.estimator.evaluate.learning import (
    Unit,
    fit_steps,
    gather_residuals,
    gather_samples,
    model_of,
    source_and_model_of,
    source_of,
)
from tailor.estimator.evaluate.predict import Prediction, predict
from tailor.estimator.evaluate.rows import Case

LeaveOut = Literal["model", "source"]
UNITS: dict[LeaveOut, Unit] = {"model": model_of, "source": source_of}


def predict_unseen(
    cases: Sequence[Case], values: Sequence[str], leave_out: LeaveOut
) -> list[Prediction]:
    """Predict every case by what its model's (or source's) others taught."""
    unit = UNITS[leave_out]
    samples = gather_samples(cases, values)
    learned: dict[Hashable, tuple[Calibration, frozenset[str]]] = {}
    for left in dict.fromkeys(unit(case) for case in cases):
        others = [sample for sample in samples if unit(sample.case) != left]
        calibration = Calibration(
            made_from="the others",
            efficiency=fit_steps(others),
            groups=gather_residuals(others, source_and_model_of),
        )
        learned[left] = calibration, frozenset(sample.case.stack.id for sample in others)
    return [_predict(case, *learned[unit(case)]) for case in cases]


def _predict(case: Case, calibration: Calibration, stacks: frozenset[str]) -> Prediction:
    # A program that none of the others ran is a stranger, whatever ships about it.
    return predict(case, calibration, is_measured=case.stack.id in stacks)
