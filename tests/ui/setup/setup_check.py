"""A project at its Check screen, and what is pressed there, for the tests of this folder."""

from tailor.engine.findings import Finding
from tailor.ui.check_values import OUTPUTS, show_check
from tailor.ui.pages.check import press
from tailor.ui.services import Services

CHOICES, ROWS, READING, EXAM, TIMER, BUTTON, PROMISE = range(OUTPUTS + 1)
"""Places in what a press gives: the choices so far, then the screen's values."""


def begin(services: Services, engine, *findings: Finding) -> str:
    engine.findings = findings
    dataset = engine.add_example()
    services.edit_draft("ada", "d1", dataset_id=dataset.id)
    return dataset.id


def show(services: Services):
    """As `press` gives it, so that both are read by the same places."""
    return (None, *show_check(services, "ada", services.draft("ada", "d1")))


def do(services: Services, pressed: str, **said: tuple[str, ...]):
    return press(services, "ada", "d1", pressed, said)
