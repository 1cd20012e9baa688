"""What the runs of this computer have measured, and the calibration that comes of it.

Every promise is compared with what happened, and the next one is better for it. After each run one
line goes to `engine/measured_runs.jsonl` in the home folder: numbers alone, kept on this computer,
which anybody may copy away. The follower writes it, `planning.py` and the calibration's route read.
"""

import hashlib
import logging
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from tailor.engine.machine.line_file import append_lines, read_lines
from tailor.engine.runs.run_folder import read_versions
from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.learned.learning import learn
from tailor.estimator.learned.repredict import repredict
from tailor.estimator.learned.run_measured import MeasuredRun, find_fault
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

logger = logging.getLogger(__name__)

RUN: TypeAdapter[MeasuredRun] = TypeAdapter(MeasuredRun)
"""Reads and writes one record as JSON."""
_CONFIGURATION: TypeAdapter[tuple[Workload, Architecture]] = TypeAdapter(
    tuple[Workload, Architecture]
)
KEPT_RUNS = 200
"""The newest; what older ones would add is less than the spread of one run."""

Stamp = tuple[int, int]
"""Time of the last change and length of a file; what is read once stays the same for both."""
NOWHERE: Stamp = (0, 0)


@record
class Experience:
    """What a home folder knows about its own runs."""

    calibration: Calibration
    runs: tuple[MeasuredRun, ...] = ()
    """Oldest first; a run that was resumed is there once, with its last word."""
    left_out: int = 0
    """Lines that could not be read or make no sense."""
    trouble: str = ""
    """Why the home's own `calibration.json` is not used, in words; empty when all is well."""


def runs_file(home: Path) -> Path:
    """Where measured runs are kept; this is the file to take along."""
    return home / "engine" / "measured_runs.jsonl"


def own_calibration_file(home: Path) -> Path:
    """A calibration that replaces the shipped one, made by `tailor.estimator.fit`."""
    return home / "engine" / "calibration.json"


def write_measured(home: Path, run: MeasuredRun) -> None:
    """Append one record, durably."""
    path = runs_file(home)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    append_lines(path, (RUN.dump_json(run),))


def read_experience(home: Path, hardware: HardwareSpec) -> Experience:
    """Everything learned in a home folder, for promises on this hardware; read again only when a
    file or what is known of the hardware has changed."""
    runs, own = runs_file(home), own_calibration_file(home)
    return _read_experience(runs, _stamp(runs), own, _stamp(own), _without_free(hardware))


def read_calibration(home: Path, hardware: HardwareSpec) -> Calibration:
    """The calibration for promises made on this hardware."""
    return read_experience(home, hardware).calibration


def digest_configuration(workload: Workload, architecture: Architecture) -> str:
    """The same plan for the same shape has the same digest."""
    return hashlib.sha256(_CONFIGURATION.dump_json((workload, architecture))).hexdigest()[:16]


@lru_cache(maxsize=4)
def _read_experience(
    runs: Path, _runs: Stamp, own: Path, _own: Stamp, hardware: HardwareSpec
) -> Experience:
    base, trouble = _read_base(own)
    found, left_out = _read_runs(runs, hardware, base)
    calibration = learn(found, base, versions=read_versions())
    return Experience(calibration=calibration, runs=found, left_out=left_out, trouble=trouble)


def _without_free(hardware: HardwareSpec) -> HardwareSpec:
    """What is free changes from moment to moment, and no prediction hangs on it."""
    cards = tuple(replace(card, free_bytes=card.memory_bytes) for card in hardware.cards)
    return replace(hardware, cards=cards, ram_free_bytes=hardware.ram_bytes, disk_free_bytes=0)


def _read_base(path: Path) -> tuple[Calibration, str]:
    if not path.exists():
        return SHIPPED, ""
    try:
        return Calibration.from_json(path.read_text("utf-8")), ""
    except (OSError, ValueError) as wrong:
        words = f"{path} cannot be used ({wrong}), so what came with Tailor is used instead."
        logger.warning(words)
        return SHIPPED, words


def _read_runs(
    path: Path, hardware: HardwareSpec, base: Calibration
) -> tuple[tuple[MeasuredRun, ...], int]:
    """Records that can be learned from, and how many lines cannot."""
    found: dict[str, MeasuredRun] = {}
    left_out = 0
    for line in read_lines(path)[-KEPT_RUNS:]:
        try:
            # A ValidationError is a ValueError too.
            run = repredict(RUN.validate_json(line), hardware, base)
            fault = find_fault(run)
        except ValueError as broken:
            fault = str(broken).splitlines()[0]
        if fault:
            left_out += 1
            logger.warning("left out a line of %s: %s: %.80r", path, fault, line)
            continue
        # A resumed run is told anew at its end.
        found.pop(run.run_id, None)
        found[run.run_id] = run
    return tuple(found.values()), left_out


def _stamp(path: Path) -> Stamp:
    try:
        told = path.stat()
    except OSError:
        return NOWHERE
    return told.st_mtime_ns, told.st_size
