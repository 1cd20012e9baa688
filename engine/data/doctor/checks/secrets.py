"""Keys and passwords in the rows: a model can be made to say them to anybody.

They are known by their forms. None is ever shown whole, nor written to a log.
"""

from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.secret_forms import PASSWORD, STAND_IN, find_secrets, hide_secrets
from tailor.engine.data.doctor.survey import Survey
from tailor.engine.data.doctor.telling import Hits, change_texts, leave_out, tell
from tailor.engine.data.split import Split

_SHOWN = 4


class Secrets:
    """Looks for the forms in all texts."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()
        self._names: dict[str, int] = {}

    def see(self, row: Row) -> None:
        """Find the secrets of one row."""
        if not row.is_usable:
            return
        kinds: dict[str, str] = {}
        for text in row.texts:
            for begin, end, name in find_secrets(text):
                kinds.setdefault(name, _masked(text[begin:end]))
        if kinds:
            for name in kinds:
                self._names[name] = self._names.get(name, 0) + 1
            name, shown = next(iter(kinds.items()))
            self._hits.add(row, f"{name}: {shown}")

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows, and a stand-in for each secret."""
        if not self._hits:
            return ()
        rows = count_words(len(self._hits), "row")
        kinds = ", ".join(f"{name} ({number:,})" for name, number in sorted(self._names.items()))
        return (
            tell(
                survey,
                check=CHECK.id,
                # Passwords are known by the word before them alone, and may be made up.
                level="warn" if set(self._names) == {PASSWORD} else "stop",
                title=f"{rows} with a key or a password",
                detail=f"By their form these are secrets: {kinds}. None is shown in full here.",
                effect="Whoever may talk to the model could make it say them.",
                fix="Put a stand-in in their place, and have the keys changed where they are used.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=(
                    change_texts(
                        lambda value: hide_secrets,
                        id="replace",
                        label=f"Put {STAND_IN} in their place",
                        words=f"In {rows} each secret becomes {STAND_IN}.",
                        told=f"secrets became {STAND_IN}.",
                        is_suggested=True,
                    ),
                    leave_out(self._hits.ids, "it holds a key or a password"),
                ),
            ),
        )


def _masked(secret: str) -> str:
    if secret.startswith("-----"):
        return "-----BEGIN…"
    return f"{secret[:_SHOWN]}… ({len(secret)} characters)"


CHECK = CheckKind(id="secrets", order=15, make=Secrets)
