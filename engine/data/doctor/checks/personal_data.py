"""Personal data, on request: e-mail, telephone, accounts, cards, national numbers.

On request, because in many tables they are meant (a company's own hotline), and because looking
takes a while. Each value gets a stand-in of its own, so that the text still makes sense.
"""

from collections import Counter
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.personal import KINDS, StandIns, find_personal
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, around
from tailor.engine.data.doctor.telling import Hits, change_texts, leave_out, tell
from tailor.engine.data.split import Split

NOT_FOUND = "Names and addresses are not found by this check."


class PersonalData:
    """Looks for all kinds in all texts."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()
        self._kinds: Counter[str] = Counter()

    def see(self, row: Row) -> None:
        """Look at one row."""
        if not row.is_usable:
            return
        kinds: set[str] = set()
        example = ""
        for text in row.texts:
            for place in find_personal(text):
                kinds.add(place.kind)
                example = example or around(text, place.begin, place.end)
        if kinds:
            self._kinds.update(sorted(kinds))
            self._hits.add(row, example)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows, and stand-ins; or that there are none, because the person has asked."""
        if not self._hits:
            return (_tell_none(survey),)
        rows = count_words(len(self._hits), "row")
        kinds = ", ".join(
            f"{words} ({self._kinds[kind]:,})" for kind, words in KINDS.items() if self._kinds[kind]
        )
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{rows} with personal data",
                detail=f"By their form: {kinds}. {NOT_FOUND}",
                effect="The model may say them to anybody who talks to it.",
                fix="Put stand-ins in their place; the same value gets the same one everywhere.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=(
                    change_texts(
                        lambda value: StandIns().replace,
                        id="replace",
                        label="Put stand-ins in their place",
                        words=f"In {rows} each becomes a stand-in such as [EMAIL 1] or [PHONE 2].",
                        told="personal data became stand-ins.",
                        is_suggested=True,
                    ),
                    leave_out(self._hits.ids, "it holds personal data"),
                ),
            ),
        )


def _tell_none(survey: Survey) -> Found:
    return tell(
        survey,
        check=CHECK.id,
        level="note",
        title="No personal data found",
        detail=f"Looked for: {', '.join(KINDS.values())}. {NOT_FOUND}",
        effect="What the model reads, it may say to anybody.",
        fix="Look through some rows for names and addresses yourself.",
    )


CHECK = CheckKind(id="personal_data", order=35, make=PersonalData, is_extra=True)
