"""Run folders as the engine makes, reads back and removes them.

A run exists from the moment at which its folder gets its name: it is built beside under a name that
nobody takes for a run, complete and flushed, and renamed. Removal is the same the other way round.
What a kill leaves half done is finished here at the next start.
"""

import platform
import secrets
import shutil
from collections.abc import Callable
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tailor.engine.json_file import flush_folder, write_json
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.journal import JournalLine, append_lines
from tailor.engine.types import FrozenRun

NEW, DELETED = ".new-", ".deleted-"
LETTERS = "bcdfghjkmnpqrstvwxz"
"""No vowels, so no words; no "l" and "y", which are misread."""
FOLDERS = ("control", "attempts", "checkpoints")
PACKAGES = (
    "tailor-tuning", "torch", "transformers", "trl", "peft", "accelerate", "bitsandbytes",
)  # fmt: skip


def runs_folder(home: Path) -> Path:
    """Where run folders lie; made when it is not there."""
    folder = home / "runs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def make_run_id(runs: Path, at: float) -> str:
    """A fresh id such as "run_20261130-kfpa"."""
    day = datetime.fromtimestamp(at).strftime("%Y%m%d")
    while True:
        run_id = f"run_{day}-{''.join(secrets.choice(LETTERS) for _ in range(4))}"
        if not any((runs / name).exists() for name in (run_id, NEW + run_id, DELETED + run_id)):
            return run_id


def build_run_folder(runs: Path, frozen: FrozenRun, line: JournalLine) -> Path:
    """Build a run's folder under its hidden name; on an error nothing of it is left."""
    hidden = RunDir(runs / (NEW + frozen.id))
    hidden.path.mkdir(mode=0o700)
    try:
        for name in FOLDERS:
            (hidden.path / name).mkdir(mode=0o700)
        write_json(hidden.frozen, frozen)
        append_lines(hidden.journal, (line,))
        flush_folder(hidden.path)
    except BaseException:
        shutil.rmtree(hidden.path)
        raise
    return hidden.path


def publish_run_folder(hidden: Path) -> Callable[[], None]:
    """Give the folder its name: from here on the run exists. Answers how to take that back."""
    final = hidden.with_name(hidden.name.removeprefix(NEW))
    hidden.rename(final)
    flush_folder(final.parent)

    def take_back() -> None:
        final.rename(hidden)

    return take_back


def hide_deleted(folder: Path) -> Path:
    """Take a run's name away: from here on it is deleted. Its files go with `empty_deleted`."""
    hidden = folder.with_name(DELETED + folder.name)
    if folder.exists():
        folder.rename(hidden)
        flush_folder(folder.parent)
    return hidden


def empty_deleted(hidden: Path) -> None:
    """Remove the files but not yet the hidden folder, which marks the deletion as unfinished.

    Files go before the row in the store, so that a full disk gets the room it needs for that row.
    """
    for path in hidden.iterdir() if hidden.exists() else ():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def remove_deleted(hidden: Path) -> None:
    """The deletion is complete."""
    if hidden.exists():
        hidden.rmdir()


def unfinished_deletions(runs: Path) -> dict[str, Path]:
    """Run ids whose deletion was interrupted, with their hidden folders."""
    return {path.name.removeprefix(DELETED): path for path in runs.glob(f"{DELETED}*")}


def remove_unfinished_new(runs: Path) -> None:
    """Remove folders of runs that never came to be; nobody was told about them."""
    for path in runs.glob(f"{NEW}*"):
        shutil.rmtree(path)


def read_versions() -> tuple[tuple[str, str], ...]:
    """Versions that a result depends on, read without importing anything."""
    found = [("python", platform.python_version())]
    for package in PACKAGES:
        try:
            found.append((package, version(package)))
        except PackageNotFoundError:
            found.append((package, "not installed"))
    return tuple(found)
