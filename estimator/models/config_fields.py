"""One field of a config.json: found under any of its names, and refused when it makes no sense.

A count of a model that was made up or damaged makes nonsense of every sum that follows, so it is
stopped here with the name of its field. `config_reading.py` and `config_parts.py` read with it.
"""

from collections.abc import Mapping
from typing import Any

LARGEST = 10_000_000
"""No field of a real model is larger."""


def find_count(config: Mapping[str, Any], *names: str) -> int | None:
    """The first of these fields that is told; a ValueError when it is no whole number above 0."""
    for name in names:
        told = config.get(name)
        if told is None:
            continue
        if isinstance(told, bool) or not isinstance(told, int) or not 0 < told <= LARGEST:
            raise ValueError(f"{name} is {told!r:.40}; it must be a whole number above 0")
        return told
    return None


def find_or(config: Mapping[str, Any], habit: int, *names: str) -> int:
    """As `find_count`, where 0 is told as often as nothing and both mean `habit`."""
    told = {name: config.get(name) for name in names}
    return find_count({name: count for name, count in told.items() if count != 0}, *names) or habit


def find_list(config: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """The first of these fields that is a list, as words; empty where none is."""
    for name in names:
        told = config.get(name)
        if isinstance(told, (list, tuple)) and told:
            return tuple(str(part) for part in told)
    return ()


def find_part(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A config inside the config; empty where there is none."""
    told = config.get(name)
    return told if isinstance(told, Mapping) else {}
