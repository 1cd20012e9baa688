"""`python -m tailor.estimator.fit FILE.csv`: learn what ships in calibration.json from measured
runs.

Kept apart from everything that runs on a user's machine: only a developer with the measurements
runs it, and the same file gives the same calibration byte for byte, so a change of a formula shows
as a change of this file. `evaluate/learning.py` does the learning.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from tailor.estimator.calibration import Calibration
from tailor.estimator.evaluate.columns import read_sha256, read_values
from tailor.estimator.evaluate.learning import (
    fit_steps,
    gather_residuals,
    gather_samples,
    source_and_model_of,
)
from tailor.estimator.evaluate.rows import Case, read_cases

CHECKED_VERSIONS = (
    ("torch", "2.13"),
    ("transformers", "5.24"),
    ("peft", "0.21"),
    ("trl", "1.16"),
    ("bitsandbytes", "0.50"),
)
"""Library versions that the formulas were read in and checked against."""


def fit(file: Path) -> Calibration:
    """Learn from every row of a file that may be learned from."""
    values = read_values(file)
    cases = [row for row in read_cases(file) if isinstance(row, Case)]
    samples = gather_samples(cases, values)
    return Calibration(
        made_from=f"python -m tailor.estimator.fit {file.name}",
        made_from_sha256=read_sha256(file),
        versions=CHECKED_VERSIONS,
        efficiency=fit_steps(samples),
        groups=gather_residuals(samples, source_and_model_of),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the calibration, by default over the one that ships."""
    parser = argparse.ArgumentParser(
        prog="python -m tailor.estimator.fit",
        description="Learn calibration.json from measured runs.",
    )
    parser.add_argument("file", type=Path, metavar="FILE.csv", help="measured runs")
    parser.add_argument("--out", type=Path, metavar="OUT", help="write there instead")
    asked = parser.parse_args(arguments)
    text = fit(asked.file).to_json()
    with as_file(files("tailor.estimator") / "calibration.json") as shipped:
        target = asked.out or shipped
        target.write_text(text, "utf-8")
    sys.stdout.write(f"Wrote {target}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
