"""The one decorator for Tailor's nouns: frozen, keyword-only, slotted, and closed to unknown keys.

A misspelt key that is dropped in silence trains the wrong thing, so every noun refuses what it
does not know when pydantic reads it at a process boundary. It stands in the lowest layer so that
every other layer can use it.
"""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a frozen keyword-only dataclass that pydantic validates strictly by name."""
    # Plain dict, not pydantic's ConfigDict: this layer imports the standard library alone.
    # A loss can be "not a number"; pydantic's own habit of writing it as null would make the event
    # unreadable, so it is written as NaN, which Python's JSON readers take.
    cls.__pydantic_config__ = {"extra": "forbid", "ser_json_inf_nan": "constants"}  # type: ignore[attr-defined]
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)
