"""Runs that ran out of memory, and whether the verdict would have told.

A forecast of bytes may be good and its verdict useless, or the other way round, so failures are
counted by run: every run that failed, and every run that worked in a source that reports failures.
`report.py` prints the figures.
"""

from collections.abc import Sequence

from tailor.estimator.evaluate.measured import read_measured
from tailor.estimator.evaluate.refused import Refused
from tailor.estimator.evaluate.rows import Case
from tailor.estimator.evaluate.scores import share
from tailor.estimator.promise import Verdict
from tailor.estimator.record import record


@record
class RunOutcome:
    """One run, what was promised and what came of it."""

    source_group: str
    name: str
    verdict: Verdict
    has_failed: bool


@record
class FailureScore:
    """How well failures are told; shares of NaN have nothing to be a share of."""

    failed: int
    worked: int
    recall: float
    """Failed runs that were promised to fail."""
    false_alarms: float
    """Runs that worked and were promised to fail."""
    recall_with_tight: float
    """The same with "tight" counted as a warning."""
    false_alarms_with_tight: float
    tight_share: float
    """Of all these runs."""


def find_outcomes(
    verdicts: Sequence[tuple[Case, Verdict]], values: Sequence[str]
) -> tuple[RunOutcome, ...]:
    """Runs of the sources that report failures, from the verdicts of their rows."""
    runs: dict[tuple[str, str], list[tuple[Case, Verdict]]] = {}
    for case, verdict in verdicts:
        runs.setdefault(case.group, []).append((case, verdict))
    told = [(rows, _has_failed(rows, values)) for rows in runs.values()]
    reporting = {
        rows[0][0].source_group for rows, _ in told if any(case.family == "oom" for case, _ in rows)
    }
    return tuple(
        RunOutcome(
            source_group=rows[0][0].source_group,
            name=rows[0][0].run or rows[0][0].setting,
            verdict=rows[0][1],
            has_failed=has_failed,
        )
        for rows, has_failed in told
        if has_failed is not None and rows[0][0].source_group in reporting
    )


def compute_failure_score(outcomes: Sequence[RunOutcome]) -> FailureScore:
    """Recall and false alarms, both ways."""
    failed = [one for one in outcomes if one.has_failed]
    worked = [one for one in outcomes if not one.has_failed]
    return FailureScore(
        failed=len(failed),
        worked=len(worked),
        recall=share(one.verdict == "will_not_fit" for one in failed),
        false_alarms=share(one.verdict == "will_not_fit" for one in worked),
        recall_with_tight=share(one.verdict != "fits" for one in failed),
        false_alarms_with_tight=share(one.verdict != "fits" for one in worked),
        tight_share=share(one.verdict == "tight" for one in outcomes),
    )


def _has_failed(rows: list[tuple[Case, Verdict]], values: Sequence[str]) -> bool | None:
    """Whether the run failed; None where its rows tell neither."""
    has_result = False
    for case, _ in rows:
        value = read_measured(case, values)
        if isinstance(value, Refused):
            continue
        if case.family == "oom" and value:
            return True
        has_result = True
    return False if has_result else None
