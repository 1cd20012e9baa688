"""From passes over the rows to steps, evaluations and checkpoints.

Ten evaluations a run, whatever its length: each is a point of the held-out curve, an exam, and a
chance to keep the best version.
"""

from tailor.estimator.record import record

EVALUATIONS = 10
WARM_UP_SHARE = 0.03
PATIENCE_EVALUATIONS = 3


@record
class Schedule:
    """Steps of a run."""

    steps: int
    evaluate_every_steps: int
    evaluations: int
    words: str


def compute_schedule(rows: int, passes: int, batch_rows: int) -> Schedule:
    """Steps for so many passes; an evaluation every tenth of them and one at the end."""
    steps = max(1, round(rows * passes / batch_rows))
    every = -(-steps // EVALUATIONS)
    evaluations = -(-steps // every)
    return Schedule(
        steps=steps,
        evaluate_every_steps=every,
        evaluations=evaluations,
        words=f"{steps:,} steps with a look at the held-out rows and the exam every {every:,}. "
        f"It stops after {PATIENCE_EVALUATIONS} looks without gain, and keeps the best version.",
    )
