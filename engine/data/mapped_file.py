"""`mapped-<version>.arrow`: finished examples as they lie on disk, one a row, in the file's order.

The worker reads it with pyarrow alone, so its columns are the whole agreement between data and
training. It is written once, made read-only, and named by its hash in every run that uses it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
from pydantic import TypeAdapter

from tailor.engine.data.given_split import Side
from tailor.engine.data.making.example import Example
from tailor.engine.data.rows_file import BATCH_CHARACTERS, BATCH_ROWS
from tailor.estimator.record import record
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


@record
class MappedRow:
    """A finished example with its side and where it came from."""

    id: int
    """Of the row it was made from; 0 for a general question."""
    side: Side
    example: Example
    source: str = ""
    """Id of the dataset it was mixed in from; empty for the dataset's own."""


def write_examples(path: Path, rows: Iterable[MappedRow]) -> None:
    """Write rows in batches of bounded size: the dataset's own first, then what is mixed in."""
    with pyarrow.OSFile(str(path), "wb") as sink, pyarrow.ipc.new_file(sink, SCHEMA) as file:
        batch: list[tuple[int | str, ...]] = []
        characters = 0
        for row in rows:
            stored = _stored(row)
            batch.append(stored)
            characters += sum(len(cell) for cell in stored if isinstance(cell, str))
            if len(batch) >= BATCH_ROWS or characters >= BATCH_CHARACTERS:
                file.write_batch(_record_batch(batch))
                batch, characters = [], 0
        if batch:
            file.write_batch(_record_batch(batch))


def read_mapped(path: Path) -> Iterator[MappedRow]:
    """All rows in the file's order."""
    with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as file:
        for number in range(file.num_record_batches):
            for stored in file.get_batch(number).to_pylist():
                yield _restored(stored)


def _stored(row: MappedRow) -> tuple[int | str, ...]:
    example = row.example
    messages = _MESSAGES.dump_json(example.messages, exclude_defaults=True).decode()
    return (
        row.id,
        row.side,
        messages if example.messages else "",
        example.text,
        _WORDS.dump_json(example.rejected).decode() if example.rejected else "",
        example.rating,
        example.tools,
        _WORDS.dump_json(example.pictures).decode() if example.pictures else "",
        example.before,
        example.after,
        row.source,
    )


def _restored(stored: dict[str, Any]) -> MappedRow:
    # Files of the first schema have no columns behind "text".
    cells = {field.name: stored.get(field.name, "") for field in SCHEMA}
    messages, rejected, pictures = cells["messages"], cells["rejected"], cells["pictures"]
    return MappedRow(
        id=cells["id"],
        side=cells["split"],
        example=Example(
            messages=_MESSAGES.validate_json(messages) if messages else (),
            text=cells["text"],
            rejected=_WORDS.validate_json(rejected) if rejected else (),
            rating=cells["rating"],
            tools=cells["tools"],
            pictures=_WORDS.validate_json(pictures) if pictures else (),
            before=cells["before"],
            after=cells["after"],
        ),
        source=cells["source"],
    )


def _record_batch(batch: list[tuple[int | str, ...]]) -> pyarrow.RecordBatch:
    arrays = [
        pyarrow.array(column, type=field.type)
        for column, field in zip(zip(*batch, strict=True), SCHEMA, strict=True)
    ]
    return pyarrow.record_batch(arrays, schema=SCHEMA)
