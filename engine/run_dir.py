"""The run folder, the durable truth of a run: one property a file, one writer each.

The engine, the shim and the worker meet here and nowhere else. Whoever wants to know who writes a
file reads its docstring.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tailor.engine.types import ProcessId
from tailor.estimator.record import record

EXIT_DONE = 0
EXIT_NOT_STARTED = 71
"""Written by the engine in place of a shim that never came; none can come after it."""
EXIT_BUSY = 75
"""Shim: a lock is held by another process."""
EXIT_STOPPED_SAVED = 85
EXIT_STOPPED_UNSAVED = 86


@record
class Attempt:
    """`attempt.json`, written by the engine before it starts the shim."""

    schema: int = 1
    number: int
    resume_from: str = ""
    """Sealed checkpoint to go on from, such as "step-00000120"; empty = from the start."""
    threads: int = 0
    """Processor threads that the worker may use; 0 leaves it to the library."""


@record
class Shim:
    """`shim.json`, written by the shim as its first act."""

    schema: int = 1
    process: ProcessId
    worker: ProcessId | None = None
    """Rank 0, once it is started."""
    boot_id: str


@record
class Exit:
    """`exit.json`, written by the shim after the last rank, or for a shim that never came."""

    schema: int = 1
    code: int
    """Exit code of the worker; minus the signal's number when a signal ended it."""
    ended_at: float
    out_of_memory_kills: int = 0
    """How many times the kernel killed for memory while the worker ran."""
    words: str = ""


@record
class StopRequest:
    """`control/stop`: finish the step, then save and stop, or stop at once."""

    mode: Literal["keep", "discard"]
    reason: str
    who: str
    deadline_seconds: float = 120.0
    """How long the worker may take to save and end; then the shim ends it."""


@record
class Crash:
    """`error.json`, written by the worker when it dies of an exception."""

    schema: int = 1
    type: str
    """Class name of the exception."""
    text: str
    is_user_error: bool = False
    title: str = ""
    detail: str = ""
    fix: str = ""


@record
class ManifestFile:
    """One file of a sealed checkpoint."""

    name: str
    bytes: int
    sha256: str


@record
class Manifest:
    """`MANIFEST.json` of a sealed checkpoint: what must be there for it to count."""

    schema: int = 1
    run_id: str
    attempt: int
    step: int
    why: Literal["periodic", "best", "stop", "asked", "last"]
    held_out_loss: float | None
    is_finite: bool
    files: tuple[ManifestFile, ...]


@dataclass(frozen=True)
class RunDir:
    """Paths of one run."""

    path: Path

    @property
    def id(self) -> str:
        """The run's id is its folder's name."""
        return self.path.name

    @property
    def frozen(self) -> Path:
        """`run.json` (`FrozenRun`): engine, once, on submit."""
        return self.path / "run.json"

    @property
    def journal(self) -> Path:
        """`journal.jsonl`: engine, each transition with its reason, flushed before it answers."""
        return self.path / "journal.jsonl"

    @property
    def events(self) -> Path:
        """`events.jsonl`: rank 0 of the worker, appended."""
        return self.path / "events.jsonl"

    @property
    def stop(self) -> Path:
        """`control/stop` (`StopRequest`): engine or shim."""
        return self.path / "control" / "stop"

    @property
    def checkpoints(self) -> Path:
        """Sealed checkpoints `step-<8 digits>`: rank 0, by rename."""
        return self.path / "checkpoints"

    @property
    def final(self) -> Path:
        """The finished, proven model: rank 0, by rename."""
        return self.path / "final"

    @property
    def exports(self) -> Path:
        """What was made to take along: export child, by rename."""
        return self.path / "exports"

    @property
    def work_lock(self) -> Path:
        """`work.lock`: held by the shim and every rank, over all attempts one at a time."""
        return self.path / "work.lock"

    def attempt(self, number: int) -> "AttemptDir":
        """The folder of one attempt."""
        return AttemptDir(self.path / "attempts" / f"{number:03d}")

    def staging(self, attempt: int) -> Path:
        """Where a checkpoint is written before it is sealed; the number fences late writers off."""
        return self.checkpoints / f".tmp-{attempt:03d}"

    def checkpoint(self, step: int) -> Path:
        """A sealed checkpoint."""
        return self.checkpoints / f"step-{step:08d}"


@dataclass(frozen=True)
class AttemptDir:
    """Paths of one attempt of a run."""

    path: Path

    @property
    def plan(self) -> Path:
        """`attempt.json` (`Attempt`): engine."""
        return self.path / "attempt.json"

    @property
    def shim(self) -> Path:
        """`shim.json` (`Shim`): shim."""
        return self.path / "shim.json"

    @property
    def exit(self) -> Path:
        """`exit.json` (`Exit`): shim, last of all."""
        return self.path / "exit.json"

    @property
    def crash(self) -> Path:
        """`error.json` (`Crash`): worker, when an exception ends it."""
        return self.path / "error.json"

    @property
    def log(self) -> Path:
        """`worker.log`: everything that the worker prints."""
        return self.path / "worker.log"

    @property
    def training(self) -> Path:
        """`training`: empty, made by the worker when the first step is done."""
        return self.path / "training"

    @property
    def shim_lock(self) -> Path:
        """`shim.lock`: held by the shim alone."""
        return self.path / "shim.lock"

    @property
    def shim_log(self) -> Path:
        """`shim.log`: what a shim in trouble prints."""
        return self.path / "shim.log"
