"""Which libraries decide what a step holds; read without importing any of them.

The engine asks before it starts a trace, the tracer notes it in the answer. Standard library only.
"""

from importlib.metadata import PackageNotFoundError, version

from tailor.estimator.trace import TRACED_LIBRARIES, Versions


def read_versions() -> Versions:
    """Versions of the libraries that are installed; the others are left out."""
    told = []
    for name in TRACED_LIBRARIES:
        try:
            told.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return tuple(told)
