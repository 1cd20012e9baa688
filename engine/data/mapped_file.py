"""`mapped-<version>.arrow`: finished examples as they lie on disk, one a row, in the file's order.

The worker reads it with pyarrow alone, so its columns are the whole agreement between data and
training. It is written once, made read-only, and named by its hash in every run that uses it.
"""

from collections.abc import Iterable
from pathlib import Path

import pyarrow
from pydantic import TypeAdapter

from tailor.engine.data.mapping import Example
from tailor.engine.data.rows_file import BATCH_CHARACTERS, BATCH_ROWS
from tailor.engine.data.split import Side
from tailor.recipes.spec import Message

SCHEMA = pyarrow.schema(
    [
        ("id", pyarrow.int64()),  # of the row it was made from; 0 for a general question
        ("split", pyarrow.string()),  # "train" or "held_out"
        ("messages", pyarrow.string()),  # JSON list of turns; empty for text and code with a gap
        ("text", pyarrow.string()),
        ("rejected", pyarrow.string()),  # JSON list of worse answers; empty without
        ("rating", pyarrow.string()),  # "good", "bad" or empty
        ("tools", pyarrow.string()),  # JSON list; empty without
        ("pictures", pyarrow.string()),  # JSON list of names; empty without
        ("before", pyarrow.string()),
        ("after", pyarrow.string()),
        ("source", pyarrow.string()),  # id of the dataset it was mixed in from; empty for its own
    ]
)
_MESSAGES = TypeAdapter(tuple[Message, ...])
_WORDS = TypeAdapter(tuple[str, ...])


def write_examples(path: Path, examples: Iterable[tuple[int, Side, Example, str]]) -> None:
    """Write row id, side, example and source, in batches of bounded size."""
    with pyarrow.OSFile(str(path), "wb") as sink, pyarrow.ipc.new_file(sink, SCHEMA) as file:
        batch: list[tuple[int | str, ...]] = []
        characters = 0
        for row_id, side, example, source in examples:
            stored = _stored(row_id, side, example, source)
            batch.append(stored)
            characters += sum(len(cell) for cell in stored if isinstance(cell, str))
            if len(batch) >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
                file.write_batch(_record_batch(batch))
                batch, characters = [], 0
        if batch:
            file.write_batch(_record_batch(batch))


def _stored(row_id: int, side: Side, example: Example, source: str) -> tuple[int | str, ...]:
    messages = _MESSAGES.dump_json(example.messages, exclude_defaults=True).decode()
    return (
        row_id,
        side,
        messages if example.messages else "",
        example.text,
        _WORDS.dump_json(example.rejected).decode() if example.rejected else "",
        example.rating,
        example.tools,
        _WORDS.dump_json(example.pictures).decode() if example.pictures else "",
        example.before,
        example.after,
        source,
    )


def _record_batch(batch: list[tuple[int | str, ...]]) -> pyarrow.RecordBatch:
    arrays = [
        pyarrow.array(column, type=field.type)
        for column, field in zip(zip(*batch, strict=True), SCHEMA, strict=True)
    ]
    return pyarrow.record_batch(arrays, schema=SCHEMA)
