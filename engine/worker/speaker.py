"""Child that lives for a while: answers a question with the untouched and with the tuned model.

Loading takes seconds, so it stays until nobody has asked for five minutes. The engine puts
`ask-<n>.json` into its folder and finds `answer-<n>.json` or `problem-<n>.json` there; `ready`
appears once the models are loaded. Started through `engine/child.py`.
"""

import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.errors import UserError
from tailor.engine.json_file import write_bytes
from tailor.engine.worker.added_words import add_words
from tailor.engine.worker.build import load_base, load_tuned, precision_context
from tailor.engine.worker.endings import read_end_ids
from tailor.engine.worker.finished import hash_weights, open_finished
from tailor.engine.worker.generation import answer_questions
from tailor.engine.worker.template import load_tokenizer
from tailor.recipes.spec import Message

IDLE_SECONDS = 300.0
LOOK_EVERY_SECONDS = 0.05

_MESSAGES = TypeAdapter(tuple[Message, ...])


class Speaker:
    """Base and tuned model of one run, loaded."""

    def __init__(self, run_folder: Path) -> None:
        """Load both; an adapter shares its base with the untouched model."""
        run_dir, run = open_finished(run_folder)
        self._plan = run.plan
        self._limit = run.spec.model.architecture.max_positions
        base = Path(run.spec.model.path)
        self._tokenizer = load_tokenizer(base)
        added = add_words(self._tokenizer, run.spec.added_words)
        self._end_ids = read_end_ids(self._tokenizer, base)
        self._hash = hash_weights(run_dir.final)
        self._tuned = load_tuned(run.plan, base, run_dir.final, added)
        is_full = run.plan.technique == "full"
        self._base = load_base(run.plan, base, added) if is_full else None

    def answer(self, messages: tuple[Message, ...], max_new_tokens: int) -> dict[str, str]:
        """Both answers, as a `ChatAnswer`."""
        if self._base is not None:
            base = self._ask(self._base, messages, max_new_tokens)
        else:
            with self._tuned.disable_adapter():
                base = self._ask(self._tuned, messages, max_new_tokens)
        tuned = self._ask(self._tuned, messages, max_new_tokens)
        return {"base": base, "tuned": tuned, "adapter_hash": self._hash}

    def _ask(self, model: Any, messages: tuple[Message, ...], max_new_tokens: int) -> str:
        with precision_context(self._plan):
            (reply,) = answer_questions(
                model,
                self._tokenizer,
                [messages],
                max_new_tokens=max_new_tokens,
                end_ids=self._end_ids,
                limit_tokens=self._limit,
            )
        return reply.text


def speak(request: Any, report: Report) -> dict[str, str]:
    """Load, answer what is asked, and leave when nobody asks any more."""
    folder = Path(sys.argv[1])
    report(0.0, "Loading the model.")
    speaker = Speaker(Path(request["run_dir"]))
    (folder / "ready").touch()
    report(1.0, "Ready.")
    answered: set[str] = set()
    last = time.monotonic()
    while time.monotonic() - last < IDLE_SECONDS and folder.exists():
        asked = sorted(folder.glob("ask-*.json"), key=_number)
        fresh = [path for path in asked if path.name not in answered]
        for path in fresh:
            answered.add(path.name)
            _answer_file(speaker, path)
            last = time.monotonic()
        if not fresh:
            time.sleep(LOOK_EVERY_SECONDS)
    return {}


def _answer_file(speaker: Speaker, path: Path) -> None:
    name = path.name.removeprefix("ask-")
    try:
        asked = json.loads(path.read_bytes())
        messages = _MESSAGES.validate_python(asked["messages"])
        told = speaker.answer(messages, asked["max_new_tokens"])
    except UserError as error:
        problem = {"title": error.title, "detail": error.detail, "fix": error.fix}
        write_bytes(path.with_name(f"problem-{name}"), json.dumps(problem).encode())
    # One question that goes wrong must not end the answers to the next.
    except Exception:
        traceback.print_exc()
        problem = {
            "title": "This question could not be answered",
            "detail": "The model broke off while it was writing.",
            "fix": "Ask again. If it stays so, ask a shorter question.",
        }
        write_bytes(path.with_name(f"problem-{name}"), json.dumps(problem).encode())
    else:
        write_bytes(path.with_name(f"answer-{name}"), json.dumps(told).encode())


def _number(path: Path) -> int:
    return int(path.stem.removeprefix("ask-"))


if __name__ == "__main__":
    os.environ["HF_HUB_OFFLINE"] = "1"
    serve_child(speak)
