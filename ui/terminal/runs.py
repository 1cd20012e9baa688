"""Runs from the command line: start one from a file, follow it, read its log, stop, resume.

Scripts and people without a browser use it. Every command is one or two verbs of the client.
"""

import argparse
import time
import uuid
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import yaml
from pydantic import ValidationError

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.engine.start import ensure_engine
from tailor.engine.types import FINAL, ModelRecord, RunRecord
from tailor.recipes.spec import RunSpec
from tailor.recipes.spec_file import SpecFile, read_spec_file
from tailor.ui.terminal import steps
from tailor.ui.text_run import StatusText

STOP_PATIENCE_SECONDS = 300.0
"""How long `stop` watches a run save itself before it leaves it to the engine."""


def run_command(home: Path, given: argparse.Namespace) -> int:
    """One of the commands of `app.py` that speak about runs."""
    match given.command:
        case "run":
            return start(home, given.spec, follow=not given.detach)
        case "status":
            return status(home, given.run_id)
        case "logs":
            return logs(home, given.run_id)
        case "resume":
            return resume(home, given.run_id)
        case _:
            return stop(home, given.run_id, is_discarding=given.discard, is_engine=given.engine)


def start(home: Path, spec_path: Path, *, follow: bool) -> int:
    """Start the run that a spec file describes. 0 when it succeeded or was left to the engine."""
    wanted = read_wanted(spec_path)
    client = ensure_engine(home)
    dataset = read_dataset(client, wanted, spec_path.parent)
    model = steps.fetch_model(client, wanted.model)
    spec = build_spec(client, wanted, dataset, model)
    run = client.submit(spec, idempotency_id=uuid.uuid4().hex)
    print(f"{run.id}: {run.reason}")
    print(f"See it in the wizard: python app.py --run {run.id}")
    if not follow:
        return 0
    ended = steps.follow(client, run, print)
    return 0 if ended.status == "succeeded" else 1


def build_spec(
    client: EngineClient, wanted: SpecFile, dataset: DatasetRecord, model: ModelRecord
) -> RunSpec:
    """What is asked for, with the rows counted by the model's own tokenizer."""
    report = steps.render(client, dataset.id, model.id)
    if model.spec is None:
        raise UserError(
            title="This model is not ready",
            detail=f"{model.name} is not on this computer yet.",
            fix="Open the wizard's Model screen, or name another model in the spec file.",
        )
    return RunSpec(
        title=wanted.title or dataset.title,
        goal=wanted.goal,
        recipe=wanted.recipe,
        model=model.spec,
        dataset=report.spec,
        exam=dataset.exam,
        knobs=tuple(sorted(wanted.knobs.items())),
        seed=wanted.seed,
    )


def status(home: Path, run_id: str | None) -> int:
    """All runs in a line each, or one run in full."""
    client = ensure_engine(home)
    if run_id is not None:
        run = client.run(run_id)
        print(
            f"{run.title} ({run.id}): {StatusText.WORDS[run.status]}. {steps.progress_words(run)}"
        )
        print("\n".join(_diary_words(client, run)))
        if run.fix:
            print(run.fix)
        return 0
    found = client.runs()
    for run in found:
        words = StatusText.WORDS[run.status]
        print(f"{run.id}  {words:<20}  {run.title}: {steps.progress_words(run)}")
    if not found:
        print("No runs yet. Start one with: python app.py demo")
    return 0


def logs(home: Path, run_id: str) -> int:
    """What the latest attempt of a run printed so far."""
    client = ensure_engine(home)
    offset = 0
    while (page := client.log(run_id, offset=offset)).next_offset > offset:
        print(page.text, end="")
        offset = page.next_offset
    return 0


def stop(home: Path, run_id: str | None, *, is_discarding: bool, is_engine: bool) -> int:
    """Stop a run and wait until it is saved, or stop the engine and leave its runs alone."""
    client = ensure_engine(home)
    if is_engine:
        client.stop_engine()
        print("The engine has stopped. Runs that were running go on without it.")
        return 0
    run = client.run(run_id) if run_id else _only_active(client)
    run = client.stop(run.id, mode="discard" if is_discarding else "keep")
    deadline = time.monotonic() + STOP_PATIENCE_SECONDS
    while run.status not in FINAL and time.monotonic() < deadline:
        time.sleep(steps.POLL_SECONDS)
        run = client.run(run.id)
    print(run.reason)
    return 0 if run.status in FINAL else 1


def resume(home: Path, run_id: str) -> int:
    """Go on from the newest sealed checkpoint."""
    print(ensure_engine(home).resume(run_id).reason)
    return 0


def read_wanted(path: Path) -> SpecFile:
    """A spec file; what is wrong with it is told by its key."""
    try:
        return read_spec_file(path.read_text("utf-8"))
    except (FileNotFoundError, IsADirectoryError) as gone:
        raise UserError(
            title="There is no such spec file",
            detail=f"{path} cannot be opened.",
            fix="Check the name, or let the wizard's expert drawer write one.",
        ) from gone
    except (yaml.YAMLError, UnicodeDecodeError) as broken:
        raise UserError(
            title="The spec file is not YAML",
            detail=str(broken).replace("\n", " "),
            fix="Compare it with docs/spec-file.md.",
        ) from broken
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UserError(
            title="The spec file asks for something that Tailor does not know",
            detail=f"{place}: {first['msg']}.",
            fix="docs/spec-file.md lists every key.",
        ) from wrong


def read_dataset(client: EngineClient, wanted: SpecFile, folder: Path) -> DatasetRecord:
    """The mapped data of a spec: read now, or read by the wizard before."""
    if wanted.dataset:
        record = client.dataset(wanted.dataset)
    else:
        record = steps.read_file(client, folder / wanted.data)
    print(record.found)
    if record.mapping is not None and not wanted.question:
        return record
    if not record.guesses:
        raise UserError(
            title="Tailor cannot tell which columns are what",
            detail=f"The columns are: {', '.join(record.columns)}.",
            fix="Name them in the spec file: question and answer.",
        )
    mapping = record.guesses[0].mapping
    if wanted.question or wanted.answer:
        mapping = replace(
            mapping,
            shape="question_answer",
            question=wanted.question or mapping.question,
            answer=wanted.answer or mapping.answer,
            context=wanted.context,
        )
    if wanted.instruction:
        mapping = replace(mapping, instruction=wanted.instruction)
    return steps.wait_for_dataset(client, client.map(record.id, mapping))


def _only_active(client: EngineClient) -> RunRecord:
    active = [run for run in client.runs() if run.status not in FINAL]
    if len(active) == 1:
        return active[0]
    raise UserError(
        title="Name the run to stop",
        detail=f"{len(active)} runs are active.",
        fix="python app.py status lists them.",
    )


def _diary_words(client: EngineClient, run: RunRecord) -> list[str]:
    return [
        f"  {datetime.fromtimestamp(line.at):%H:%M}  {line.words}" for line in client.diary(run.id)
    ]
