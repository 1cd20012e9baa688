"""The warm chat child: base and tuned model loaded once, then asked again and again.

Loading a model takes longer than answering, so one child stays warm for the run that is being
talked to and ends by itself after five idle minutes. The routes turn a chat message into a
`Question`, which `Jobs` polls like any other work.
"""

import json
import shutil
import signal
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json
from tailor.engine.machine.process import identify, read_boot_id, signal_group
from tailor.engine.machine.whole_file import write_bytes
from tailor.engine.types import ProcessId
from tailor.recipes.spec import Message

SPEAKER_MODULE = "tailor.engine.worker.speaker"
ANSWER_SECONDS = 600.0
"""Longest wait for one answer, loading the model included."""

_MESSAGES = TypeAdapter(tuple[Message, ...])


class Speaker:
    """At most one chat child, for the run that was asked last."""

    def __init__(self, folder: Path, *, module: str = SPEAKER_MODULE) -> None:
        """`folder` is for this class alone; a child of an earlier engine is ended here."""
        self._folder = folder
        self._module = module
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._run_dir: Path | None = None
        self._asked = 0
        self._open: set[int] = set()
        for path in folder.glob("*/process.json"):
            signal_group(read_json(path, ProcessId), read_boot_id(), signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)

    def ask(
        self, run_dir: Path, messages: tuple[Message, ...], *, max_new_tokens: int
    ) -> "Question":
        """Ask both models of a run; starts or changes the child when needed."""
        return Question(self, run_dir, messages, max_new_tokens)

    def put(self, run_dir: Path, body: bytes) -> tuple[Child, int] | None:
        """Hand a question to a living child of this run: the child and the question's number.

        None while the child still answers questions about another run.
        """
        with self._lock:
            if self._child is None or self._run_dir != run_dir or not self._child.is_alive():
                if self._open and self._run_dir != run_dir:
                    return None
                child = self._restart(run_dir)
            else:
                child = self._child
            self._asked += 1
            self._open.add(self._asked)
            write_bytes(child.folder / f"ask-{self._asked}.json", body)
            return child, self._asked

    def settle(self, number: int) -> None:
        """A question has its answer, or nobody waits for it any more."""
        with self._lock:
            self._open.discard(number)

    def close(self) -> None:
        """End the child."""
        with self._lock:
            if self._child is not None:
                self._child.kill()
                self._child = None

    def drop(self, run_dir: Path) -> None:
        """End the child if it holds this run, whose folder is about to go."""
        with self._lock:
            if self._child is not None and self._run_dir == run_dir:
                self._child.kill()
                self._child = None

    def _restart(self, run_dir: Path) -> Child:
        if self._child is not None:
            self._child.kill()
            shutil.rmtree(self._child.folder, ignore_errors=True)
        folder = self._folder / uuid.uuid4().hex
        child = Child(
            self._module,
            folder,
            {"run_dir": str(run_dir)},
            Limits(seconds=float("inf")),
            environment={"HF_HUB_OFFLINE": "1"},
        )
        self._child, self._run_dir = child, run_dir
        write_json(folder / "process.json", identify(child.pid))
        return child


class Question:
    """One question on its way through the speaker."""

    def __init__(
        self, speaker: Speaker, run_dir: Path, messages: tuple[Message, ...], max_new_tokens: int
    ) -> None:
        """Ask at once."""
        self._speaker = speaker
        self._run_dir = run_dir
        body = {
            "messages": _MESSAGES.dump_python(messages, mode="json"),
            "max_new_tokens": max_new_tokens,
        }
        self._body = json.dumps(body).encode()
        self._started = time.monotonic()
        self._deaths = 0
        self._asked = speaker.put(run_dir, self._body)

    @property
    def pid(self) -> None:
        """No process of its own: the speaker looks after the child."""

    def progress(self) -> tuple[float, str]:
        """What the person sees while waiting."""
        if self._asked is None:
            return 0.0, "Waiting for a conversation about another run to finish."
        if (self._asked[0].folder / "ready").exists():
            return 0.0, "Both models are answering."
        return 0.0, "Loading the model before and after training. This is needed once."

    def poll(self) -> Any | None:
        """The answer, None while the child works. Raises the child's `UserError`."""
        if time.monotonic() - self._started > ANSWER_SECONDS:
            self._speaker.drop(self._run_dir)
            self._settle()
            raise _too_slow()
        if self._asked is None:
            self._asked = self._speaker.put(self._run_dir, self._body)
            return None
        return self._read(*self._asked)

    def kill(self) -> None:
        """Nobody waits any more; the child goes on or ends with its speaker."""
        self._settle()

    def _read(self, child: Child, number: int) -> Any | None:
        # Asked before the files are looked at: a child may answer and end in between.
        is_alive = child.is_alive()
        answer = child.folder / f"answer-{number}.json"
        problem = child.folder / f"problem-{number}.json"
        if answer.exists():
            self._settle()
            return json.loads(answer.read_bytes())
        if problem.exists():
            self._settle()
            raise UserError(**json.loads(problem.read_bytes()))
        if not is_alive:
            # Once is no fault: an idle child ends by itself and may just have done so.
            self._settle()
            self._deaths += 1
            if self._deaths > 1:
                raise _died(child)
            self._asked = None
        return None

    def _settle(self) -> None:
        if self._asked is not None:
            self._speaker.settle(self._asked[1])


def _died(child: Child) -> UserError:
    problem = child.folder / "problem.json"
    if problem.exists():
        return UserError(**json.loads(problem.read_bytes()))
    return UserError(
        title="The model could not be started for a chat",
        detail=f"It ended twice without an answer (code {child.process.poll()}).",
        fix="Close other programs that use much memory, then ask again. Your model is unharmed.",
    )


def _too_slow() -> UserError:
    return UserError(
        title="The model took too long to answer",
        detail=f"There was no answer in {ANSWER_SECONDS / 60:.0f} minutes.",
        fix="Ask again when the computer is less busy, or ask a shorter question.",
    )
