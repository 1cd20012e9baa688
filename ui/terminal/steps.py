"""The way from a file to a running run, for the command line: read, map, fetch, render, follow.

The demo and `app.py run` go the same way as the wizard, verb by verb through the engine's client,
and show each wait as a bar. Pages have their own form of the same steps; nothing here knows gradio.
"""

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import TypeAdapter

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord, RenderReport
from tailor.engine.errors import UserError
from tailor.engine.models import starter
from tailor.engine.types import FINAL, Job, ModelRecord, RunRecord
from tailor.ui.views.quantities import duration_range_words

POLL_SECONDS = 0.25
BAR_CELLS = 28
PIPE_EVERY_SECONDS = 10.0
"""Between two lines of progress in a file or a pipe, which nobody redraws."""
STARTER = "starter"
"""What a person writes for the starter model."""


class ProgressLine:
    """One line of a terminal, redrawn in place; in a pipe a line every few seconds instead."""

    def __init__(self) -> None:
        """Standard output, whatever it is."""
        self._is_terminal = sys.stdout.isatty()
        self._last = ""
        self._told_at = -PIPE_EVERY_SECONDS

    def show(self, share: float, words: str) -> None:
        """Draw the bar; a share of 0 draws none."""
        cells = round(share * BAR_CELLS)
        bar = f"[{'#' * cells}{'.' * (BAR_CELLS - cells)}] {share:4.0%}  " if share else ""
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            print("\r" + f"{bar}{words}"[:width].ljust(width), end="", flush=True)
        elif words != self._last and time.monotonic() - self._told_at >= PIPE_EVERY_SECONDS:
            self._told_at = time.monotonic()
            print(f"  {bar}{words}", flush=True)
        self._last = words

    def end(self, words: str) -> None:
        """Replace the line by its last word."""
        self.clear()
        print(words, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_terminal:
            print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="", flush=True)


def wait_for_job(client: EngineClient, job: Job) -> str:
    """Follow a job to its end and return its answer as JSON. Raises what went wrong."""
    line = ProgressLine()
    while job.status == "running":
        line.show(job.done, job.words or "Working")
        time.sleep(POLL_SECONDS)
        job = client.job(job.id)
    if job.problem is not None:
        raise UserError.of(job.problem)
    return job.answer


def wait_for_dataset(client: EngineClient, record: DatasetRecord) -> DatasetRecord:
    """Follow the reading of a file to its end. Raises what went wrong."""
    line = ProgressLine()
    while record.status == "reading":
        line.show(record.done, record.progress or "Reading the file")
        time.sleep(POLL_SECONDS)
        record = client.dataset(record.id)
    if record.problem is not None:
        raise UserError.of(record.problem)
    return record


def read_file(client: EngineClient, path: Path) -> DatasetRecord:
    """Hand a file over to the engine, as an upload would be, and wait until it is read."""
    if not path.is_file():
        raise UserError(
            title="This file is not there",
            detail=f"{path} was named and does not exist.",
            fix="Check the name; it is looked for relative to the spec file.",
        )
    record = client.upload(path, path.name)
    return wait_for_dataset(client, client.add_dataset([record.id]))


def fetch_model(client: EngineClient, wanted: str) -> ModelRecord:
    """The model that is wanted: one that is here, the starter model, a folder or a hub name."""
    for model in client.models():
        names = (model.id, STARTER) if model.id == starter.ID else (model.id,)
        if model.is_ready and wanted in names:
            return model
    source = STARTER if wanted == STARTER else "folder" if Path(wanted).exists() else "hub"
    answer = wait_for_job(client, client.add_model(source=source, value=wanted))
    return TypeAdapter(ModelRecord).validate_json(answer)


def render(client: EngineClient, dataset_id: str, model_id: str) -> RenderReport:
    """What the model will read; stops where the rows cannot be learned from."""
    answer = wait_for_job(client, client.render(dataset_id, model_id))
    report = TypeAdapter(RenderReport).validate_json(answer)
    for finding in report.findings:
        if finding.level == "stop":
            raise UserError.of(finding)
    return report


def follow(client: EngineClient, run: RunRecord, tell: Callable[[str], None]) -> RunRecord:
    """Show a run until it ends; closing the terminal leaves it running."""
    line = ProgressLine()
    seen = 0
    while run.status not in FINAL:
        diary = client.diary(run.id)
        for entry in diary[seen:]:
            line.end(f"  {entry.words}")
        seen = len(diary)
        progress = run.progress
        share = progress.step / progress.steps if progress.steps else 0.0
        line.show(share, progress_words(run))
        time.sleep(1.0)
        run = client.run(run.id)
    for entry in client.diary(run.id)[seen:]:
        line.end(f"  {entry.words}")
    tell(run.reason)
    return run


def progress_words(run: RunRecord) -> str:
    """One line about a run: what it is doing, how far it is, how long it will take."""
    progress = run.progress
    is_learning = progress.phase == "train" and progress.steps > 0
    words = progress.words or run.reason
    if is_learning:
        words = f"Learning: step {progress.step} of {progress.steps}."
    if progress.seconds_left_low is not None and progress.seconds_left_high is not None:
        left = duration_range_words(progress.seconds_left_low, progress.seconds_left_high)
        words += f" {left[0].upper()}{left[1:]} left."
    return words
