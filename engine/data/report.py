"""What was found out about a dataset, as stored: the report of reading and the report of mapping.

The child answers with them, the library keeps them in `source.json`, and a `DatasetRecord` for the
wizard is made from both.
"""

from tailor.engine.data_types import (
    Mapping,
    Mixing,
    Operation,
    ReadChoice,
    ShapeGuess,
    SourceCount,
)
from tailor.engine.findings import Finding, Problem
from tailor.estimator.record import record
from tailor.recipes.spec import ExamQuestion


@record
class ReadReport:
    """The child's answer after reading an original into `rows.arrow`."""

    found: str
    columns: tuple[str, ...]
    rows: int
    damaged: int
    """Rows that are shown but can not be used."""
    physical_lines: int
    entry_word: str
    """ "line" or "entry": how a row's place is told."""
    guesses: tuple[ShapeGuess, ...]
    findings: tuple[Finding, ...]
    kind: str = ""
    choices: tuple[ReadChoice, ...] = ()


@record
class MapReport:
    """The answer after rows were mapped, split and written."""

    mapping: Mapping
    train_rows: int
    """Of the dataset itself."""
    held_out_rows: int
    left_out: tuple[tuple[str, int], ...]
    """Reason and number of rows; with the used rows they add up to the rows read."""
    exam: tuple[ExamQuestion, ...]
    findings: tuple[Finding, ...]
    content_hash: str
    operation: Operation | None = None
    """The fix that was applied first; its rows lie beside the examples."""
    mixed_rows: int = 0
    """Rows of other sources, all of them to learn from."""
    has_mixed_turns: bool = False
    """Whether longer conversations came in from another source."""
    sources: tuple[SourceCount, ...] = ()


@record
class Source:
    """`source.json`: everything about a dataset but its rows. Written by the library alone."""

    schema: int = 2
    id: str
    owner: str
    title: str
    file_ids: tuple[str, ...]
    """Its originals, in the order in which they were named."""
    sha256s: tuple[str, ...]
    """Hash of each original."""
    created_at: float
    choices: tuple[tuple[str, str], ...] = ()
    """Id and value of what the person decided about the reading."""
    attempts: int = 0
    """How often reading was begun; a file that takes the engine down is not tried for ever."""
    then_map: Mapping | None = None
    """To be mapped with as soon as it is read: the built-in example needs nobody's yes."""
    rereading: tuple[tuple[str, str], ...] | None = None
    """Choices with which it is being read again; what was read before is kept until then."""
    reading: int = 0
    """Which reading `read` tells of: each has its own files of rows."""
    read: ReadReport | None = None
    problem: Problem | None = None
    version: int = 0
    mapped: MapReport | None = None
    operations: tuple[Operation, ...] = ()
    """Fixes in their order; the rows after each lie in a file of their own."""
    extra_checks: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    """Checks whose findings the person leaves as they are."""
    mixing: Mixing = Mixing()

    @property
    def is_being_read(self) -> bool:
        """Whether reading has to begin or to go on."""
        return self.problem is None and (self.read is None or self.rereading is not None)
