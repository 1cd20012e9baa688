"""The main job without a browser: the built-in example, from rows to a proven model.

It shows that a fresh machine can do the whole thing, and shows it honestly: the promise before, the
score and answers before and after, also one that is still wrong. `make demo` runs it; it goes
through the same verbs of the engine as the wizard.
"""

import uuid
from collections.abc import Callable
from pathlib import Path

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord, RenderReport
from tailor.engine.errors import UserError
from tailor.engine.events import Sample
from tailor.engine.start import ensure_engine
from tailor.engine.types import ModelRecord, RunRecord
from tailor.estimator.estimate import Estimate
from tailor.recipes.catalog import get_recipe
from tailor.recipes.examples.catalog import get_example
from tailor.recipes.examples.example import Example
from tailor.recipes.spec import ExamQuestion, RunSpec
from tailor.ui.run_story import read_story
from tailor.ui.terminal import steps
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    duration_range_words,
    duration_words,
)

EXAMPLE = "maintenance"
RECIPE = "sft_lora"
SHOWN_ANSWERS = 3

Tell = Callable[[str], None]
Answers = dict[str, Sample]
"""Answers of one moment, by question."""


def run_demo(home: Path, *, seed: int = 0, tell: Tell = print) -> int:
    """Run the example to its end. 0 only when the run has succeeded and is proven."""
    example = get_example(EXAMPLE)
    tell(f"{example.title}\n{example.words}\n")
    client = ensure_engine(home)
    tell(f"Engine   is running; everything is kept in {home}")
    model = steps.fetch_model(client, "starter")
    tell(f"Model    {model.name}{_licence(model)}")
    dataset = steps.wait_for_dataset(client, client.add_example(example.id))
    tell(
        f"Rows     {dataset.train_rows} to learn from, {dataset.held_out_rows} held out, "
        f"{len(dataset.exam)} of these are the exam"
    )
    report = steps.render(client, dataset.id, model.id)
    lengths = report.spec.lengths
    tell(
        f"Reading  {lengths.total_tokens:,} tokens, {lengths.learned_tokens:,} of them learned, "
        f"the longest row has {lengths.longest_tokens}"
    )
    spec = _spec(example, model, dataset, report, seed)
    run = client.submit(spec, idempotency_id=uuid.uuid4().hex)
    _tell_promise(run, tell)
    ended = steps.follow(client, run, lambda words: tell(f"\n{words}"))
    if ended.status != "succeeded" or ended.result is None:
        tell(ended.fix)
        tell(f"What it printed: python app.py logs {run.id}")
        return 1
    _tell_result(client, ended, dataset.exam, tell)
    return 0


def pick_answers(
    exam: tuple[ExamQuestion, ...], before: Answers, after: Answers
) -> tuple[ExamQuestion, ...]:
    """Three questions to show: two that it learned to answer, and one that it still gets wrong."""
    asked = [question for question in exam if question.id in before and question.id in after]
    gained = [q for q in asked if after[q.id].score > before[q.id].score]
    wrong = [q for q in asked if after[q.id].score < 1]
    first = gained[: SHOWN_ANSWERS - 1] + [q for q in wrong if q not in gained][:1]
    rest = [question for question in (*gained, *asked) if question not in first]
    unique = list(dict.fromkeys(question.id for question in (*first, *rest)))[:SHOWN_ANSWERS]
    return tuple(question for key in unique for question in asked if question.id == key)


def _spec(
    example: Example, model: ModelRecord, dataset: DatasetRecord, report: RenderReport, seed: int
) -> RunSpec:
    if model.spec is None:
        raise UserError(
            title="The starter model is not ready",
            detail=model.words,
            fix="Run the demo again; it is fetched anew.",
        )
    return RunSpec(
        title=example.title,
        goal=example.goal,
        recipe=RECIPE,
        model=model.spec,
        dataset=report.spec,
        exam=dataset.exam,
        seed=seed,
    )


def _tell_promise(run: RunRecord, tell: Tell) -> None:
    """The plan's own reasons, and what it will need."""
    tell(f"\nPlan     {get_recipe(run.plan.recipe).title}: {run.id}")
    for reason in run.plan.reasons:
        tell(f"  {reason.words}")
    tell(f"\nPromise  {promise_words(run.estimate)}\n")


def promise_words(estimate: Estimate) -> str:
    """Time, memory and disk of an estimate in one line."""
    seconds, memory = estimate.seconds, estimate.memory_bytes
    return (
        f"{duration_range_words(seconds.low, seconds.high)}, "
        f"{bytes_range_words(memory.low, memory.high)} of {bytes_words(estimate.capacity_bytes)} "
        f"of free memory, {bytes_words(estimate.disk_bytes)} of disk"
    )


def _tell_result(
    client: EngineClient, run: RunRecord, exam: tuple[ExamQuestion, ...], tell: Tell
) -> None:
    if run.result is None:
        return
    result = run.result
    tell(
        f"\nExam     {result.score_before:.0f} of 100 before, {result.score_after:.0f} after "
        f"({len(exam)} questions; an answer counts when it is right in full)"
    )
    tell(
        f"Took     {duration_words(result.seconds)}, {bytes_words(result.peak_bytes)} of memory "
        "at most"
    )
    before, after = read_answers(client, run)
    for question in pick_answers(exam, before, after):
        tell(f"\n  asked   {_one_line(question.messages[-1].content)}")
        tell(f"  before  {_one_line(before[question.id].text)}")
        tell(f"  after   {_one_line(after[question.id].text)}")
        tell(f"  right   {_one_line(question.expected)}")
    tell(f"\nThe finished model is in {result.folder}")
    tell(f"See this run in the wizard: python app.py --run {run.id}")


def read_answers(client: EngineClient, run: RunRecord) -> tuple[Answers, Answers]:
    """Answers of the untouched model, and of the version that was kept."""
    told = read_story(client, run.id).samples
    steps_told = [sample.step for sample in told]
    kept = run.progress.best_step
    last = kept if kept in steps_told else max(steps_told, default=0)
    return (
        {sample.question: sample for sample in told if sample.step == 0},
        {sample.question: sample for sample in told if sample.step == last},
    )


def _licence(model: ModelRecord) -> str:
    return f" ({model.spec.licence})" if model.spec and model.spec.licence else ""


def _one_line(text: str) -> str:
    """An answer as one line of the terminal; control characters of a model are not obeyed."""
    line = " ".join(text.split())
    printable = "".join(letter for letter in line if letter.isprintable())
    return printable if len(printable) <= 100 else printable[:99] + "…"
