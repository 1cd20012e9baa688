"""`python app.py estimate`: what a run would need, on this computer or on any other.

The same promise as on the Plan screen, before anything is fetched or started, and the nearest plans
that fit. The exit code says it to a script: 0 it fits or is tight, 1 it will not fit, 2 the
question makes no sense.
"""

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path
from shutil import get_terminal_size
from typing import Final

from pydantic import TypeAdapter

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.start import ensure_engine
from tailor.engine.types import ModelRecord
from tailor.estimator.estimate import estimate
from tailor.estimator.search import explain_shortfall, nearest_fitting
from tailor.recipes.knobs import UnknownChoiceError
from tailor.ui.terminal import runs, steps
from tailor.ui.terminal.estimate_answer import Answer, describe
from tailor.ui.terminal.estimate_asked import Asked, plan_asked, read_asked
from tailor.ui.terminal.estimate_check import check_options
from tailor.ui.terminal.estimate_machine import read_machine
from tailor.ui.text_estimate import AskedText

WIDTH_LEAST: Final = 40
WIDTH_MOST: Final = 100
BAD_INPUT: Final = 2


def run_estimate(home: Path, given: argparse.Namespace) -> int:
    """Print the promise; the exit code of this module's docstring."""
    try:
        check_options(given)
        # Reading rows draws bars; standard output is for the answer alone.
        with redirect_stdout(sys.stderr):
            asked = _read_spec(given, home) if given.spec is not None else read_asked(given, home)
        answer = answer_question(asked)
    except UnknownChoiceError as wrong:
        return _refuse(UserError.of(wrong))
    except UserError as wrong:
        return _refuse(wrong)
    if given.json:
        print(TypeAdapter(Answer).dump_json(answer, indent=1).decode())
    else:
        width = min(WIDTH_MOST, max(WIDTH_LEAST, get_terminal_size().columns - 1))
        print("\n".join(describe(answer, width)))
    return 1 if answer.estimate.verdict == "will_not_fit" else 0


def answer_question(asked: Asked) -> Answer:
    """The promise, and the plans beside it."""
    shape, weights = asked.model.architecture, asked.model.weights_bytes
    try:
        promise = estimate(
            asked.workload, shape, asked.hardware, weights_bytes=weights,
            calibration=asked.calibration, price=asked.price,
            download_bytes=asked.download_bytes,
        )  # fmt: skip
    except ValueError as nonsense:
        raise UserError(
            title=AskedText.PLAN_TITLE, detail=str(nonsense), fix=AskedText.PLAN_FIX
        ) from nonsense
    found = nearest_fitting(
        asked.workload, shape, asked.hardware, weights_bytes=weights,
        calibration=asked.calibration, price=asked.price, download_bytes=asked.download_bytes,
    )  # fmt: skip
    shortfall = None
    if promise.verdict == "will_not_fit" and not found:
        shortfall = explain_shortfall(
            asked.workload, shape, asked.hardware, weights_bytes=weights,
            calibration=asked.calibration, download_bytes=asked.download_bytes,
        )  # fmt: skip
    return Answer(
        model=asked.model.name,
        parameters=shape.parameters,
        layers=shape.layers,
        is_generic=asked.is_generic,
        workload=asked.workload,
        hardware=asked.hardware,
        estimate=promise,
        suggestions=found,
        shortfall=shortfall,
        notes=asked.notes,
    )


def _read_spec(given: argparse.Namespace, home: Path) -> Asked:
    """The plan of a spec file, with its own rows and its own model, which must be here."""
    wanted = runs.read_wanted(given.spec)
    client = ensure_engine(home)
    try:
        model = _model_here(client, wanted.model)
        dataset = runs.read_dataset(client, wanted, given.spec.parent)
        spec = runs.build_spec(client, wanted, dataset, model)
    finally:
        client.close()
    return plan_asked(given, home, spec, read_machine(given, home))


def _model_here(client: EngineClient, wanted: str) -> ModelRecord:
    """Nothing is fetched for an estimate; a folder is only looked at."""
    is_here = wanted == steps.STARTER or Path(wanted).exists()
    if is_here or any(model.is_ready and model.id == wanted for model in client.models()):
        return steps.fetch_model(client, wanted)
    raise UserError(
        title=AskedText.AWAY_TITLE,
        detail=AskedText.AWAY_DETAIL.format(model=wanted),
        fix=AskedText.AWAY_FIX.format(model=wanted),
    )


def _refuse(problem: UserError) -> int:
    print(f"{problem.title}\n  {problem.detail}\n  {problem.fix}", file=sys.stderr)
    return BAD_INPUT
