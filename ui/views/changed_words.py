"""Which words of an answer are new, so that the eye finds the change. Pure.

Two answers side by side look alike until the difference is marked. The film strip and the result
table underline what the untouched model did not write.
"""

import re
from difflib import SequenceMatcher

from tailor.ui.views.html import Html, each, element

WORDS = re.compile(r"\s+|[^\s]+")
LONGEST_WORDS = 400
"""Beyond this an answer is shown without marks: comparing grows with the square of its length."""


def changed_words(before: str, after: str) -> Html:
    """`after` as markup, with the words that `before` has not at that place marked."""
    old, new = WORDS.findall(before), WORDS.findall(after)
    if not before or max(len(old), len(new)) > LONGEST_WORDS:
        return each([after])
    pieces: list[str] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, _, _, start, end in matcher.get_opcodes():
        text = "".join(new[start:end])
        if not text:
            continue
        pieces.append(text if kind == "equal" or text.isspace() else element("mark", text))
    return each(pieces)
