"""Which rows belong together: they share a key, or are joined by rows that do.

Near-duplicates, a group column, one passage and one question each tie some rows to others, and only
all ties together say what may not be torn apart. Done on whole columns of numbers, because two
million rows go through it. Pure; `split` asks here.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tailor.engine.data.candidates import NONE, Numbers

Indexes = NDArray[np.intp]


def join_rows(keys: Sequence[Numbers]) -> Indexes:
    """The number of each row's group, from 0 on. `keys` hold a key for each row, or `NONE`."""
    rows = len(keys[0])
    ties = [_ties(key) for key in keys]
    some = np.concatenate([one for one, _ in ties])
    others = np.concatenate([other for _, other in ties])
    group = np.arange(rows, dtype=np.intp)
    while True:
        joined = group.copy()
        lower = np.minimum(group[some], group[others])
        np.minimum.at(joined, group[some], lower)
        np.minimum.at(joined, group[others], lower)
        # Each row follows its group to that group's own, until nobody moves any more.
        while not np.array_equal(joined, joined[joined]):
            joined = joined[joined]
        if np.array_equal(joined, group):
            break
        group = joined
    _, numbers = np.unique(group, return_inverse=True)
    return numbers.astype(np.intp)


def _ties(key: Numbers) -> tuple[Indexes, Indexes]:
    """Pairs of rows that have the same key; each such row is tied to the next one."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    is_tied = (ordered[1:] == ordered[:-1]) & (ordered[1:] != NONE)
    return order[:-1][is_tied], order[1:][is_tied]
