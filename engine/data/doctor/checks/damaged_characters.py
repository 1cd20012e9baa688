"""Garbled letters, control and invisible characters, and letters that are lost for good."""

from collections import Counter
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.damage import LOST, find_damage, repair
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, around
from tailor.engine.data.doctor.telling import Hits, change_texts, leave_out, tell
from tailor.engine.data.split import Split


class DamagedCharacters:
    """Looks at all texts."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()
        self._kinds: Counter[str] = Counter()
        self._can_be_repaired = 0

    def see(self, row: Row) -> None:
        """Look at one row."""
        if not row.is_usable:
            return
        kinds: set[str] = set()
        example = ""
        for text in row.texts:
            for kind, place in find_damage(text).items():
                kinds.add(kind)
                example = example or around(text, *place)
        if kinds:
            self._kinds.update(sorted(kinds))
            self._can_be_repaired += kinds != {LOST}
            self._hits.add(row, "".join(sign for sign in example if sign.isprintable()))

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows, and what can be put right."""
        if not self._hits:
            return ()
        rows = count_words(len(self._hits), "row")
        kinds = ", ".join(f"{kind} ({number:,})" for kind, number in self._kinds.most_common())
        repairing = change_texts(
            lambda value: repair,
            id="repair",
            label="Put them right",
            words="Garbled letters become what was meant, invisible and control characters go, in "
            f"{count_words(self._can_be_repaired, 'row')}.",
            told="damaged characters were put right.",
            is_suggested=True,
        )
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{rows} with damaged characters",
                detail=f"Found: {kinds}. Letters like “Ã©” or “â€™” were read in a wrong encoding "
                "before the file came here.",
                effect="The model would write words damaged in the same way.",
                fix="Put them right; letters that are lost stay as they are.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=(
                    *([repairing] if self._can_be_repaired else []),
                    leave_out(self._hits.ids, "it has damaged characters"),
                ),
            ),
        )


CHECK = CheckKind(id="damaged_characters", order=45, make=DamagedCharacters)
