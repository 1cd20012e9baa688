"""`python -m tailor.estimator.evaluate FILE.csv`: how good the promises are on measured runs.

Predictions are made before any value is read, offline and without torch; nothing is fitted on the
file unless `--leave-out` asks what would be promised for models or sources never seen. Scorers and
`fit.py` use it.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.evaluate.columns import MissingColumnsError, read_values
from tailor.estimator.evaluate.evaluation import evaluate
from tailor.estimator.evaluate.machine_report import render_json
from tailor.estimator.evaluate.report import render_report
from tailor.estimator.evaluate.rows import read_cases

EXIT_DONE, EXIT_UNREADABLE, EXIT_NOTHING_PREDICTED = 0, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate one file; the exit code says how it went."""
    asked = _parse(arguments)
    try:
        calibration = _read_calibration(asked.calibration)
        cases = read_cases(asked.file)
    except (OSError, MissingColumnsError, ValueError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return EXIT_UNREADABLE
    evaluation = evaluate(
        asked.file, cases, lambda: read_values(asked.file), calibration, leave_out=asked.leave_out
    )
    sys.stdout.write(render_report(evaluation.summary))
    if asked.json is not None:
        asked.json.write_text(
            render_json(evaluation.summary, evaluation.predictions, evaluation.refused), "utf-8"
        )
    return EXIT_DONE if evaluation.predictions else EXIT_NOTHING_PREDICTED


def _read_calibration(path: Path | None) -> Calibration:
    return SHIPPED if path is None else Calibration.from_json(path.read_text("utf-8"))


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tailor.estimator.evaluate",
        description="Compare what the estimator promises with what was measured.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.csv", help="measured runs")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write figures and rows there")
    parser.add_argument(
        "--leave-out",
        choices=("model", "source"),
        help="learn from the file's other models or sources before each prediction",
    )
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="use this instead of what ships"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
