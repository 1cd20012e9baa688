"""Child: what a model will read of a dataset, by its own tokenizer. `python -m ... FOLDER`

The Check screen shows a row as the model sees it, with the learned part marked, before anything is
paid for; and the plan needs every row's length. Only the tokenizer is loaded, never the model. The
engine's render job starts it; the rows go through the trainer's own `read_row` and `cut`.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.data_types import RenderedExample, RenderReport
from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.engine.worker.added_words import add_words
from tailor.engine.worker.data import cut, read_row
from tailor.engine.worker.endings import read_end_ids
from tailor.engine.worker.refusals import find_refusal
from tailor.engine.worker.render_findings import Rendered, find_problems
from tailor.engine.worker.row_count import RowCount, count_row, own_words
from tailor.engine.worker.rows import Row, count_rows, read_rows
from tailor.engine.worker.template import load_tokenizer
from tailor.engine.worker.word_survey import WordSurvey
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.limit_choices import LimitChoice, price_limits
from tailor.recipes.spec import DatasetSpec, ModelSpec, RunSpec

BUCKETS = 24
REPORT_EVERY_ROWS = 100
RECIPE = "sft_lora"
"""Prices the limits: the default, and the one that most people run."""
SHAPES = {"question_answer": "prompt_completion", "classes": "prompt_completion"}
"""The mapping's word for a shape, where the dataset's differs."""


@record
class RenderDataset:
    """The rows to render, as the data library names them."""

    id: str
    version: int
    path: str
    shape: str


@record
class RenderRequest:
    """What the engine asks for."""

    dataset: RenderDataset
    model: ModelSpec
    max_length_tokens: int = 0
    """0 = the model's own limit."""
    added_words: tuple[str, ...] = ()
    hardware: HardwareSpec | None = None
    """The machine to price the limits for; None prices none."""


def render(request: Any, report: Report) -> Any:
    """A `RenderReport` as plain data."""
    known = {"id", "version", "path", "shape"}
    dataset = {name: value for name, value in request["dataset"].items() if name in known}
    asked = TypeAdapter(RenderRequest).validate_python({**request, "dataset": dataset})
    report(0.0, "Loading the model's tokenizer.")
    tokenizer = load_tokenizer(Path(asked.model.path), may_lack_end=True)
    added = add_words(tokenizer, asked.added_words)
    own_limit = asked.model.architecture.max_positions
    limit = min(asked.max_length_tokens or own_limit, own_limit)
    seen = _read_all(tokenizer, asked, limit, report)
    train = [count for count in seen.counts if count.split == "train"]
    held_out = [count for count in seen.counts if count.split == "held_out"]
    spec = _freeze(asked.dataset, train, held_out)
    limits = _price(asked, spec, train)
    characters_per_token = _characters_per_token(train)
    answer = RenderReport(
        model_id=asked.model.id,
        dataset_id=asked.dataset.id,
        version=asked.dataset.version,
        max_length_tokens=limit,
        examples=_show_rows(tokenizer, Path(asked.dataset.path), pick_rows(train), limit),
        spec=spec,
        cut_rows=sum(count.tokens > limit for count in train),
        findings=find_problems(
            seen.rendered(limit, limits, characters_per_token), asked.model, tokenizer
        ),
        long_row_ids=tuple(
            count.id for count in seen.counts if count.tokens > limit and count.is_own
        ),
        characters_per_token=characters_per_token,
        template_share=_template_share(train),
        split_words=seen.words.split_words(tokenizer),
        added_words=tuple(one.word for one in added),
        limits=limits,
    )
    report(1.0, "Done.")
    return TypeAdapter(RenderReport).dump_python(answer, mode="json")


class _Seen:
    """What is kept of the rows while they go by."""

    def __init__(self) -> None:
        self.counts: list[RowCount] = []
        self.refusals: list[tuple[int, UserError]] = []
        self.bad_rows = 0
        self.better_rows = 0
        self.words = WordSurvey()

    def rendered(
        self, limit: int, limits: tuple[LimitChoice, ...], characters_per_token: float
    ) -> Rendered:
        """What the findings are made of."""
        return Rendered(
            counts=tuple(self.counts),
            refusals=tuple(self.refusals),
            bad_rows=self.bad_rows,
            better_rows=self.better_rows,
            limit=limit,
            limits=limits,
            characters_per_token=characters_per_token,
            poor_below=self.words.poor_below,
        )


def _read_all(tokenizer: Any, asked: RenderRequest, limit: int, report: Report) -> _Seen:
    """Every row by its numbers; only one is held at a time."""
    path, seen = Path(asked.dataset.path), _Seen()
    end_ids = read_end_ids(tokenizer, Path(asked.model.path))
    total = max(1, count_rows(path))
    for number, row in enumerate(read_rows(path)):
        if number % REPORT_EVERY_ROWS == 0:
            report(0.99 * number / total, f"Reading row {number + 1:,} of {total:,}.")
        if not row.is_imitated:
            seen.bad_rows += 1
            continue
        refusal = find_refusal(tokenizer, row)
        try:
            reading = None if refusal else read_row(tokenizer, row)
        except UserError as error:
            refusal, reading = error, None
        if reading is None:
            seen.refusals.append((row.id, refusal))
            continue
        seen.better_rows += bool(row.rejected)
        seen.words.see(own_words(row))
        seen.counts.append(count_row(tokenizer, row, reading, limit, end_ids, place=number))
    return seen


def _price(
    asked: RenderRequest, dataset: DatasetSpec, train: Sequence[RowCount]
) -> tuple[LimitChoice, ...]:
    if asked.hardware is None:
        return ()
    spec = RunSpec(title="", goal="answer", recipe=RECIPE, model=asked.model, dataset=dataset)
    return price_limits(spec, asked.hardware, [count.tokens for count in train])


def _freeze(
    dataset: RenderDataset, train: Sequence[RowCount], held_out: Sequence[RowCount]
) -> DatasetSpec:
    """The rows as a run would use them."""
    return DatasetSpec(
        id=dataset.id,
        version=dataset.version,
        path=dataset.path,
        content_hash=hash_file(Path(dataset.path)),
        shape=SHAPES.get(dataset.shape, dataset.shape),
        train_rows=len(train),
        held_out_rows=len(held_out),
        lengths=compute_histogram(train),
        held_out_tokens=sum(count.read_tokens for count in held_out),
    )


def pick_rows(counts: Sequence[RowCount]) -> list[tuple[str, int]]:
    """Up to three rows worth looking at, by their places, each another one."""
    by_length = sorted(counts, key=lambda count: count.tokens)
    # Odd spelling, foreign letters and noise need many tokens for few characters.
    by_strangeness = sorted(
        counts, key=lambda count: count.characters / max(1, count.tokens - count.template_tokens)
    )
    wanted = {
        "typical": by_length[len(by_length) // 2 :],
        "longest": by_length[::-1],
        "strangest": by_strangeness,
    }
    picked: list[tuple[str, int]] = []
    for which, candidates in wanted.items():
        taken = {place for _, place in picked}
        fresh = next((count.place for count in candidates if count.place not in taken), None)
        if fresh is not None:
            picked.append((which, fresh))
    return picked


def compute_histogram(counts: Sequence[RowCount]) -> LengthHistogram:
    """Lengths before any cut in buckets of equal width; the last edge is the longest row."""
    longest = max((count.tokens for count in counts), default=0)
    width = max(1, -(-longest // BUCKETS))
    edges = [*range(width, longest, width), longest] if longest else []
    inside = [0] * len(edges)
    for count in counts:
        inside[min((count.tokens - 1) // width, len(edges) - 1)] += 1
    return LengthHistogram(
        edges_tokens=tuple(edges),
        counts=tuple(inside),
        total_tokens=sum(count.tokens for count in counts),
        learned_tokens=sum(count.learned_tokens for count in counts),
        longest_tokens=longest,
    )


def _characters_per_token(counts: Sequence[RowCount]) -> float:
    """Of the person's own words, without what the template adds."""
    own = sum(count.tokens - count.template_tokens for count in counts)
    return sum(count.characters for count in counts) / own if own else 0.0


def _template_share(counts: Sequence[RowCount]) -> float:
    tokens = sum(count.tokens for count in counts)
    return sum(count.template_tokens for count in counts) / tokens if tokens else 0.0


def _show_rows(
    tokenizer: Any, path: Path, picked: Sequence[tuple[str, int]], limit: int
) -> tuple[RenderedExample, ...]:
    """The picked rows with their marks, read once more from the file."""
    wanted = {place for _, place in picked}
    rows = {place: row for place, row in enumerate(read_rows(path)) if place in wanted}
    return tuple(_show(which, tokenizer, rows[place], limit) for which, place in picked)


def _show(which: Any, tokenizer: Any, row: Row, limit: int) -> RenderedExample:
    example = cut(read_row(tokenizer, row), limit)
    return RenderedExample(
        which=which,
        row_id=row.id,
        spans=example.spans,
        read_tokens=len(example.input_ids) - example.learned_tokens,
        learned_tokens=example.learned_tokens,
    )


if __name__ == "__main__":
    # A model folder's files may name a hub address; nothing here may follow it.
    os.environ["HF_HUB_OFFLINE"] = "1"
    # transformers 5.24 loads torch on the way to a tokenizer that needs none of it: 2.4 s of the
    # 3.6 s that this child takes for 300 rows (measured). None makes torch "not installed" here.
    sys.modules["torch"] = None  # type: ignore[assignment]
    serve_child(render)
