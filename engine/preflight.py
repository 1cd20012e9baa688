"""Everything that would stop a run, or that a person should know before it starts, as findings.

A run that cannot succeed must say so in words before it costs an hour. Nothing is raised and
nothing is changed. The Plan screen shows the findings; the supervisor refuses a run with a "stop"
among them.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from tailor.engine.data.owner import open_owner
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.engine.findings import Finding
from tailor.engine.models.read import compute_fingerprint, loaded_files
from tailor.engine.models.shelf import read_notes
from tailor.estimator.estimate import Estimate
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import DatasetSpec, ModelSpec, RunSpec, TrainPlan

FEWEST_ROWS = 10
DISK_RESERVE_BYTES = 2 * 2**30
"""Left free for the system, logs and what a person takes along afterwards."""
LONG_SECONDS = 24 * 3600
HOUR = 3600
GIB = 2**30
HASHED_MODEL_BYTES = 2 * GIB
"""A larger model is compared by the size of its files: hashing it would take minutes."""

FileState = tuple[str, int, int]
"""Path, bytes and time of the last change: a file for which they are the same is the same."""


def preflight(
    spec: RunSpec, plan: TrainPlan, estimate: Estimate, hardware: HardwareSpec, home: Path
) -> tuple[Finding, ...]:
    """Check a run against the machine and its files; stops come first."""
    found = [
        *_check_device(plan, hardware),
        *_check_memory(estimate, hardware),
        *_check_disk(estimate, hardware, home),
        *_check_model(spec.model, home),
        *_check_rows_file(spec, home),
        *_check_rows(spec.dataset, plan),
        *_check_exam(spec),
        *_check_time(estimate),
    ]
    order = {"stop": 0, "warn": 1, "note": 2}
    return tuple(sorted(found, key=lambda finding: order[finding.level]))


def _check_device(plan: TrainPlan, hardware: HardwareSpec) -> Iterator[Finding]:
    if plan.device in ("cpu", hardware.device):
        return
    yield Finding(
        level="stop",
        title="The graphics card is not there",
        detail="This plan was made for a graphics card and none can be used on this computer now.",
        fix="Open the Plan page again: a plan for this computer is made there. "
        "python app.py doctor tells why the card is missing.",
    )


def _check_memory(estimate: Estimate, hardware: HardwareSpec) -> Iterator[Finding]:
    smaller = "Choose smaller steps or a smaller model on the Plan page, or close other programs."
    if estimate.blocked_by == "ram":
        yield Finding(
            level="stop",
            title="The computer's own memory is too small for this run",
            detail=estimate.reason,
            fix="Close other programs, or choose a smaller model or another plan on the Plan page.",
        )
    elif estimate.blocked_by == "disk":
        # The check of the disk tells it, with what must stay free.
        return
    elif estimate.verdict == "will_not_fit":
        yield Finding(
            level="stop",
            title="This run does not fit into memory",
            detail=estimate.reason,
            fix=smaller,
        )
    elif estimate.verdict == "tight":
        yield Finding(
            level="warn", title="Memory will be tight", detail=estimate.reason, fix=smaller
        )
    is_told = estimate.blocked_by == "ram"
    if estimate.device == "cuda" and estimate.ram_bytes > hardware.ram_free_bytes and not is_told:
        yield Finding(
            level="warn",
            title="The computer's own memory is short",
            detail=f"Beside the card's memory the run needs about {_gb(estimate.ram_bytes)}, and "
            f"{_gb(hardware.ram_free_bytes)} are free.",
            fix="Close other programs before you start.",
        )


def _check_disk(estimate: Estimate, hardware: HardwareSpec, home: Path) -> Iterator[Finding]:
    run_bytes = estimate.disk_bytes + estimate.download_bytes
    need = run_bytes + DISK_RESERVE_BYTES
    if hardware.disk_free_bytes >= need:
        return
    yield Finding(
        level="stop",
        title="There is not enough space on the disk",
        detail=f"The run needs {_gb(run_bytes)} and {_gb(DISK_RESERVE_BYTES)} must stay "
        f"free; {_gb(hardware.disk_free_bytes)} are free where Tailor keeps its runs.",
        fix=f"Free {_gb(need - hardware.disk_free_bytes)} there, for instance by deleting runs.",
        where=str(home),
    )


def _check_model(model: ModelSpec, home: Path) -> Iterator[Finding]:
    folder = Path(model.path)
    files = loaded_files(folder) if _is_on_shelf(model, home) and folder.is_dir() else ()
    weights = [file for file in files if file.suffix == ".safetensors"]
    if not (folder / "config.json").is_file() or not weights:
        yield Finding(
            level="stop",
            title="The model is not where it was",
            detail=f"{model.name} was chosen for this run. Its folder is gone, incomplete, or not "
            "among the models that Tailor has looked over.",
            fix="Put the folder back, or choose the model again on the Model page.",
            where=model.path,
        )
        return
    found = sum(file.stat().st_size for file in weights)
    if found != model.weights_bytes:
        yield Finding(
            level="stop",
            title="The model has changed",
            detail=f"{model.name} had {model.weights_bytes:,} bytes of weights when it was chosen "
            f"and has {found:,} now.",
            fix="Choose the model again on the Model page.",
            where=model.path,
        )
    elif found <= HASHED_MODEL_BYTES:
        states = tuple((str(file), *_state(file)) for file in files)
        if _fingerprint(states) != model.fingerprint:
            yield Finding(
                level="stop",
                title="The model has changed",
                detail=f"The files of {model.name} are not the ones that were chosen for this run.",
                fix="Choose the model again on the Model page.",
                where=model.path,
            )


def _is_on_shelf(model: ModelSpec, home: Path) -> bool:
    """Whether its folder was looked over: a path comes from the caller, and may be any."""
    return any(
        note.path == model.path and note.id == model.id and note.spec is not None
        for note in read_notes(home / "models")
    )


def _state(file: Path) -> tuple[int, int]:
    told = file.stat()
    return told.st_size, told.st_mtime_ns


@lru_cache(maxsize=16)
def _fingerprint(states: tuple[FileState, ...]) -> str:
    return compute_fingerprint(tuple(Path(path) for path, _, _ in states))


def _check_rows_file(spec: RunSpec, home: Path) -> Iterator[Finding]:
    dataset = spec.dataset
    path = Path(dataset.path)
    if path != _own_rows(spec, home) or not path.is_file():
        yield Finding(
            level="stop",
            title="The examples are not where they were",
            detail="The prepared rows of this project are not among your own in Tailor's folder.",
            fix="Drop your file again on the Data page.",
            where=dataset.path,
        )
    elif _sha256((str(path), *_state(path))) != dataset.content_hash:
        yield Finding(
            level="stop",
            title="The examples have changed",
            detail="The prepared rows are not the ones that were checked for this run.",
            fix="Open the Check page again, so that the rows are read anew.",
            where=dataset.path,
        )


def _own_rows(spec: RunSpec, home: Path) -> Path | None:
    """Where the owner's rows of this name lie; None when the name is none."""
    try:
        folder = open_owner(home, spec.owner).set(spec.dataset.id)
    except UserError:
        return None
    return SetFolder(folder).mapped(spec.dataset.version)


def _check_rows(dataset: DatasetSpec, plan: TrainPlan) -> Iterator[Finding]:
    if dataset.train_rows < FEWEST_ROWS:
        yield Finding(
            level="stop",
            title="There are too few examples",
            detail=f"There are {dataset.train_rows} to learn from; {FEWEST_ROWS} are the least.",
            fix="Add examples to your file and drop it again on the Data page.",
        )
    if not dataset.lengths.learned_tokens:
        yield Finding(
            level="stop",
            title="There is nothing to learn",
            detail="No row has an answer that the model could learn.",
            fix="Tell on the Data page which column holds the answers.",
        )
    if not dataset.held_out_rows:
        yield Finding(
            level="warn",
            title="No rows are kept aside",
            detail="Without rows that the model never sees in training, nothing shows whether it "
            "learned the task or only the rows by heart.",
            fix="Add examples that differ from each other; then a part is kept aside.",
        )
    longest, limit = dataset.lengths.longest_tokens, plan.max_length_tokens
    if longest > limit:
        yield Finding(
            level="warn",
            title="The longest rows are cut",
            detail=f"The longest row has {longest:,} tokens and the model reads {limit:,} of a "
            "row; what comes after is not learned.",
            fix="Shorten these rows, or choose a longer limit on the Plan page if there is one.",
        )


def _check_exam(spec: RunSpec) -> Iterator[Finding]:
    if not spec.exam:
        yield Finding(
            level="note",
            title="There is no exam",
            detail="Without questions there is no score before and after, only the loss.",
            fix="Add questions on the Check page.",
        )


def _check_time(estimate: Estimate) -> Iterator[Finding]:
    if estimate.seconds.likely > LONG_SECONDS:
        hours = estimate.seconds.likely / HOUR
        yield Finding(
            level="warn",
            title="This will take long",
            detail=f"About {hours:.0f} hours on this computer.",
            fix="Choose a smaller model or fewer passes on the Plan page. You can stop at any time "
            "and keep what was learned.",
        )


@lru_cache(maxsize=64)
def _sha256(state: FileState) -> str:
    return hash_file(Path(state[0]))


def _gb(count: float) -> str:
    return f"{count / GIB:.1f} GB"
