"""The file of measurements as it lies on disk: its columns, and the measured values apart from
them.

A forecast that could see the answer would prove nothing, so the rows that are predicted are read
without their `value`, and the values by another function that is called afterwards. `rows.py` reads
the rows, `report.py` the values.
"""

import csv
import hashlib
import io
from pathlib import Path

from tailor.estimator.record import record

COLUMNS: tuple[str, ...] = (
    "source", "hardware", "num_gpus", "model", "params_b", "technique", "quantization", "dtype",
    "optimizer", "seq_len", "per_device_batch", "grad_accum", "grad_ckpt", "attention", "packing",
    "sharding", "framework", "metric", "value", "unit", "notes",
)  # fmt: skip
"""Every column of the file; none may be missing, their order is free."""
BLANKS = frozenset(("nan", "null", "n/a", "na", "unknown", "?", "-"))
"""What programs and people write where nothing is known. "none" is not among them: of a sharing or
a packing it is an answer."""
LONGEST_FIELD = 10_000_000
"""Characters of one field; notes of real files are below a thousand."""


class MissingColumnsError(ValueError):
    """The file lacks columns that say what was run or measured."""


@record
class Row:
    """One line of the file without its value, as it was written."""

    number: int
    """Counted from 0, the header left out."""
    source: str
    hardware: str
    num_gpus: str
    model: str
    params_b: str
    technique: str
    quantization: str
    dtype: str
    optimizer: str
    seq_len: str
    per_device_batch: str
    grad_accum: str
    grad_ckpt: str
    attention: str
    packing: str
    sharding: str
    framework: str
    metric: str
    unit: str
    notes: str

    @property
    def source_group(self) -> str:
        """The source before its first colon: the project, without the file in it."""
        return self.source.split(":", 1)[0].strip()


def read_rows(path: Path) -> tuple[Row, ...]:
    """Every line of the file, without values."""
    return tuple(
        Row(
            number=number,
            **{name: _clean(told[name]) for name in COLUMNS if name != "value"},
        )
        for number, told in enumerate(_read_table(path))
    )


def read_values(path: Path) -> tuple[str, ...]:
    """The value of every line, in the same order."""
    return tuple((told["value"] or "").strip() for told in _read_table(path))


def read_sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _clean(text: str | None) -> str:
    kept = (text or "").strip()
    return "" if kept.lower() in BLANKS else kept


def _read_table(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(LONGEST_FIELD)
    # Spreadsheets put a mark before the first column's name, and bytes that are no UTF-8 in notes.
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    reader = csv.DictReader(io.StringIO(text, newline=""))
    names = [(name or "").strip() for name in reader.fieldnames or ()]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise MissingColumnsError(f"The file has no column {', '.join(missing)}.")
    reader.fieldnames = names
    return list(reader)
