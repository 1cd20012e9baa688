"""The columns of a table: distinct names, as many as the rows have cells, and rows that end early.

Headings are often one cell too short or too long, and many programs leave out empty cells at the
end of a row. `table_form` settles both on the first lines; every reader names its columns here.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Lookup

from tailor.engine.data.counted import count_words
from tailor.engine.data_types import ReadChoice

NAME_CHARACTERS = 100
ALIKE_SHARE = 0.9
"""Share of equally wide rows from which headings of another width are made to fit."""
FILL, DAMAGED = "fill", "damaged"


def name_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct names: "Column 4" for a blank one, "(2)" behind the second of two equal ones."""
    given: dict[str, None] = {}
    again: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        plain = " ".join(name.split())[:NAME_CHARACTERS] or f"Column {number}"
        final = plain
        while final in given:
            # Counted on from the last time: a million equal names must not take a million squared.
            again[plain] = again.get(plain, 1) + 1
            final = f"{plain} ({again[plain]})"
        given[final] = None
    return tuple(given)


def fit_names(names: list[str], below: Sequence[Sequence[str]]) -> list[str]:
    """The headings made as wide as nearly all rows below them are, where they are not."""
    widths = Counter(len(cells) for cells in below)
    usual, number = widths.most_common(1)[0] if widths else (len(names), 0)
    if not names:
        return [""] * usual
    if len(names) == usual or number < ALIKE_SHARE * len(below):
        return names
    if len(names) == usual + 1 and not names[-1].strip():
        return names[:-1]
    is_open_end = not any(cells[-1].strip() for cells in below if len(cells) == usual)
    if len(names) == usual - 1 and not is_open_end:
        # R writes no name above the column that numbers its rows.
        return ["", *names]
    return [*names, *[""] * (usual - len(names))]


def choose_short_rows(
    below: Sequence[Sequence[str]], width: int, choices: Lookup[str, str]
) -> tuple[ReadChoice, ...]:
    """Whether rows with too few cells are whole; many programs leave out empty cells at the end."""
    short = sum(len(cells) < width for cells in below)
    asked = choices.get("short_rows", "")
    if not short and not asked:
        return ()
    rows = count_words(short, "row")
    return (
        ReadChoice(
            id="short_rows",
            title="Rows with too few cells",
            value=FILL if asked == FILL else DAMAGED,
            options=(
                (DAMAGED, "They are damaged and left out"),
                (FILL, "Their last cells are empty"),
            ),
            why="You chose it." if asked else f"{rows} at the beginning of the file are short.",
        ),
    )
