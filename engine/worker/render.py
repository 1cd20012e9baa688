"""Child: what a model will read of a dataset, by its own tokenizer. `python -m ... FOLDER`

The Check screen shows a row as the model sees it, with the learned part marked, before anything is
paid for; and the plan needs every row's length. Only the tokenizer is loaded, never the model. The
engine's render job starts it; the rows go through the trainer's own `build_example`.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.data_types import RenderedExample, RenderReport
from tailor.engine.file_hash import hash_file
from tailor.engine.worker.data import Example, build_example
from tailor.engine.worker.render_findings import RowCount, find_problems
from tailor.engine.worker.rows import Row, read_rows
from tailor.engine.worker.template import load_tokenizer, read_end_ids
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.spec import DatasetSpec, ModelSpec

BUCKETS = 24
SHAPES = {"question_answer": "prompt_completion"}
"""The mapping's word for a shape, where the dataset's differs."""


def render(request: Any, report: Report) -> Any:
    """A `RenderReport` as plain data."""
    model = TypeAdapter(ModelSpec).validate_python(request["model"])
    dataset = request["dataset"]
    own_limit = model.architecture.max_positions
    limit = min(request["max_length_tokens"] or own_limit, own_limit)
    report(0.0, "Loading the model's tokenizer.")
    tokenizer = load_tokenizer(Path(model.path))
    end_ids = read_end_ids(tokenizer, Path(model.path))
    rows = list(read_rows(Path(dataset["path"])))
    counts = []
    for number, row in enumerate(rows):
        counts.append(count_row(row, build_example(tokenizer, row.content, limit), end_ids))
        report(0.99 * number / len(rows), f"Reading row {number + 1:,} of {len(rows):,}.")
    train = [count for count in counts if count.split == "train"]
    held_out = [count for count in counts if count.split == "held_out"]
    shown = {row.id: row for row in rows}
    answer = RenderReport(
        model_id=model.id,
        dataset_id=dataset["id"],
        version=dataset["version"],
        max_length_tokens=limit,
        examples=tuple(
            _show(which, tokenizer, shown[row_id], limit) for which, row_id in pick_rows(train)
        ),
        spec=_freeze(dataset, train, held_out),
        cut_rows=sum(count.is_cut for count in train),
        findings=find_problems(counts, limit, model, tokenizer),
    )
    report(1.0, "Done.")
    return TypeAdapter(RenderReport).dump_python(answer, mode="json")


def _freeze(
    dataset: dict[str, Any], train: Sequence[RowCount], held_out: Sequence[RowCount]
) -> DatasetSpec:
    """The rows as a run would use them."""
    path = dataset["path"]
    return DatasetSpec(
        id=dataset["id"],
        version=dataset["version"],
        path=path,
        content_hash=hash_file(Path(path)),
        shape=SHAPES.get(dataset["shape"], dataset["shape"]),
        train_rows=len(train),
        held_out_rows=len(held_out),
        lengths=compute_histogram(train),
        held_out_tokens=sum(count.tokens for count in held_out),
    )


def count_row(row: Row, example: Example, end_ids: frozenset[int]) -> RowCount:
    """A row's numbers: all that is kept of it, so that any number of rows fits into memory."""
    return RowCount(
        id=row.id,
        split=row.split,
        tokens=len(example.input_ids),
        learned_tokens=example.learned_tokens,
        characters=example.cut_at,
        is_cut=example.cut_tokens > 0,
        has_answer=example.last_learned_id >= 0,
        has_end_token=example.last_learned_id in end_ids,
    )


def pick_rows(counts: Sequence[RowCount]) -> list[tuple[str, int]]:
    """Up to three rows worth looking at, each another one: typical, longest, strangest."""
    by_length = sorted(counts, key=lambda count: count.tokens)
    # Odd spelling, foreign letters and noise need many tokens for few characters.
    by_strangeness = sorted(counts, key=lambda count: count.characters / max(1, count.tokens))
    wanted = {
        "typical": by_length[len(by_length) // 2 :],
        "longest": by_length[::-1],
        "strangest": by_strangeness,
    }
    picked: list[tuple[str, int]] = []
    for which, candidates in wanted.items():
        taken = {row_id for _, row_id in picked}
        fresh = next((count.id for count in candidates if count.id not in taken), None)
        if fresh is not None:
            picked.append((which, fresh))
    return picked


def compute_histogram(counts: Sequence[RowCount]) -> LengthHistogram:
    """Lengths in buckets of equal width; the last edge is the longest row."""
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


def _show(which: Any, tokenizer: Any, row: Row, limit: int) -> RenderedExample:
    example = build_example(tokenizer, row.content, limit)
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
