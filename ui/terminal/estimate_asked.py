"""From what was typed after `python app.py estimate` to a plan: model, rows and machine.

The plan is the recipe's own, so that a question on a terminal and the Plan screen get the same
answer. Nothing is fetched and nothing is started: a model that is not here is known by its name,
and rows that are not here are described by their number and length.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from tailor.engine.data.exam import QUESTIONS
from tailor.engine.data.split import target_rows
from tailor.engine.errors import UserError
from tailor.engine.learned import read_calibration
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.cost import Price
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.models.model_names import Refusal, resolve
from tailor.estimator.record import record
from tailor.estimator.workload import LengthHistogram, Workload
from tailor.recipes.batch import choose_batch, compute_batch_rows, with_batch
from tailor.recipes.catalog import get_recipe
from tailor.recipes.families.catalog import family_for
from tailor.recipes.spec import DatasetSpec, ExamQuestion, Message, ModelSpec, RunSpec
from tailor.ui.terminal.estimate_machine import Machine, read_machine
from tailor.ui.text_estimate import AskedText, EstimateText

ROWS: Final = 1_000
LENGTH_TOKENS: Final = 1_024
LEARNED_SHARE: Final = 0.5
STORED_BYTES: Final = 2
BILLION: Final = 1e9
SIZE_TOLERANCE: Final = 0.15
"""Names round a size: "7B" has 6.7 to 7.6 billion weights."""
"""Model folders hold 16-bit weights."""


@record
class Asked:
    """A question that makes sense."""

    model: ModelSpec
    is_generic: bool
    workload: Workload
    hardware: HardwareSpec
    calibration: Calibration
    price: Price | None
    download_bytes: int
    """0 where the model is here."""
    notes: tuple[str, ...]
    """What was assumed beside what the estimator assumes itself."""


def read_asked(given: argparse.Namespace, home: Path) -> Asked:
    """The plan for a model, rows and a machine that are described by options."""
    machine = read_machine(given, home)
    found = resolve(given.model, given.params_b)
    if isinstance(found, Refusal):
        raise UserError(title=AskedText.MODEL_TITLE, detail=found.words, fix=AskedText.MODEL_FIX)
    shape = found.architecture
    if not found.is_generic and _is_another_size(given.params_b, shape.parameters):
        raise UserError(
            title=AskedText.SIZE_TITLE,
            detail=AskedText.SIZE_DETAIL.format(
                model=given.model, billions=f"{shape.parameters / BILLION:.1f}"
            ),
            fix=AskedText.SIZE_FIX,
        )
    model = ModelSpec(
        id="asked", name=given.model, path="",
        family=family_for({"model_type": shape.model_type}).id, architecture=shape,
        weights_bytes=STORED_BYTES * shape.parameters,
    )  # fmt: skip
    spec = RunSpec(
        title="", goal="answer", recipe=f"sft_{given.technique or 'lora'}", model=model,
        dataset=_rows(given), exam=_exam(),
    )  # fmt: skip
    return plan_asked(
        given, home, spec, machine, is_generic=found.is_generic,
        download_bytes=model.weights_bytes,
        notes=tuple(_assumed(given, shape.max_positions)),
    )  # fmt: skip


def plan_asked(
    given: argparse.Namespace,
    home: Path,
    spec: RunSpec,
    machine: Machine,
    *,
    is_generic: bool = False,
    download_bytes: int = 0,
    notes: tuple[str, ...] = (),
) -> Asked:
    """A run as it would be on a machine, on all of its cards."""
    hardware = machine.hardware
    plan = get_recipe(spec.recipe).plan(spec, hardware)
    return Asked(
        model=spec.model,
        is_generic=is_generic,
        workload=_shared(given, plan.workload, spec.model, hardware),
        hardware=hardware,
        calibration=read_calibration(home, hardware) if machine.is_here else SHIPPED,
        price=_price(given),
        download_bytes=download_bytes,
        notes=(*machine.notes, *notes),
    )


def _shared(
    given: argparse.Namespace, workload: Workload, model: ModelSpec, hardware: HardwareSpec
) -> Workload:
    """The recipe's plan, which is for one card, on as many cards and rows a step as asked."""
    cards = given.gpus or 1
    if given.sharding and cards == 1:
        raise UserError(
            title=AskedText.SHARING_TITLE,
            detail=AskedText.SHARING_DETAIL.format(sharding=given.sharding),
            fix=AskedText.SHARING_FIX,
        )
    if cards == 1 and given.batch is None:
        return workload
    planned = workload.micro_batch_rows * workload.accumulation
    # Without a wish the recipe's number is kept as closely as the cards allow.
    wanted = given.batch or cards * max(1, compute_batch_rows(workload.lengths.rows) // cards)
    if wanted > max(cards, workload.lengths.rows):
        raise UserError(
            title=AskedText.BATCH_TITLE,
            detail=AskedText.BATCH_DETAIL.format(wanted=wanted, rows=workload.lengths.rows),
            fix=AskedText.BATCH_FIX,
        )
    if wanted % cards:
        raise UserError(
            title=AskedText.SHARE_TITLE,
            detail=AskedText.SHARE_DETAIL.format(rows=wanted, cards=cards),
            fix=AskedText.SHARE_FIX.format(cards=cards),
        )
    shared = replace(
        workload,
        cards=cards,
        sharding=(given.sharding or "ddp") if cards > 1 else "none",
        steps=max(1, round(workload.steps * planned / wanted)),
    )
    return with_batch(shared, choose_batch(shared, model, hardware, rows=wanted // cards))


def _rows(given: argparse.Namespace) -> DatasetSpec:
    rows, tokens = given.rows or ROWS, given.length or LENGTH_TOKENS
    held_out = target_rows(rows)
    train = rows - held_out
    lengths = LengthHistogram(
        edges_tokens=(tokens - 1, tokens) if tokens > 1 else (tokens,),
        counts=(0, train) if tokens > 1 else (train,),
        total_tokens=train * tokens,
        learned_tokens=max(1, round(LEARNED_SHARE * train * tokens)),
        longest_tokens=tokens,
    )
    return DatasetSpec(
        id="asked", version=1, path="", content_hash="", shape="chat", train_rows=train,
        held_out_rows=held_out, lengths=lengths, held_out_tokens=held_out * tokens,
    )  # fmt: skip


def _exam() -> tuple[ExamQuestion, ...]:
    """As many questions as the wizard picks; how long answers are, the rows tell."""
    asked = (Message(role="user", content=""),)
    return tuple(
        ExamQuestion(id=str(number), messages=asked, expected="") for number in range(QUESTIONS)
    )


def _assumed(given: argparse.Namespace, max_positions: int) -> Iterator[str]:
    rows, tokens = given.rows or ROWS, given.length or LENGTH_TOKENS
    if given.rows is None:
        yield EstimateText.ROWS_DEFAULT.format(rows=f"{ROWS:,}")
    if given.length is None:
        yield EstimateText.LENGTH_DEFAULT.format(tokens=f"{LENGTH_TOKENS:,}")
    yield EstimateText.ROWS_ASSUMED.format(rows=f"{rows:,}", tokens=f"{tokens:,}")
    if tokens > max_positions:
        yield EstimateText.LENGTH_CUT.format(tokens=f"{max_positions:,}")


def _price(given: argparse.Namespace) -> Price | None:
    if given.tariff is None and given.card_hour is None and given.watts is None:
        return None
    return Price(
        per_kwh=given.tariff,
        per_card_hour=given.card_hour,
        currency=given.currency,
        computer_watts=given.watts,
    )


def _is_another_size(told_billions: float | None, parameters: int) -> bool:
    """Whether somebody told a size that a known model does not have."""
    if told_billions is None:
        return False
    return abs(told_billions * BILLION / parameters - 1) > SIZE_TOLERANCE
