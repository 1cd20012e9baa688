"""Every family of models: found in this folder, none listed by hand.

A family is one file with a `FAMILY` whose id is the file's name. The model reader asks which family
a config.json belongs to, the scan asks what may be loaded at all.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tailor.recipes.families.family import Family, GapMarks
from tailor.recipes.folder_scan import scan_folder

FALLBACK = "other"


def families() -> tuple[Family, ...]:
    """All families by id."""
    return tuple(family for _, family in sorted(_scan().items()))


def family_for(config: Mapping[str, Any]) -> Family:
    """The family of a config.json; the general one when its `model_type` is in no family."""
    return _by_type().get(str(config.get("model_type", "")), family_of(FALLBACK))


def may_load_type(model_type: str) -> bool:
    """Whether a `model_type` belongs to a family at all."""
    return model_type in _by_type()


def family_of(family_id: str) -> Family:
    """A family by its id; one that is no longer there is treated as the general one."""
    found = _scan()
    return found.get(family_id, found[FALLBACK])


def may_load_tokenizer(name: str) -> bool:
    """Whether a tokenizer class is one of the library's own that we know."""
    return any(name in family.tokenizer_classes for family in _scan().values())


def may_load_architecture(name: str) -> bool:
    """Whether a model class is one of the library's own that we know."""
    return any(name in family.architectures for family in _scan().values())


def all_gap_marks() -> tuple[GapMarks, ...]:
    """Every spelling of code with a gap that some family knows, each once."""
    return tuple(dict.fromkeys(marks for one in families() for marks in one.gap_marks))


@cache
def _scan() -> dict[str, Family]:
    return scan_folder("tailor.recipes.families", "FAMILY", Family)


@cache
def _by_type() -> dict[str, Family]:
    found: dict[str, Family] = {}
    for family in _scan().values():
        for name in family.model_types:
            if name in found:
                raise RuntimeError(f"Both {found[name].id} and {family.id} claim {name!r}.")
            found[name] = family
    return found
