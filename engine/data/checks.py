"""What a person should know about mapped rows before training: findings, each with its number.

Nothing is changed here and nothing is raised; a "stop" keeps the wizard from going on. Pure; called
by `mapped` with counts it has made anyway.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tailor.engine.data.counted import LISTED, count_words, list_places
from tailor.engine.data.split import Candidate, is_classes
from tailor.engine.findings import Finding

ROWS_TO_START = 10
ROWS_TO_TRY = 50
ROWS_TO_TRUST = 500


class LeftOut:
    """Rows that cannot be used, by reason."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = defaultdict(list)
        self._counts: Counter[str] = Counter()

    def add(self, reason: str, place: str) -> None:
        """Count one row."""
        self._counts[reason] += 1
        if len(self._places[reason]) < LISTED:
            self._places[reason].append(place)

    def counts(self) -> tuple[tuple[str, int], ...]:
        """Reason and number, most frequent first."""
        return tuple(self._counts.most_common())

    def findings(self) -> Iterator[Finding]:
        """One finding for each reason."""
        for reason, number in self.counts():
            rows = count_words(number, "row")
            yield Finding(
                level="warn",
                title=f"{rows} left out: {reason}",
                detail=f"{rows} cannot be used because {reason}. Your file is unchanged.",
                fix="If you need them, mend them in your file and drop it again.",
                where=list_places(self._places[reason], number),
            )


def check_size(used: int) -> Iterator[Finding]:
    """Whether there are enough rows to learn from."""
    rows = count_words(used, "row")
    need = f"{rows}; {ROWS_TO_TRY} are enough to try it, {ROWS_TO_TRUST} to trust the result."
    add = "Add more examples to your file and drop it again."
    if used < ROWS_TO_START:
        yield Finding(level="stop", title="Too few examples", detail=need, fix=add)
    elif used < ROWS_TO_TRY:
        yield Finding(level="warn", title="Few examples", detail=need, fix=add)
    elif used < ROWS_TO_TRUST:
        yield Finding(
            level="note",
            title="Enough to try",
            detail=f"{rows}. With {ROWS_TO_TRUST} or more the scores can be trusted.",
            fix="Go on, and add examples later where it still makes mistakes.",
        )


def check_repeats(rows: Sequence[Candidate], entry_word: str) -> Iterator[Finding]:
    """Rows that are there twice, and questions with several answers."""
    repeated = _coming_back(row.whole for row in rows)
    if repeated:
        twice = [row for row in rows if row.whole in repeated]
        extra = count_words(len(twice) - len(repeated), "row")
        yield Finding(
            level="warn",
            title=f"{extra} repeated",
            detail=f"{extra} say the same as another row. They stay in and count double; "
            "when rows are held out, equal ones stay together.",
            fix="Remove the repeats from your file if they are there by accident.",
            where=_places(twice, entry_word),
        )
    torn = _torn_questions(rows)
    if torn:
        has_classes = is_classes(row.label for row in rows)
        yield Finding(
            level="warn",
            title=f"{count_words(len(torn), 'question')} with different answers",
            detail="The same question is answered differently"
            + (", and it cannot belong to two classes." if has_classes else "."),
            fix="Look at these rows and keep the answer that is right.",
            where=_places([row for row in rows if row.question in torn], entry_word),
        )


def _coming_back(digests: Iterable[bytes]) -> set[bytes]:
    seen: set[bytes] = set()
    again: set[bytes] = set()
    for digest in digests:
        (again if digest in seen else seen).add(digest)
    return again


def _torn_questions(rows: Sequence[Candidate]) -> set[bytes]:
    """Questions that have more than one answer."""
    first: dict[bytes, bytes] = {}
    return {row.question for row in rows if first.setdefault(row.question, row.whole) != row.whole}


def check_split(train: int, held_out: int, *, is_given: bool) -> Iterator[Finding]:
    """Whether there is an honest score to come."""
    if held_out == 0 and train >= ROWS_TO_START:
        yield Finding(
            level="warn",
            title="No rows could be held out",
            detail=f"All {train:,} rows say nearly the same, so none can test what was learned.",
            fix="Add examples that differ.",
        )
    elif is_given:
        yield Finding(
            level="note",
            title="Your own split is used",
            detail=f"{count_words(train, 'row')} to learn from and "
            f"{count_words(held_out, 'row')} held out, as your file says.",
            fix="Remove the split column from the file to let Tailor choose.",
        )


def _places(rows: Sequence[Candidate], entry_word: str) -> str:
    return list_places([f"{entry_word} {row.place}" for row in rows[:LISTED]], len(rows))
