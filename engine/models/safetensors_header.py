"""Checks a safetensors file by its header alone, before any library opens it.

A header can claim a length of gigabytes, offsets outside of the file or tensors that overlap.
Reading it with the standard library first turns each of these lies into a sentence. Called by the
scan.
"""

import json
import math
import stat
import struct
from pathlib import Path
from typing import Any

MOST_HEADER_BYTES = 100_000_000
DTYPE_BITS = {
    "F64": 64, "I64": 64, "U64": 64, "C64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16,
    "BF16": 16, "I16": 16, "U16": 16, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8,
    "F8_E5M2FNUZ": 8, "I8": 8, "U8": 8, "BOOL": 8, "F4": 4,
}  # fmt: skip


class BadHeaderError(ValueError):
    """The file is not what it claims to be; the text says how."""


def read_header(path: Path) -> dict[str, Any]:
    """Names, types, shapes and places of the tensors. Raises `BadHeaderError`."""
    with path.open("rb") as file:
        size = path.stat().st_size
        first = file.read(8)
        if len(first) < 8:
            raise BadHeaderError("It is shorter than the smallest safetensors file.")
        (length,) = struct.unpack("<Q", first)
        if length > min(MOST_HEADER_BYTES, size - 8):
            raise BadHeaderError(
                f"Its table of contents claims {length:,} bytes; the file has {size:,}."
            )
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError) as broken:
            raise BadHeaderError("Its table of contents cannot be read.") from broken
    if not isinstance(header, dict):
        raise BadHeaderError("Its table of contents is not a table.")
    header.pop("__metadata__", None)
    _check_places(header, size - 8 - length)
    return header


def is_regular(path: Path) -> bool:
    """Whether it is a plain file, without following a link and without waiting for a pipe."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def _check_places(header: dict[str, Any], data_bytes: int) -> None:
    """Tensors must fill the file from the first byte to the last, each with its own size."""
    places: list[tuple[int, int, str]] = []
    for name, entry in header.items():
        begin, end, need = _read_entry(name, entry)
        if end - begin != need:
            raise BadHeaderError(f"{name} needs {need:,} bytes and has {end - begin:,}.")
        places.append((begin, end, name))
    at = 0
    for begin, end, name in sorted(places):
        if begin != at:
            raise BadHeaderError(f"{name} begins at {begin:,}, where {at:,} was expected.")
        at = end
    if at != data_bytes:
        raise BadHeaderError(f"It describes {at:,} bytes of weights and holds {data_bytes:,}.")


def _read_entry(name: str, entry: Any) -> tuple[int, int, int]:
    try:
        bits = DTYPE_BITS[entry["dtype"]]
        shape, (begin, end) = entry["shape"], entry["data_offsets"]
        numbers = [*shape, begin, end]
    except (KeyError, TypeError, ValueError) as broken:
        raise BadHeaderError(
            f"The entry of {name} is incomplete or of an unknown type."
        ) from broken
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise BadHeaderError(f"The entry of {name} has a number that cannot be.")
    return begin, end, math.prod(shape) * bits // 8
