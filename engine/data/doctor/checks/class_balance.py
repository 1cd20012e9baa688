"""Classes with hardly any rows, very uneven classes, and one class in several spellings."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Mend, Remedy, Scope
from tailor.engine.data.doctor.row import Row, plain
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import CLASS_ROWS_LEAST, Split
from tailor.engine.findings import Fix

UNEVEN = 10
"""Largest class by smallest; beyond it the small one is hardly ever answered."""
SMALL, SPELLING = "small_classes", "class_spelling"
CLASSES_MOST = 1_000
"""With more, the column holds no classes and there is nothing to balance."""


class ClassBalance:
    """Counts the rows of each class."""

    def __init__(self, scope: Scope) -> None:
        self._column = scope.mapping.answer
        self._rows: dict[str, list[int]] = {}

    def see(self, row: Row) -> None:
        """Count one row."""
        if row.is_usable and (len(self._rows) <= CLASSES_MOST or row.answer in self._rows):
            self._rows.setdefault(row.answer, []).append(row.id)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """What is wrong with the classes as a whole."""
        if not 1 < len(self._rows) <= CLASSES_MOST:
            return ()
        return (*self._spellings(survey), *self._small(survey), *self._uneven(survey))

    def _small(self, survey: Survey) -> Iterator[Found]:
        small = {name: ids for name, ids in self._rows.items() if len(ids) < CLASS_ROWS_LEAST}
        if not small:
            return
        ids = sorted(one for members in small.values() for one in members)
        yield tell(
            survey,
            check=SMALL,
            level="warn",
            title=f"{_count_classes(len(small))} with fewer than {CLASS_ROWS_LEAST} rows",
            detail=f"The rarest: {_listed(small)}.",
            effect="So few rows cannot teach a class, and nothing can test it.",
            fix="Add rows to these classes, or leave them out.",
            row_ids=ids,
            examples=[_named(name, len(small[name])) for name in _rarest(small)],
            remedies=(leave_out(ids, "its class has too few rows", id="leave_out_small"),),
        )

    def _uneven(self, survey: Survey) -> Iterator[Found]:
        sizes = {name: len(ids) for name, ids in self._rows.items()}
        sizes = {name: size for name, size in sizes.items() if size >= CLASS_ROWS_LEAST}
        if len(sizes) < 2:
            return
        large, small = (
            max(sizes, key=lambda name: sizes[name]),
            min(sizes, key=lambda name: sizes[name]),
        )
        times = sizes[large] / sizes[small]
        if times <= UNEVEN:
            return
        most = UNEVEN * sizes[small]
        ids = sorted(self._rows[large])
        extra = sorted(one for members in self._rows.values() for one in members[most:])
        yield tell(
            survey,
            check=CHECK.id,
            level="note",
            title=f"The largest class has {times:,.0f} times the rows of the smallest",
            detail=f"{_named(large, sizes[large])}; {_named(small, sizes[small])}.",
            effect="The model will lean towards the large class when it is unsure.",
            fix="Add rows to the small classes, or leave some of the large one out.",
            row_ids=ids,
            examples=[_named(name, len(self._rows[name])) for name in _rarest(self._rows)],
            remedies=(
                leave_out(
                    extra,
                    "its class has very many rows",
                    id="even_out",
                    label=f"Keep {UNEVEN} times the smallest",
                ),
            ),
        )

    def _spellings(self, survey: Survey) -> Iterator[Found]:
        alike: dict[str, Counter[str]] = {}
        for name, ids in self._rows.items():
            alike.setdefault(plain(name), Counter())[name] = len(ids)
        torn = [names for names in alike.values() if len(names) > 1]
        if not torn:
            return
        meant = {name: _best(names) for names in torn for name in names if name != _best(names)}
        ids = sorted(one for name in meant for one in self._rows[name])
        yield tell(
            survey,
            check=SPELLING,
            level="warn",
            title=f"{_count_classes(len(torn))} in several spellings",
            detail="They differ only in capitals or spaces: "
            + "; ".join(
                " and ".join(f"“{shorten(one, 40)}”" for one in names) for names in torn[:3]
            )
            + ".",
            effect="The model would learn them as classes of their own.",
            fix="Use the most frequent spelling everywhere.",
            row_ids=ids,
            examples=[f"“{shorten(one, 40)}” for “{shorten(meant[one], 40)}”" for one in meant],
            remedies=(_merging(meant, self._column, len(ids)),),
        )


def _merging(meant: dict[str, str], column: str, rows: int) -> Remedy:
    def begin(value: str) -> Mend:
        return lambda cell: meant.get(cell, cell)

    words = (
        f"{count_words(rows, 'row')} {'gets' if rows == 1 else 'get'} the most frequent spelling."
    )
    return Remedy(
        fix=Fix(id="merge", label="Use one spelling", words=words, is_suggested=True),
        told=lambda number: f"In {count_words(number, 'row')} the class got its usual spelling.",
        begin=begin,
        column=column,
    )


def _best(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name))


def _rarest(classes: dict[str, list[int]]) -> list[str]:
    return sorted(classes, key=lambda name: (len(classes[name]), name))[:3]


def _listed(classes: dict[str, list[int]]) -> str:
    return ", ".join(_named(name, len(classes[name])) for name in _rarest(classes))


def _named(name: str, rows: int) -> str:
    return f"“{shorten(name, 40)}” has {count_words(rows, 'row')}"


def _count_classes(number: int) -> str:
    return "1 class" if number == 1 else f"{number:,} classes"


CHECK = CheckKind(
    id="class_balance",
    order=75,
    make=ClassBalance,
    shapes=frozenset({"classes"}),
    tells=("class_balance", SMALL, SPELLING),
    needs_all_rows=True,
)
