"""Sealed checkpoints: complete on disk, hashed, and renamed into place in one step.

The trainer writes a checkpoint file by file, so a process that dies in between leaves something
that looks like one. Ours counts only with its manifest and under its final name, given last. The
callbacks seal, the start of an attempt verifies, and the engine sees only whole ones.
"""

import os
import shutil
from pathlib import Path
from typing import Literal

from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.engine.json_file import flush_folder, read_json, write_json
from tailor.engine.run_dir import Manifest, ManifestFile, RunDir

Why = Literal["periodic", "best", "stop", "asked", "last"]

MANIFEST = "MANIFEST.json"
KEEP_NEWEST = 2
LEFT_OUT = ("training_args.bin", "README.md")
"""A pickle that nobody may ever load, and a model card about nothing."""


def seal_checkpoint(
    run_dir: RunDir, attempt: int, step: int, why: Why, held_out_loss: float | None
) -> int:
    """Seal what the trainer wrote for `step` and give its bytes. The step may be sealed already."""
    written = run_dir.staging(attempt) / f"checkpoint-{step}"
    sealed = run_dir.checkpoint(step)
    for name in LEFT_OUT:
        (written / name).unlink(missing_ok=True)
    paths = sorted(path for path in written.rglob("*") if path.is_file())
    files = tuple(_flush_and_hash(path, written) for path in paths)
    manifest = Manifest(
        run_id=run_dir.id,
        attempt=attempt,
        step=step,
        why=why,
        held_out_loss=held_out_loss,
        is_finite=True,
        files=files,
    )
    write_json(written / MANIFEST, manifest)
    if sealed.exists():
        # Training came by this step again, after a resume from an older one.
        shutil.rmtree(sealed)
    written.rename(sealed)
    flush_folder(run_dir.checkpoints)
    return sum(file.bytes for file in files)


def verify_checkpoint(folder: Path, run_id: str) -> str:
    """Why this checkpoint cannot be used; an empty string when it can."""
    if not (folder / MANIFEST).exists():
        return "it was never finished"
    try:
        manifest = read_json(folder / MANIFEST, Manifest)
    except ValueError:
        return "its list of files cannot be read"
    if manifest.run_id != run_id:
        return "it belongs to another run"
    for file in manifest.files:
        path = folder / file.name
        if not path.exists() or path.stat().st_size != file.bytes:
            return f"{file.name} is missing or has another length"
        if hash_file(path) != file.sha256:
            return f"{file.name} was changed"
    return "" if manifest.is_finite else "its weights are not numbers"


def require_checkpoint(folder: Path, run_id: str) -> None:
    """Refuse to go on from a checkpoint that is not whole."""
    reason = verify_checkpoint(folder, run_id)
    if reason:
        raise UserError(
            title="This saved state is damaged",
            detail=f"{folder.name} cannot be used: {reason}.",
            fix="Resume from an earlier saved state, or start the run again.",
        )


def clear_staging(run_dir: RunDir) -> None:
    """Remove what earlier attempts left half written."""
    run_dir.checkpoints.mkdir(parents=True, exist_ok=True)
    for left in run_dir.checkpoints.glob(".tmp-*"):
        shutil.rmtree(left)


def set_newer_aside(run_dir: RunDir, step: int) -> None:
    """Rename checkpoints behind the one that is resumed from: they were refused, or left behind.

    Otherwise the retention below would take them for the newest.
    """
    for path in run_dir.checkpoints.glob("step-" + "[0-9]" * 8):
        if int(path.name.removeprefix("step-")) > step:
            aside = path.with_name(path.name + ".damaged")
            shutil.rmtree(aside, ignore_errors=True)
            path.rename(aside)


def drop_old_checkpoints(run_dir: RunDir, best_step: int | None) -> None:
    """Keep the newest two, by step and never by clock, and the best one."""
    sealed = sorted(run_dir.checkpoints.glob("step-" + "[0-9]" * 8))
    kept = {path.name for path in sealed[-KEEP_NEWEST:]}
    if best_step is not None:
        kept.add(run_dir.checkpoint(best_step).name)
    for path in sealed:
        if path.name not in kept:
            shutil.rmtree(path)


def flush_tree(folder: Path) -> None:
    """Make every file below `folder` durable."""
    for path in folder.rglob("*"):
        if path.is_file():
            _flush(path)
    flush_folder(folder)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_and_hash(path: Path, root: Path) -> ManifestFile:
    _flush(path)
    return ManifestFile(
        name=str(path.relative_to(root)), bytes=path.stat().st_size, sha256=hash_file(path)
    )
