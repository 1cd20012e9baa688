"""Parquet and Arrow tables, read a few rows at a time.

Such a file says how large it is, and can lie: a bomb of 4 kB declares 2 GB and was decoded for 23
seconds, an honest file needs sixteen times what it declares (measured). So the declared size is a
reason to refuse and never a reason to trust. `readers` opens these files here.
"""

from collections.abc import Callable, Generator, Iterator
from collections.abc import Mapping as Lookup
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import pyarrow
from pyarrow import ipc, parquet

from tailor.engine.data.columnar.column_text import column_texts
from tailor.engine.data.counted import count_words
from tailor.engine.data.read_row import ReadRow, Tally, check_row_limit
from tailor.engine.data.table import Table
from tailor.engine.data.text.lines import find_excess
from tailor.engine.data.text.table_columns import name_columns
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

BATCH_ROWS = 32
"""A text that is stored once can stand in every row, so few rows are unfolded at a time; 256 would
be a fifth faster (measured)."""
BATCH_BYTES = 32 * 2**20
DECLARED_LIMIT_BYTES = 2_000_000_000
_ARROW_FILE = b"ARROW1"


@dataclass
class _Seen:
    """What was counted while rows were taken."""

    total_rows: int = 0
    """As the file declares; 0 when it does not."""
    rows: int = 0
    not_text: dict[str, int] = field(default_factory=dict)


def open_parquet(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a Parquet file; refused unread when it declares more than fits."""
    with _damage_in_words("Parquet", "its list of columns"):
        source = parquet.ParquetFile(file, page_checksum_verification=True)
        rows_at_once = _check_declared(source.metadata)
        schema = source.schema_arrow
    seen = _Seen(total_rows=source.metadata.num_rows)
    return _table("Parquet", schema, lambda: source.iter_batches(rows_at_once), seen)


def open_arrow(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open an Arrow file or an Arrow stream, as `datasets` stores them."""
    is_file = file.read(len(_ARROW_FILE)) == _ARROW_FILE
    file.seek(0)
    with _damage_in_words("Arrow", "its list of columns"):
        if is_file:
            source = ipc.open_file(file)
            return _table("Arrow", source.schema, lambda: _file_batches(source), _Seen())
        stream = ipc.open_stream(file)
        return _table("Arrow", stream.schema, lambda: stream, _Seen())


def _file_batches(source: Any) -> Iterator[Any]:
    for number in range(source.num_record_batches):
        yield source.get_batch(number)


def _table(kind: str, schema: Any, batches: Callable[[], Iterator[Any]], seen: _Seen) -> Table:
    tally = Tally()
    return Table(
        kind=kind,
        words=kind,
        columns=name_columns(schema.names),
        rows=_rows(kind, schema.names, batches, seen, tally),
        tally=tally,
        entry_word="row",
        findings=lambda: _findings(seen, tally),
        done=(lambda: seen.rows / seen.total_rows) if seen.total_rows else None,
    )


def _rows(
    kind: str,
    names: list[str],
    batches: Callable[[], Iterator[Any]],
    seen: _Seen,
    tally: Tally,
) -> Generator[ReadRow, None, None]:
    waiting = iter(())
    with _damage_in_words(kind, "its rows", seen):
        waiting = iter(batches())
    while True:
        with _damage_in_words(kind, "its rows", seen):
            batch = next(waiting, None)
            if batch is None:
                break
            # Offsets that point outside the file would be read as they are.
            batch.validate(full=kind == "Arrow")
        for begin in range(0, batch.num_rows, BATCH_ROWS):
            yield from _batch_rows(kind, names, batch.slice(begin, BATCH_ROWS), seen, tally)
    tally.physical_lines = seen.rows


def _batch_rows(
    kind: str, names: list[str], batch: Any, seen: _Seen, tally: Tally
) -> Iterator[ReadRow]:
    columns = []
    with _damage_in_words(kind, "its rows", seen):
        for place, name in enumerate(names):
            cells, broken = column_texts(batch.column(place))
            if broken:
                seen.not_text[name] = seen.not_text.get(name, 0) + broken
            columns.append(cells)
    for texts in zip(*columns, strict=True):
        seen.rows += 1
        row = _row(texts, seen.rows)
        tally.count(row)
        yield row


def _row(cells: tuple[str, ...], number: int) -> ReadRow:
    damage = find_excess(cells)
    kept = ("",) * len(cells) if damage else cells
    return ReadRow(cells=kept, first_line=number, last_line=number, damage=damage)


def _check_declared(metadata: Any) -> int:
    """Refuse what is too large by its own words; returns how many rows to take at once."""
    check_row_limit(metadata.num_rows)
    declared, longest_row = 0, 1
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        unpacked = sum(
            group.column(column).total_uncompressed_size for column in range(group.num_columns)
        )
        declared += unpacked
        longest_row = max(longest_row, unpacked // max(1, group.num_rows))
    if declared > DECLARED_LIMIT_BYTES:
        raise UserError(
            title="This file unpacks to something far larger",
            detail=f"It says that it holds {declared / 1e9:.1f} GB unpacked; Tailor reads up to "
            f"{DECLARED_LIMIT_BYTES / 1e9:.0f} GB.",
            fix="Keep only the rows and columns that you need, or split it.",
        )
    return int(min(BATCH_ROWS, max(1, BATCH_BYTES // longest_row)))


@contextmanager
def _damage_in_words(kind: str, part: str, seen: _Seen | None = None) -> Iterator[None]:
    """Say what cannot be read and where, when the library gives up on a damaged file."""
    try:
        yield
    except MemoryError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, IndexError, KeyError) as error:
        at = f" after row {seen.rows:,}" if seen is not None and seen.rows else ""
        raise UserError(
            title="This file is damaged",
            detail=f"It is a {kind} table, but {part} cannot be read{at}.",
            fix="Copy or download it again, or export the rows as CSV or JSON Lines.",
        ) from error


def _findings(seen: _Seen, tally: Tally) -> Iterator[Finding]:
    for name, number in seen.not_text.items():
        yield Finding(
            level="warn",
            title=f"“{name[:60]}” holds bytes that are no text",
            detail=f"{count_words(number, 'cell')} of {tally.rows:,} hold pictures, sounds or "
            "other bytes; they are left empty.",
            fix="Leave this column out. Pictures can be dropped as a .zip with a table that names "
            "them.",
        )
