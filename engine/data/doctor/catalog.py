"""All checks of the doctor, found by a scan of their folder.

A new file in `checks/` is a new check; no list is edited. Two checks with one id are a mistake of
ours and fail loudly. Asked by `doctor` and `fixing`.
"""

import importlib
import pkgutil
from functools import cache

from tailor.engine.data.doctor import checks
from tailor.engine.data.doctor.check import CheckKind


@cache
def read_catalog() -> tuple[CheckKind, ...]:
    """Every kind of check, in the order of its findings."""
    found: dict[str, tuple[str, CheckKind]] = {}
    for module in pkgutil.iter_modules(checks.__path__):
        kind: CheckKind = importlib.import_module(f"{checks.__name__}.{module.name}").CHECK
        if kind.id in found:
            raise ValueError(f"{module.name} and {found[kind.id][0]} both declare {kind.id!r}")
        found[kind.id] = (module.name, kind)
    return tuple(sorted((kind for _, kind in found.values()), key=lambda one: one.order))
