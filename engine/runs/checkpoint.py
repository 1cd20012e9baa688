"""Sealed checkpoints as the engine sees them: which are whole, and which one to go on from.

A folder with a high number may be empty or bitten by a dying disk, so a run never resumes from "the
last one" but from a checkpoint whose manifest, sizes and hashes were just compared. The worker
seals; the supervisor asks here before it promises a resume.
"""

import shutil
from pathlib import Path

from pydantic import ValidationError

from tailor.engine.file_hash import hash_file
from tailor.engine.json_file import read_json
from tailor.engine.run_dir import Manifest, RunDir
from tailor.estimator.record import record

MANIFEST = "MANIFEST.json"


@record
class Choice:
    """The checkpoint to go on from, and those that turned out to be damaged."""

    name: str
    """Folder name; empty when none is whole."""
    step: int
    damaged: tuple[str, ...]
    """Each with its reason, in words."""


def drop_checkpoints(run_dir: RunDir) -> None:
    """Remove all that was saved of a run; nothing there is no error."""
    if run_dir.checkpoints.exists():
        shutil.rmtree(run_dir.checkpoints)


def newest_checkpoint(run_dir: RunDir) -> Manifest | None:
    """The newest checkpoint by its manifest, with all files in their sizes; hashes are not read."""
    for folder in _sealed(run_dir):
        manifest = _read_manifest(folder, run_dir.id)
        if isinstance(manifest, str) or not manifest.is_finite:
            continue
        if not _find_damage(folder, manifest, with_hashes=False):
            return manifest
    return None


def choose_checkpoint(run_dir: RunDir) -> Choice:
    """The newest checkpoint that is whole, hashes compared; damaged ones are renamed on the way."""
    damaged: list[str] = []
    for folder in _sealed(run_dir):
        manifest = _read_manifest(folder, run_dir.id)
        if isinstance(manifest, str):
            damage = manifest
        else:
            damage = _find_damage(folder, manifest, with_hashes=True)
            if not damage and manifest.is_finite:
                return Choice(name=folder.name, step=manifest.step, damaged=tuple(damaged))
            if not damage:
                # Whole, but with numbers that are not finite: kept as it is, never gone on from.
                continue
        folder.rename(_free_name(folder))
        damaged.append(f"{folder.name}: {damage}")
    return Choice(name="", step=0, damaged=tuple(damaged))


def remove_leftovers(run_dir: RunDir) -> None:
    """Remove what a killed worker was still writing. Only for a run without a living worker."""
    unfinished = [*run_dir.checkpoints.glob(".tmp-*"), run_dir.path / "final.tmp"]
    for folder in unfinished:
        if folder.exists():
            shutil.rmtree(folder)


def _sealed(run_dir: RunDir) -> list[Path]:
    """Checkpoint folders, newest step first."""
    folders = run_dir.checkpoints.glob("step-????????")
    return sorted((folder for folder in folders if folder.is_dir()), reverse=True)


def _read_manifest(folder: Path, run_id: str) -> Manifest | str:
    """The manifest, or what is wrong with it in words."""
    try:
        manifest = read_json(folder / MANIFEST, Manifest)
    except FileNotFoundError:
        return "its list of files is missing"
    except (ValidationError, OSError):
        return "its list of files cannot be read"
    return manifest if manifest.run_id == run_id else "it belongs to another run"


def _find_damage(folder: Path, manifest: Manifest, *, with_hashes: bool) -> str:
    """The first thing that differs from the manifest, in words; empty when all is well."""
    if not manifest.files:
        return "its list of files is empty"
    for listed in manifest.files:
        path = folder / listed.name
        try:
            if path.stat().st_size != listed.bytes:
                return f"{listed.name} has another length"
            if with_hashes and hash_file(path) != listed.sha256:
                return f"{listed.name} has changed on disk"
        except OSError:
            return f"{listed.name} is missing or cannot be read"
    return ""


def _free_name(folder: Path) -> Path:
    """`step-N.damaged`, numbered when an earlier one of the same step lies there."""
    name = folder.with_name(f"{folder.name}.damaged")
    number = 2
    while name.exists():
        name = folder.with_name(f"{folder.name}.damaged-{number}")
        number += 1
    return name
