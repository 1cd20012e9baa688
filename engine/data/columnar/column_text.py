"""Values of typed columns as text cells: numbers, dates, lists and bytes from Parquet and Arrow.

Everything becomes text once and stays that text. A column of texts is taken as it is, which makes
most of these files as fast to read as they are small; lists and records become JSON text, as they
are in JSON Lines. `columnar` converts each batch with it.
"""

import datetime
import decimal
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow
from pyarrow import types

NOT_TEXT = "bytes that are no text"


def column_texts(column: Any) -> tuple[list[str], int]:
    """The cells of a column, and how many of them held bytes that are no text."""
    if isinstance(column.type, pyarrow.BaseExtensionType):
        column = column.storage
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if _is_text(column.type):
        return _texts(column)
    if types.is_binary(column.type) or types.is_large_binary(column.type) or _is_fixed(column.type):
        return _decode(column.to_pylist())
    to_text = _converter(column.type)
    return ["" if value is None else to_text(value) for value in _values(column)], 0


def _texts(column: Any) -> tuple[list[str], int]:
    try:
        return ["" if value is None else value for value in column.to_pylist()], 0
    except UnicodeDecodeError:
        # Whoever wrote the file called bytes a text.
        is_large = types.is_large_string(column.type)
        return _decode(
            column.view(pyarrow.large_binary() if is_large else pyarrow.binary()).to_pylist()
        )


def _decode(values: Sequence[bytes | None]) -> tuple[list[str], int]:
    cells, broken = [], 0
    for value in values:
        try:
            cells.append("" if value is None else value.decode("utf-8"))
        except UnicodeDecodeError:
            cells.append("")
            broken += 1
    return cells, broken


def _values(column: Any) -> list[Any]:
    """Python values; times finer than Python can say lose what is below a microsecond."""
    is_fine = types.is_timestamp(column.type) or types.is_time64(column.type)
    if is_fine and column.type.unit == "ns":
        unit = (
            pyarrow.timestamp("us", column.type.tz)
            if types.is_timestamp(column.type)
            else pyarrow.time64("us")
        )
        column = column.cast(unit, safe=False)
    if types.is_duration(column.type):
        column = column.cast(pyarrow.duration("us"), safe=False)
    values: list[Any] = column.to_pylist()
    return values


def _converter(kind: Any) -> Callable[[Any], str]:
    if types.is_floating(kind):
        return number_text
    if types.is_boolean(kind):
        return lambda value: "true" if value else "false"
    if types.is_timestamp(kind):
        return lambda value: str(value.isoformat(sep=" "))
    if _is_plain_list(kind):
        return lambda value: json.dumps(value, ensure_ascii=False)
    if types.is_nested(kind):
        return lambda value: json.dumps(_plain(value), ensure_ascii=False)
    return str


def number_text(value: float) -> str:
    """A number as people write it: 7.0 is "7"."""
    if math.isfinite(value) and value == int(value) and abs(value) < 10**15:
        return str(int(value))
    return repr(value)


def _plain(value: Any) -> Any:
    """A nested value as JSON knows it.

    Fields without a value are left out: a table must give every record the fields of all others,
    which JSON does not, and a tool would be described with the arguments of every other.
    """
    plain = value
    match value:
        case dict():
            plain = {key: _plain(item) for key, item in value.items() if item is not None}
        case list() | tuple():
            plain = [_plain(item) for item in value]
        case bytes():
            plain = value.decode("utf-8", "replace")
        case datetime.datetime():
            plain = value.isoformat(sep=" ")
        case float() if not math.isfinite(value):
            plain = None
        case datetime.date() | datetime.time() | datetime.timedelta() | decimal.Decimal():
            plain = str(value)
    return plain


def _is_plain_list(kind: Any) -> bool:
    """Whether a value is a list that JSON takes as it is, which may be thousands of numbers."""
    if not (types.is_list(kind) or types.is_large_list(kind)):
        return False
    item = kind.value_type
    return bool(types.is_integer(item) or types.is_boolean(item) or _is_text(item))


def _is_text(kind: Any) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_fixed(kind: Any) -> bool:
    return bool(types.is_fixed_size_binary(kind) or types.is_binary_view(kind))
