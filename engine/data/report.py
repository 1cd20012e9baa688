"""What was found out about a dataset, as stored: the report of reading and the report of mapping.

The child answers with them, the library keeps them in `source.json`, and a `DatasetRecord` for the
wizard is made from both.
"""

from tailor.engine.data_types import Mapping, ReadChoice, ShapeGuess
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
    held_out_rows: int
    left_out: tuple[tuple[str, int], ...]
    """Reason and number of rows; with the used rows they add up to the rows read."""
    exam: tuple[ExamQuestion, ...]
    findings: tuple[Finding, ...]
    content_hash: str


@record
class Source:
    """`source.json`: everything about a dataset but its rows. Written by the library alone."""

    schema: int = 1
    id: str
    owner: str
    title: str
    file_id: str
    sha256: str
    created_at: float
    attempts: int = 0
    """How often reading was begun; a file that takes the engine down is not tried for ever."""
    then_map: Mapping | None = None
    """To be mapped with as soon as it is read: the built-in example needs nobody's yes."""
    read: ReadReport | None = None
    problem: Problem | None = None
    version: int = 0
    mapped: MapReport | None = None
