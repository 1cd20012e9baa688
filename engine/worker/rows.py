"""Rows of a frozen dataset, as the data library wrote them.

The file is written once and never changed; its sha256 stands in the run's spec, so a run that finds
another file refuses to train on it. The worker and the Check screen's preview read it here.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow
from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.estimator.record import record
from tailor.recipes.spec import DatasetSpec, Message

_MESSAGES = TypeAdapter(tuple[Message, ...])


@record
class Row:
    """One row: a conversation, or raw text."""

    id: int
    split: str
    """ "train" or "held_out". """
    content: tuple[Message, ...] | str


def read_rows(path: Path) -> Iterator[Row]:
    """All rows in the file's order."""
    with pyarrow.memory_map(str(path)) as file, pyarrow.ipc.open_file(file) as reader:
        for number in range(reader.num_record_batches):
            for row in reader.get_batch(number).to_pylist():
                turns = row["messages"]
                content = _MESSAGES.validate_json(turns) if turns else row["text"]
                yield Row(id=row["id"], split=row["split"], content=content)


def read_checked_rows(dataset: DatasetSpec) -> list[Row]:
    """All rows, after checking that the file is still the one that was frozen into the run."""
    path = Path(dataset.path)
    if not path.exists() or hash_file(path) != dataset.content_hash:
        raise UserError(
            title="The training rows are not there any more",
            detail=f"This run was made for a file that is missing or was changed: {path.name}.",
            fix="Open the project's Data page, add the file again and start a new run.",
        )
    return list(read_rows(path))
