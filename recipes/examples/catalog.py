"""Every built-in example project: found in this folder, none listed by hand."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from tailor.recipes.examples.example import Example
from tailor.recipes.knobs import UnknownChoiceError

FOLDER = Path(__file__).parent


def examples() -> tuple[Example, ...]:
    """All examples by id."""
    return tuple(example for _, example in sorted(_scan().items()))


def get_example(example_id: str) -> Example:
    """One example; `UnknownChoiceError` names the ones there are."""
    found = _scan()
    if example_id not in found:
        raise UnknownChoiceError(
            title=f'There is no example called "{example_id}"',
            detail=f"There are: {', '.join(sorted(found))}.",
            fix="Use one of these names.",
        )
    return found[example_id]


@cache
def _scan() -> dict[str, Example]:
    found: dict[str, Example] = {}
    for module in pkgutil.iter_modules([str(FOLDER)]):
        loaded = importlib.import_module(f"tailor.recipes.examples.{module.name}")
        example = vars(loaded).get("EXAMPLE")
        if example is None:
            continue
        if example.id != module.name:
            raise RuntimeError(f"examples/{module.name}.py calls its example {example.id!r}.")
        found[example.id] = example
    return found
