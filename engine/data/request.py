"""What the reading child is asked to do, and what it may use: the agreement of parent and child.

It stands apart from the readers so that the engine, which asks, never loads what opens files.
Written by `reading`, read by `child`.
"""

from typing import Literal

from tailor.engine.child import Limits
from tailor.engine.data.report import ReadReport
from tailor.engine.data_types import Mapping, Operation
from tailor.estimator.record import record

MODULE = "tailor.engine.data.child"
ROWS_FILE = "rows.arrow"
MAPPED_FILE = "mapped.arrow"
"""Results, in the child's own folder; the parent renames them into the dataset's."""

MEMORY_BYTES = 2 * 2**30
"""pyarrow hangs or dies below 1 GiB of address space (measured)."""
SECONDS = 60.0
SECONDS_MOST = 600.0
BYTES_PER_SECOND = 100_000
"""A larger file than this for each second of the usual minute is given longer; a busy computer
reads a tenth of what an idle one does (measured)."""


@record
class Original:
    """A file to read."""

    path: str
    name: str
    """The person's name for it."""
    sha256: str


@record
class MixedSet:
    """Another dataset of the same owner, as it lies on disk."""

    id: str
    title: str
    path: str
    """Its finished examples."""
    weight: float
    has_turns: bool = False
    """Whether it holds longer conversations."""


@record
class MapOrder:
    """What rows are to become: a fix first, then the mapping, the checks, and what is mixed in."""

    mapping: Mapping
    title: str = ""
    files: tuple[str, ...] = ()
    """The person's names of the originals."""
    operation: Operation | None = None
    extra_checks: tuple[str, ...] = ()
    mixed: tuple[MixedSet, ...] = ()
    general_share: float = 0.0


@record
class Request:
    """One piece of work."""

    work: Literal["read", "map"]
    originals: tuple[Original, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    rows: str = ""
    """Path of the rows to map."""
    read: ReadReport | None = None
    order: MapOrder | None = None


def limits_for(size_bytes: int) -> Limits:
    """What a child may use for a file of this size."""
    seconds = min(SECONDS_MOST, max(SECONDS, size_bytes / BYTES_PER_SECOND))
    return Limits(seconds=seconds, memory_bytes=MEMORY_BYTES)
