"""Killable children for everything slow or risky: JSON in, JSON out, a progress line a second.

Reading a stranger's file, loading a tokenizer or merging a model must neither block nor kill the
engine. Each runs as `python -m MODULE FOLDER` in a process group of its own; the folder holds
`request.json`, `progress.json`, `child.log` and, by rename, `answer.json` or `problem.json`. The
parent enforces the wall clock; the child limits its own memory before it opens anything.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.machine.whole_file import write_bytes
from tailor.estimator.record import record

Report = Callable[[float, str], None]
"""Tells progress: share done (0 to 1) and one sentence."""

PROGRESS_EVERY_SECONDS = 0.5
SECRETS = ("HF_TOKEN", "HUGGING_FACE", "HUGGINGFACE", "WANDB_", "AWS_")
"""How the names of variables begin that no process of ours may have."""
CHILD_NICENESS = 5
"""Below the wizard, which must answer, and above training, which can wait."""


@record
class Limits:
    """What a child may use before it is ended."""

    seconds: float
    memory_bytes: int = 0
    """Address space; 0 = no limit (torch maps far more than it uses)."""


class Child:
    """A running child; the engine polls it."""

    def __init__(
        self,
        module: str,
        folder: Path,
        request: Any,
        limits: Limits,
        *,
        environment: Mapping[str, str] | None = None,
        crash: UserError | None = None,
    ) -> None:
        """Start `python -m module folder`; `request` is plain JSON data.

        `environment` is added to the usual one. `crash` is what a person is told when the child
        dies without a word; left out, it speaks of a file that could not be read.
        """
        folder = folder.resolve()  # the child works inside it, where a relative path means another
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = folder
        self.limits = limits
        self._crash = crash
        body = {"request": request, "memory_bytes": limits.memory_bytes}
        write_bytes(folder / "request.json", json.dumps(body).encode())
        self._started = time.monotonic()
        with (folder / "child.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=folder,
                start_new_session=True,
                env=child_environment() | dict(environment or {}),
            )

    @property
    def pid(self) -> int:
        """The child's process, which leads a group of its own."""
        return self.process.pid

    def is_alive(self) -> bool:
        """Whether the child still runs."""
        return self.process.poll() is None

    def progress(self) -> tuple[float, str]:
        """Share done and the last sentence; (0, "") before the first report."""
        try:
            told = json.loads((self.folder / "progress.json").read_text("utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return 0.0, ""
        return told["done"], told["words"]

    def poll(self) -> Any | None:
        """The answer as plain JSON data, or None while it works. Raises the child's `UserError`."""
        code = self.process.poll()
        if code is None:
            if time.monotonic() - self._started > self.limits.seconds:
                self.kill()
                raise UserError(
                    title="This took too long and was stopped",
                    detail=f"The limit is {self.limits.seconds:.0f} seconds.",
                    fix="Try it with a smaller file, or try again when the computer is less busy.",
                )
            return None
        return self._outcome(code)

    def wait(self) -> Any:
        """Wait for the answer; for command line and tests."""
        while (answer := self.poll()) is None:
            time.sleep(0.02)
        return answer

    def kill(self) -> None:
        """End the child and everything that it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.process.wait()

    def _outcome(self, code: int) -> Any:
        answer, problem = self.folder / "answer.json", self.folder / "problem.json"
        if code == 0 and answer.exists():
            return json.loads(answer.read_bytes())
        if problem.exists():
            told = json.loads(problem.read_bytes())
            raise UserError(title=told["title"], detail=told["detail"], fix=told["fix"])
        if self._crash is not None:
            raise self._crash
        if code in (-signal.SIGKILL, -signal.SIGABRT):
            raise UserError(
                title="This is too big to read safely",
                detail="It needed more memory than Tailor allows for one file.",
                fix="Split it, or keep only the rows and columns you need.",
            )
        raise UserError(
            title="This could not be read",
            detail=f"The reader ended unexpectedly (code {code}). Your file is unchanged.",
            fix="Try saving it again in the program it came from, as CSV in UTF-8.",
        )


def child_environment() -> dict[str, str]:
    """The environment of every process that we start: no hub token, safe path, quiet libraries."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(SECRETS)}
    return kept | {
        "PYTHONSAFEPATH": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "USE_HUB_KERNELS": "NO",
        "TOKENIZERS_PARALLELISM": "false",
        # Threads that wait by spinning starve each other when others want the cores too. A LoRA
        # step of 4 x 64 tokens, torch 2.13, 2 cores with 15 busy processes more: 3 tokens/s
        # without this, 36 with it.
        "OMP_WAIT_POLICY": "PASSIVE",
    }


def serve_child(work: Callable[[Any, Report], Any]) -> None:
    """The child's main: read the request, limit ourselves, work, leave an answer or a problem."""
    folder = Path(sys.argv[1])
    body = json.loads((folder / "request.json").read_bytes())
    if body["memory_bytes"]:
        resource.setrlimit(resource.RLIMIT_AS, (body["memory_bytes"],) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(CHILD_NICENESS)
    last = 0.0

    def report(done: float, words: str) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_EVERY_SECONDS or done >= 1:
            last = time.monotonic()
            told = json.dumps({"done": done, "words": words}).encode()
            write_bytes(folder / "progress.json", told)

    try:
        answer = work(body["request"], report)
    except UserError as error:
        told = {"title": error.title, "detail": error.detail, "fix": error.fix}
        write_bytes(folder / "problem.json", json.dumps(told).encode())
        sys.exit(1)
    except MemoryError:
        os.kill(os.getpid(), signal.SIGKILL)
    except Exception:
        traceback.print_exc()
        sys.exit(2)
    write_bytes(folder / "answer.json", json.dumps(answer).encode())
