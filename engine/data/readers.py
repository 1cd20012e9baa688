"""Which reader opens which format; each is loaded only for its own files.

A reading child opens one file, and the libraries for spreadsheets, documents and columnar files
take longer to load than most files take to read. `read` asks here.
"""

# Imports stand inside the functions on purpose: see above.
# ruff: noqa: PLC0415

from collections.abc import Mapping as Lookup
from typing import BinaryIO

from tailor.engine.data.detect import Format, find_format
from tailor.engine.data.table import Open, Table


def find_reader(found: Format) -> Open:
    """The function that opens files of this format."""
    return _READERS[found]


def open_prose(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a text that holds no table."""
    from tailor.engine.data.documents.prose import open_prose as opened

    return opened(file, name, choices)


def _open_text(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.text.text_table import open_text_table

    return open_text_table(file, name, choices)


def _open_sheets(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.sheets.sheets import open_sheets

    return open_sheets(file, name, choices)


def _open_word(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.documents.word import open_word

    return open_word(file, name, choices)


def _open_pdf(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.documents.pdf import open_pdf

    return open_pdf(file, name, choices)


def _open_parquet(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.columnar.columnar import open_parquet

    return open_parquet(file, name, choices)


def _open_arrow(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.columnar.columnar import open_arrow

    return open_arrow(file, name, choices)


def _open_packed(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.archive.packed import open_packed

    return open_packed(file, name, choices)


def _open_zip(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    from tailor.engine.data.archive.archive import open_archive

    return open_archive(file, name, choices, _open_member)


def _open_member(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a file out of an archive, by its content like any other."""
    return find_reader(find_format(file))(file, name, choices)


_READERS: dict[Format, Open] = {
    "text": _open_text,
    "xlsx": _open_sheets,
    "docx": _open_word,
    "pdf": _open_pdf,
    "parquet": _open_parquet,
    "arrow": _open_arrow,
    "gzip": _open_packed,
    "zip": _open_zip,
}
