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
_WORDS = TypeAdapter(tuple[str, ...])


@record
class Row:
    """One row: a conversation, raw text, or code with a gap."""

    id: int
    split: str
    """ "train" or "held_out". """
    messages: tuple[Message, ...] = ()
    """Empty for raw text and for code with a gap."""
    text: str = ""
    """Raw text, or the piece that fills the gap."""
    rejected: tuple[str, ...] = ()
    rating: str = ""
    """ "good", "bad" or empty."""
    tools: str = ""
    """JSON list; empty without."""
    pictures: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    source: str = ""
    """Where it was mixed in from; empty for the dataset's own rows."""

    @property
    def has_gap(self) -> bool:
        """Whether `text` stands between two other pieces; alone it is an ordinary text."""
        return bool(self.before or self.after)

    @property
    def is_imitated(self) -> bool:
        """Whether a model that learns by imitation may learn from it: a bad answer is no model."""
        return self.rating != "bad"


def read_rows(path: Path) -> Iterator[Row]:
    """All rows in the file's order, one batch in memory at a time."""
    with pyarrow.memory_map(str(path)) as file, pyarrow.ipc.open_file(file) as reader:
        for number in range(reader.num_record_batches):
            for cells in reader.get_batch(number).to_pylist():
                yield _row(cells)


def count_rows(path: Path) -> int:
    """How many rows the file has."""
    with pyarrow.memory_map(str(path)) as file, pyarrow.ipc.open_file(file) as reader:
        batches = range(reader.num_record_batches)
        return sum(reader.get_batch(number).num_rows for number in batches)


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


def _row(cells: dict[str, str | int]) -> Row:
    # Files that an earlier version froze end with the column "text".
    told = {name: cells.get(name, "") for name in ("rating", "tools", "before", "after", "source")}
    return Row(
        id=cells["id"],
        split=cells["split"],
        messages=_MESSAGES.validate_json(cells["messages"]) if cells["messages"] else (),
        text=cells["text"],
        rejected=_words(cells.get("rejected", "")),
        pictures=_words(cells.get("pictures", "")),
        **told,
    )


def _words(cell: str) -> tuple[str, ...]:
    return _WORDS.validate_json(cell) if cell else ()
