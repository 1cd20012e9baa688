"""The split that came with the data: a column that says it, or files that are called so.

Whoever has put test rows aside wants them to stay aside, and scores can be compared with others'
only then. Names lie easily, so a split is taken over only where all of them agree to be one. Pure;
`split` asks here before it chooses by itself.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Literal

from tailor.engine.data.detectors.column_names import split_words

Side = Literal["train", "held_out"]

_SPLIT_NAMES = frozenset({"split", "set", "subset", "partition", "fold"})
_SIDES: dict[str, Side] = {
    "train": "train", "training": "train", "learn": "train",
    "test": "held_out", "testing": "held_out", "validation": "held_out", "valid": "held_out",
    "val": "held_out", "dev": "held_out", "eval": "held_out", "heldout": "held_out",
    "holdout": "held_out",
}  # fmt: skip
_BETWEEN = re.compile(r"[\s_-]")
# Shards are numbered ("train-00000-of-00002") and may bear a hash; both say nothing.
_NUMBERING = re.compile(r"\d+|of|[0-9a-f]{8,}")


def find_split_column(columns: Iterable[str]) -> str:
    """The column that may say on which side a row belongs; "" without one."""
    for name in columns:
        words = split_words(name)
        if len(words) == 1 and words[0] in _SPLIT_NAMES:
            return name
    return ""


def sides_of_words(words: set[str]) -> dict[str, Side] | None:
    """The side of each word of a split column; None when any is no such word, or one side only."""
    sides = {word: _SIDES.get(_BETWEEN.sub("", word).casefold()) for word in words}
    known = {word: side for word, side in sides.items() if side is not None}
    return known if len(known) == len(sides) and _has_both(known) else None


@lru_cache(maxsize=64)
def name_part(part: str) -> str:
    """What the name of a file, a sheet or a member says: "side:rest of its words".

    "data/gsm8k_test.jsonl" gives "held_out:gsm8k", "test/0001.txt" gives "held_out:".
    """
    path = PurePosixPath(part)
    side, rest = _side_and_rest(path.stem)
    if not side and path.parent.name:
        side, _ = _side_and_rest(path.parent.name)
    return f"{side}:{rest}"


def sides_of_parts(parts: set[str]) -> dict[str, Side] | None:
    """The side of each `name_part`; None when their names do not make a split.

    "test procedures" beside "manual" are two documents; "test" or "gsm8k_test" beside "gsm8k_train"
    is a split.
    """
    named = {part: part.partition(":") for part in parts if part}
    if len(named) < len(parts):
        return None
    train = {rest for side, _, rest in named.values() if side == "train"}
    sides: dict[str, Side] = {}
    for part, (side, _, rest) in named.items():
        is_held_out = side == "held_out" and (not rest or rest in train)
        sides[part] = "held_out" if is_held_out else "train"
    return sides if _has_both(sides) else None


def _side_and_rest(name: str) -> tuple[str, str]:
    words = [word for word in split_words(name) if not _NUMBERING.fullmatch(word)]
    sides = {_SIDES[word] for word in words if word in _SIDES}
    rest = " ".join(word for word in words if word not in _SIDES)
    return (sides.pop(), rest) if len(sides) == 1 else ("", " ".join(words))


def _has_both(sides: dict[str, Side]) -> bool:
    return set(sides.values()) == {"train", "held_out"}
