"""Conversations that are spread over rows: one turn a row, or one question with its answer a row.

Forums, chat exports and some training sets store each message by itself, with the id of the message
before it or of the conversation. Circles are looked for first, because following one never ends
(seen in another program). `examples` asks here for the cells of every row.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tailor.engine.data.making.json_cell import encode_cell
from tailor.engine.data.making.thread_cells import (
    EARLIER,
    NOT_TOLD,
    WHOLE,
    order_key,
    thread_key,
)
from tailor.engine.data_types import Mapping

LONGEST = 1_000
"""Rows in one thread; a longer one is no conversation that a model could read."""
PART_OF_THREAD = "it is a turn of a conversation that ends in another row"
CIRCLE = "its rows answer each other in a circle"
TOO_LONG = f"its conversation has more than {LONGEST:,} rows"

Fetch = Callable[[int], Sequence[str]]
"""The cells of the row with this id."""


@dataclass(frozen=True)
class Threads:
    """What a row follows. Without a thread in the mapping every row stands for itself."""

    mapping: Mapping
    columns: tuple[str, ...]
    fetch: Fetch
    previous: dict[int, int] = field(default_factory=dict)
    """Row id to the id of the row before it in its thread."""
    owners: dict[int, int] = field(default_factory=dict)
    """Row id to the end in which it is learned: branches share turns, each is learned once."""
    reasons: dict[int, str] = field(default_factory=dict)
    """Row id to why it is not told at all."""
    ends: frozenset[int] = frozenset()

    def cells(self, row_id: int, cells: Sequence[str]) -> dict[str, str]:
        """The row by column name, with what its thread says before it."""
        named = dict(zip(self.columns, cells, strict=True))
        if not is_threaded(self.mapping):
            return named
        reason = self.reasons.get(row_id, "")
        if self.mapping.speaker:
            if not reason and row_id not in self.ends:
                reason = PART_OF_THREAD
            extra = {NOT_TOLD: reason} if reason else {WHOLE: self._whole(row_id, named)}
        else:
            extra = {NOT_TOLD: reason} if reason else {EARLIER: self._earlier(row_id)}
        return named | extra

    def _whole(self, end: int, named: dict[str, str]) -> str:
        turns = []
        for row_id in [*reversed(list(self._before(end))), end]:
            cells = named if row_id == end else self._named(row_id)
            turns.append(
                {
                    "role": cells[self.mapping.speaker],
                    "content": cells[self.mapping.text],
                    "weight": int(self.owners.get(row_id, end) == end),
                }
            )
        return encode_cell([turn for turn in turns if str(turn["content"]).strip()])

    def _earlier(self, row_id: int) -> str:
        rows = [self._named(earlier) for earlier in reversed(list(self._before(row_id)))]
        return encode_cell([[row[self.mapping.question], row[self.mapping.answer]] for row in rows])

    def _named(self, row_id: int) -> dict[str, str]:
        return dict(zip(self.columns, self.fetch(row_id), strict=True))

    def _before(self, row_id: int) -> Iterator[int]:
        while row_id := self.previous.get(row_id, 0):
            yield row_id


def is_threaded(mapping: Mapping) -> bool:
    """Whether an example takes more than one row."""
    return bool(mapping.speaker or mapping.thread or mapping.parent) and not mapping.messages


def join_threads(
    mapping: Mapping,
    columns: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    fetch: Fetch,
) -> Threads:
    """Find out which row follows which. `rows` are all rows that can be used, with their ids."""
    if not is_threaded(mapping):
        return Threads(mapping, tuple(columns), fetch)
    places = {name: place for place, name in enumerate(columns)}
    previous = (
        _by_parent(rows, places[mapping.thread], places[mapping.parent])
        if mapping.parent and mapping.thread
        else _by_key(rows, places.get(mapping.thread), places.get(mapping.order))
    )
    reasons = _find_circles(previous)
    followed = {before for row, before in previous.items() if row not in reasons}
    ends = frozenset(row for row in previous if row not in followed and row not in reasons)
    return Threads(
        mapping,
        tuple(columns),
        fetch,
        previous=previous,
        owners=_find_owners(previous, sorted(ends)) if mapping.speaker else {},
        reasons=reasons,
        ends=ends,
    )


def _by_parent(rows: Iterable[tuple[int, Sequence[str]]], own: int, parent: int) -> dict[int, int]:
    """Each row with the row whose id it names; 0 where there is none."""
    by_id: dict[str, int] = {}
    named: dict[int, str] = {}
    for row_id, cells in rows:
        if cells[own].strip():
            by_id.setdefault(cells[own].strip(), row_id)
        named[row_id] = cells[parent].strip()
    return {row_id: by_id.get(name, 0) for row_id, name in named.items()}


def _by_key(
    rows: Iterable[tuple[int, Sequence[str]]], thread: int | None, order: int | None
) -> dict[int, int]:
    """Each row with the one before it among those of the same thread."""
    threads: dict[str, list[tuple[tuple[float, str], int]]] = {}
    for row_id, cells in rows:
        key = thread_key(cells[thread]) if thread is not None else ""
        # Rows that name no thread belong to none.
        key = key or (f"\0{row_id}" if thread is not None else "")
        place = order_key(cells[order]) if order is not None else (0.0, "")
        threads.setdefault(key, []).append((place, row_id))
    previous: dict[int, int] = {}
    for members in threads.values():
        before = 0
        for _, row_id in sorted(members, key=lambda member: member[0]):
            previous[row_id] = before
            before = row_id
    return previous


def _find_circles(previous: dict[int, int]) -> dict[int, str]:
    """Rows whose chain never ends or is too long, with the reason."""
    depths: dict[int, int] = {}
    reasons: dict[int, str] = {}
    for start in previous:
        path: list[int] = []
        on_path: set[int] = set()
        row = start
        while row and row not in depths and row not in on_path:
            path.append(row)
            on_path.add(row)
            row = previous.get(row, 0)
        is_circle = row in on_path or reasons.get(row) == CIRCLE
        depth = depths.get(row, 0)
        for one in reversed(path):
            depth += 1
            depths[one] = depth
            if is_circle:
                reasons[one] = CIRCLE
            elif depth > LONGEST:
                reasons[one] = TOO_LONG
    return reasons


def _find_owners(previous: dict[int, int], ends: Sequence[int]) -> dict[int, int]:
    """The first end below each row; what one branch learns, the others only read."""
    owners: dict[int, int] = {}
    for end in ends:
        row = end
        while row and row not in owners:
            owners[row] = end
            row = previous.get(row, 0)
    return owners
