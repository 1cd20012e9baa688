"""Whether there are enough rows to learn from, and enough to tell whether it worked.

Nothing is changed here and nothing is raised; a "stop" keeps the wizard from going on. What the
rows themselves say is the doctor's part. Pure; called by `mapped` with counts it has made anyway.
"""

from collections.abc import Iterator

from tailor.engine.data.counted import count_words
from tailor.engine.data.split import ROWS_TO_SPLIT
from tailor.engine.findings import Finding

ROWS_TO_START = 10
ROWS_TO_TRY = 50
ROWS_TO_TRUST = 500


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


def check_split(train: int, held_out: int, *, is_given: bool) -> Iterator[Finding]:
    """Whether there is an honest score to come."""
    rows = train + held_out
    if held_out == 0 and ROWS_TO_START <= rows < ROWS_TO_SPLIT:
        yield Finding(
            level="warn",
            title="No honest score is possible",
            detail=f"With fewer than {ROWS_TO_SPLIT} rows none is held out; all {rows:,} are "
            "learned from, and nothing is left to test what was learned.",
            fix=f"Add examples until there are {ROWS_TO_SPLIT} or more.",
        )
    elif held_out == 0 and rows >= ROWS_TO_SPLIT:
        yield Finding(
            level="warn",
            title="No rows could be held out",
            detail=f"The {rows:,} rows belong together in so few groups that none of them can be "
            "put aside to test what was learned.",
            fix="Add examples that differ, or take the column away that keeps rows together.",
        )
    elif is_given:
        yield Finding(
            level="note",
            title="Your own split is used",
            detail=f"{count_words(train, 'row')} to learn from and "
            f"{count_words(held_out, 'row')} held out, as your data says.",
            fix="Remove the split column from the file, or drop the files under other names, to "
            "let Tailor choose.",
        )
