"""Code with a gap, written with the tokens that the model itself knows for it.

A model learns to fill a gap only in the spelling it was made with; any other would be four strange
words. The families know the spellings, the tokenizer says which of them it has. `data` writes rows
with it, `refusals` tells where a model has none.
"""

from functools import lru_cache
from typing import Any

from tailor.recipes.families.catalog import all_gap_marks
from tailor.recipes.families.family import GapMarks


@lru_cache(maxsize=4)
def find_gap_marks(tokenizer: Any) -> GapMarks | None:
    """The spelling of which the tokenizer has every token; None when it has none whole."""
    known = tokenizer.get_vocab()
    for marks in all_gap_marks():
        spelled = (marks.before, marks.after, marks.middle, marks.end)
        if all(mark in known for mark in spelled if mark):
            return marks
    return None


def write_gap(tokenizer: Any, marks: GapMarks, before: str, after: str) -> tuple[str, str]:
    """The text up to where the missing piece begins, and the token that ends the piece."""
    front, behind = marks.before + before, marks.after + after
    asked = behind + front if marks.is_after_first else front + behind
    return asked + marks.middle, marks.end or tokenizer.eos_token
