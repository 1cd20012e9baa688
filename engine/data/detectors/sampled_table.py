"""The sample that detectors look at: its columns with their facts, and how to pick one of them.

Every detector asks the same things (which text column is called like this, which class is left),
so these questions have their answers here.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from tailor.engine.data.detectors.column_facts import ColumnFacts, Form, measure_column
from tailor.engine.data.detectors.column_names import best_name, is_aside
from tailor.engine.data.detectors.part_words import (
    GROUP_WORDS,
    HISTORY_WORDS,
    PICTURE_WORDS,
    SYSTEM_WORDS,
    TOOLS_WORDS,
    Words,
)
from tailor.engine.data.making.mapping import columns_of
from tailor.engine.data_types import Mapping

WRITTEN: tuple[Form, ...] = ("text", "transcript")
NAMED: tuple[Form, ...] = (*WRITTEN, "number", "code", "json", "texts", "numbers", "turns", "tools")
"""Forms that a column may have whose name says that it is an answer."""
GROUPS_LEAST = 10


@dataclass(frozen=True)
class SampledTable:
    """Some rows of a table."""

    columns: tuple[str, ...]
    rows: Sequence[dict[str, str]]
    facts: dict[str, ColumnFacts]

    def cells(self, name: str) -> list[str]:
        """The filled cells of a column."""
        return [row[name] for row in self.rows if row[name].strip()]

    def pick(
        self, forms: tuple[Form, ...], *, without: Collection[str] = (), least_filled: float = 0.0
    ) -> list[str]:
        """The columns of these forms, in the table's order."""
        return [
            name
            for name in self.columns
            if name not in without
            and self.facts[name].form in forms
            and self.facts[name].filled >= least_filled
        ]

    def named(
        self, words: Words, forms: tuple[Form, ...] = WRITTEN, *, without: Collection[str] = ()
    ) -> str:
        """The column whose name fits best among those of these forms; "" when none does."""
        return best_name(self.pick(forms, without=without), words)

    def longest(self, names: Iterable[str]) -> str:
        """The column with the most text; "" when there is none to choose from."""
        return max(names, key=lambda name: self.facts[name].mean_characters, default="")

    def varied(self, *, without: Collection[str] = ()) -> list[str]:
        """Text columns that say something else in most rows."""
        found = self.pick(WRITTEN, without=without)
        few = len(self.rows) < 3
        return [
            name
            for name in found
            if not (self.facts[name].is_class or is_aside(name))
            and (few or self.facts[name].distinct > 1)
        ]

    def short_forms(self) -> list[str]:
        """Beside a single other column: signs such as "P3|leak", unless named like an index."""
        if len(self.columns) != 2:
            return []
        return [name for name in self.pick(("code",)) if not is_aside(name)]

    def complete(self, mapping: Mapping) -> Mapping:
        """The mapping with the optional parts that the table has for it as well."""
        taken = set(columns_of(mapping).values())
        is_pair = mapping.shape in ("question_answer", "classes")
        return replace(
            mapping,
            system=self.named(SYSTEM_WORDS, ("text",), without=taken),
            history=self.named(HISTORY_WORDS, ("pairs", "turns"), without=taken) if is_pair else "",
            tools="" if mapping.shape == "classes" else self._tools(taken),
            pictures=mapping.pictures or self._pictures(taken),
            group="" if mapping.shape == "chat" else self._group(taken),
        )

    def with_group(self, mapping: Mapping) -> Mapping:
        """The mapping with the column that ties rows together, where nobody asks or answers."""
        return replace(mapping, group=self._group(set(columns_of(mapping).values())))

    def _group(self, taken: Collection[str]) -> str:
        tying = [
            name
            for name in self.pick(("text", "code", "number", "link"), without=taken)
            if self.facts[name].distinct >= GROUPS_LEAST and self.facts[name].repeats >= 1.5
        ]
        return best_name(tying, GROUP_WORDS, with_asides=True)

    def _tools(self, taken: Collection[str]) -> str:
        named = self.named(TOOLS_WORDS, ("tools", "texts", "json", "text"), without=taken)
        return named or next(iter(self.pick(("tools",), without=taken)), "")

    def _pictures(self, taken: Collection[str]) -> str:
        named = self.named(PICTURE_WORDS, ("picture",), without=taken)
        return named or next(iter(self.pick(("picture",), without=taken)), "")


def sample_table(columns: Sequence[str], rows: Sequence[dict[str, str]]) -> SampledTable:
    """Measure all columns."""
    facts = {name: measure_column(name, [row[name] for row in rows]) for name in columns}
    return SampledTable(columns=tuple(columns), rows=rows, facts=facts)
