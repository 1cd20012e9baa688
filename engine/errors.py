"""The one error that people read: what happened, why with the number, what to do.

Anything else that is raised is a bug of ours; the edges of each process log it with its run and
answer with a sentence and no traceback.
"""

from typing import Protocol, Self


class Told(Protocol):
    """What was told in words before: a finding, a stored problem, a choice that is unknown."""

    @property
    def title(self) -> str:
        """What happened."""

    @property
    def detail(self) -> str:
        """Why, with the number."""

    @property
    def fix(self) -> str:
        """What to do."""


class UserError(Exception):
    """Something a person can mend, told in words."""

    def __init__(self, *, title: str, detail: str, fix: str, status: int = 422) -> None:
        """`status` is the HTTP status under which the engine answers it."""
        super().__init__(f"{title}. {detail} {fix}".strip())
        self.title = title
        self.detail = detail
        self.fix = fix
        self.status = status

    @classmethod
    def of(cls, told: Told, *, status: int = 422) -> Self:
        """The error that says the same words."""
        return cls(title=told.title, detail=told.detail, fix=told.fix, status=status)
