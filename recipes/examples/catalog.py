"""Every built-in example project: found in this folder, none listed by hand."""

from functools import cache
from pathlib import Path

from tailor.recipes.examples.example import Example
from tailor.recipes.folder_scan import scan_folder
from tailor.recipes.knobs import UnknownChoiceError

FOLDER = Path(__file__).parent
"""Where the tables of the examples lie."""


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
    return scan_folder("tailor.recipes.examples", "EXAMPLE", Example)
