"""`python app.py data check FILE...`: what is in these files, and what speaks against learning it.

The same reading, guess, doctor and split as in the wizard, without browser, engine or project: for
whoever prepares data by script, or wants to know before anything else. Several files are read as
one table. The exit code is 1 when something must be mended first. The work is `engine/data`'s.
"""

import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import get_terminal_size

from pydantic import TypeAdapter

from tailor.engine.data.making.mapping import columns_of
from tailor.engine.data.one_look import look_at
from tailor.engine.data_types import DatasetRecord, Mapping
from tailor.engine.findings import Finding, Problem
from tailor.ui.terminal.steps import ProgressLine
from tailor.ui.text_data import DataText

SIGNS = {"stop": "STOP", "warn": "care", "note": "note"}
LABEL_CELLS = 10
WIDTH_LEAST, WIDTH_MOST = 40, 100


def check_data(paths: Sequence[Path], home: Path, *, as_json: bool = False) -> int:
    """Print what there is to know about files; 0 when nothing stands in the way."""
    line = ProgressLine() if sys.stdout.isatty() and not as_json else None
    # Beside what Tailor keeps anyway: the usual folder for temporary files may lie in memory.
    folder = home if home.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="check-", dir=folder) as work:
        record = look_at(paths, Path(work), line.show if line else lambda share, words: None)
    if line is not None:
        line.clear()
    if as_json:
        print(TypeAdapter(DatasetRecord).dump_json(record, indent=1).decode())
    else:
        width = min(WIDTH_MOST, max(WIDTH_LEAST, get_terminal_size().columns - 1))
        print("\n".join(describe(record, width)))
    return 1 if _must_be_mended(record) else 0


def describe(record: DatasetRecord, width: int) -> Iterator[str]:
    """What there is to say, in lines of at most `width` cells."""
    yield from _wrapped("", record.title, width)
    if record.kind:
        yield from _wrapped("Kind", f"{record.kind}. {record.found}", width)
        yield from _wrapped("Rows", rows_words(record), width)
    if record.guesses:
        mapping = record.mapping or record.guesses[0].mapping
        shape = DataText.SHAPES[mapping.shape]
        sure = f"{record.guesses[0].confidence:.0%} sure. {record.guesses[0].why}"
        yield from _wrapped("Shape", f"Each row is {shape}; {sure}", width)
        yield from _wrapped("Columns", columns_words(mapping), width)
    if record.mapping is not None:
        yield from _wrapped("Use", use_words(record), width)
    if record.problem is not None:
        yield from _told(SIGNS["stop"], record.problem, width)
    for finding in record.findings:
        yield from _told(SIGNS[finding.level], finding, width)
    yield ""
    yield from _wrapped("", _last_word(record), width)


def rows_words(record: DatasetRecord) -> str:
    """How many rows were read, and how many are physically there."""
    there = (
        ""
        if record.physical_rows == record.rows
        else (
            f"; {record.physical_rows:,} lines or entries are in the file"
            if len(record.files) == 1
            else f"; {record.physical_rows:,} lines or entries are in the files"
        )
    )
    return f"{record.rows:,} read{there}."


def columns_words(mapping: Mapping) -> str:
    """Which column is what."""
    titles = DataText.PARTS | DataText.PARTS_OF.get(mapping.shape, {})
    told = (f"{titles[part]}: “{column}”" for part, column in columns_of(mapping).items())
    return "; ".join(told) + "."


def use_words(record: DatasetRecord) -> str:
    """What becomes of the rows; the numbers add up to the rows read."""
    words = f"{record.train_rows:,} rows to learn from, {record.held_out_rows:,} held out"
    reasons = "; ".join(f"{number:,} because {reason}" for reason, number in record.left_out[:3])
    return f"{words}, {record.left_out_rows:,} left out{f' ({reasons})' if reasons else ''}."


def _told(sign: str, told: Finding | Problem, width: int) -> Iterator[str]:
    yield ""
    yield from _wrapped(sign, told.title, width)
    parts = [told.detail]
    if isinstance(told, Finding):
        parts += [told.effect, f"Where: {told.where}." if told.where else ""]
        parts += [f"Such as: {example}" for example in told.examples]
    for part in (*parts, f"-> {told.fix}" if told.fix else ""):
        if part:
            yield from _wrapped("", part, width, indent=LABEL_CELLS)


def _wrapped(label: str, text: str, width: int, indent: int | None = None) -> Iterator[str]:
    """A paragraph behind its label. Nothing out of a file is obeyed by the terminal."""
    first = label.ljust(LABEL_CELLS) if label else " " * (indent or 0)
    rest = " " * (LABEL_CELLS if label else indent or 0)
    for number, line in enumerate(_lines(printable(text), width - len(first))):
        yield f"{first if number == 0 else rest}{line}".rstrip()


def _lines(text: str, cells: int) -> list[str]:
    """Lines of at most so many cells; a word that is longer is cut."""
    lines = [""]
    for word in text.split(" "):
        gap = " " if lines[-1] else ""
        if _count_cells(f"{lines[-1]}{gap}{word}") <= cells:
            lines[-1] += gap + word
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if _count_cells(lines[-1] + letter) > cells:
                lines.append("")
            lines[-1] += letter
    return lines


def printable(text: str) -> str:
    """A text as one line without control characters, which a terminal would obey."""
    line = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "�" for letter in line)


def _count_cells(text: str) -> int:
    """Cells of a terminal: a letter of a wide script takes two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _must_be_mended(record: DatasetRecord) -> bool:
    return record.problem is not None or any(one.level == "stop" for one in record.findings)


def _last_word(record: DatasetRecord) -> str:
    if record.problem is not None:
        return "Nothing can be learned from this yet."
    stops = sum(one.level == "stop" for one in record.findings)
    cares = sum(one.level == "warn" for one in record.findings)
    if stops:
        things = "One thing" if stops == 1 else f"{stops} things"
        return f"{things} should be mended first: look for STOP above."
    if cares:
        things = "one thing" if cares == 1 else f"{cares} things"
        return f"This can be learned from; {things} could be better."
    return "This can be learned from."
