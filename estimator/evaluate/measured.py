"""What was measured, read after everything has been predicted.

The only place where a row's value is looked at. `__main__.py` calls it when the predictions lie
ready, and `fit.py`, which learns from values, calls it first.
"""

from collections.abc import Sequence

from tailor.estimator.evaluate.quantities import read_number
from tailor.estimator.evaluate.refused import RefusalError, Refused
from tailor.estimator.evaluate.rows import Case

YES = frozenset(("true", "yes"))
NO = frozenset(("false", "no"))


def read_measured(case: Case, values: Sequence[str]) -> float | Refused:
    """The value of a row in our unit; of a failure 1, of a success 0."""
    text = values[case.number].strip().lower()
    if case.family == "oom" and text in YES | NO:
        return float(text in YES)
    try:
        value = read_number(text, "value") * case.scale
    except RefusalError as wrong:
        return _refuse(case, wrong.words)
    if case.family == "oom":
        return value if value in (0.0, 1.0) else _refuse(case, f"A failure is {value:g}.")
    return value if value > 0 else _refuse(case, f"The value is {value:g}.")


def _refuse(case: Case, words: str) -> Refused:
    return Refused(
        number=case.number,
        source_group=case.source_group,
        metric=case.metric,
        model=case.model,
        code="bad_number",
        words=words,
    )
