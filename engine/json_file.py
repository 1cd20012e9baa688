"""JSON files that are whole or not there: written beside, flushed to disk, renamed.

Every noun that lies in a file goes through here, so that kill -9 or a power cut never leaves half a
file under its final name. The bytes are written by `whole_file`, which needs no pydantic.
"""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from tailor.engine.machine.whole_file import flush_folder, write_bytes

__all__ = ["flush_folder", "read_json", "write_bytes", "write_json"]

T = TypeVar("T")


def write_json(path: Path, noun: Any) -> None:
    """Write a noun of ours (or plain JSON data) to `path`, durably and in one step."""
    write_bytes(path, TypeAdapter(type(noun)).dump_json(noun, indent=1))


def read_json(path: Path, kind: type[T]) -> T:
    """Read a noun; pydantic's ValidationError names the field that is wrong."""
    return TypeAdapter(kind).validate_json(path.read_bytes())
