"""One constant out of every module of a folder: how recipes, examples and families are found.

Adding one of them is adding a file, so nothing lists them by hand; the catalogs of the three
folders ask here, and keep what they got.
"""

import importlib
import pkgutil
from typing import Protocol, TypeVar


class Named(Protocol):
    """What is found in a file bears the file's name."""

    @property
    def id(self) -> str:
        """The name, unique in its folder."""


N = TypeVar("N", bound=Named)


def scan_folder(package: str, constant: str, kind: type[N]) -> dict[str, N]:
    """Each module's `constant` by its id; modules without one are passed over."""
    found: dict[str, N] = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if module.ispkg:
            continue
        one = vars(importlib.import_module(f"{package}.{module.name}")).get(constant)
        if one is None:
            continue
        if not isinstance(one, kind):
            raise RuntimeError(f"{constant} in {package}.{module.name} is no {kind.__name__}.")
        if one.id != module.name:
            raise RuntimeError(f"{package}.{module.name} calls its {constant} {one.id!r}.")
        found[one.id] = one
    return found
