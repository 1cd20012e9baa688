"""A finished run, opened again: what side-by-side chat and export start from.

Both are children of the engine that know nothing but the run's folder.
"""

from pathlib import Path

from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.engine.json_file import read_json
from tailor.engine.run_dir import RunDir
from tailor.engine.types import FrozenRun
from tailor.engine.worker.final import ADAPTER_FILE


def open_finished(run_folder: Path) -> tuple[RunDir, FrozenRun]:
    """The run's folder and `run.json`; refused unless the run has a proven model."""
    run_dir = RunDir(run_folder)
    run = read_json(run_dir.frozen, FrozenRun)
    if not run_dir.final.exists():
        raise UserError(
            title="This run has no finished model",
            detail="Only a run that went through to its proof has one.",
            fix="Resume the run, or choose one that is finished.",
        )
    if not Path(run.spec.model.path).exists():
        raise UserError(
            title="The model this run started from is gone",
            detail=f"Its folder does not exist any more: {run.spec.model.name}.",
            fix="Put the folder back where it was, or add the model again on the Model page.",
        )
    return run_dir, run


def hash_weights(folder: Path) -> str:
    """sha256 of a finished model's weights, to name exactly which version answered."""
    parts = [folder / ADAPTER_FILE]
    if not parts[0].exists():
        parts = sorted(folder.glob("model*.safetensors"))
    return hash_file(parts[0])
