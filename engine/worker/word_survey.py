"""Which frequent words a tokenizer cuts into many pieces, and how well it suits the language.

A tokenizer made for English cuts words of another language or of a trade into crumbs: rows become
longer, training slower, and the model has to spell what it should know. Called by the render child.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tailor.engine.data_types import SplitWord
from tailor.engine.worker.added_words import addable

WORD = re.compile(r"[^\W\d_][^\W_]{2,39}(?:-[^\W_]{1,40})*")
"""A word of at least three letters; hyphens inside belong to it."""
FEWEST_PIECES = 4
FEWEST_TIMES = 3
"""A word that comes once or twice is not worth a token."""
MOST_WORDS = 30
LOOKED_AT = 3_000
"""Of the most frequent words; rarer ones could not save much."""
KEPT_WORDS = 200_000
"""Above this the rarest are forgotten, so that a large file does not fill the memory."""

DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Letters that hold a syllable or a word each."""
DENSE_SHARE = 0.3
POOR, POOR_DENSE = 2.0, 0.8
"""Characters a token below which a tokenizer is strange to a language. English has about 4 with
common tokenizers, German and Russian with large vocabularies 3 to 4, Chinese 1.2 to 1.7
(derived)."""


class WordSurvey:
    """Counts words over all rows, for the life of one preview."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._counts: Counter[str] = Counter()
        self._dense = 0
        self._letters = 0

    def see(self, texts: Iterable[str]) -> None:
        """Count the words of one row."""
        for text in texts:
            self._counts.update(WORD.findall(text))
            self._dense += len(DENSE.findall(text))
            self._letters += len(text)
        if len(self._counts) > KEPT_WORDS:
            self._counts = Counter(dict(self._counts.most_common(KEPT_WORDS // 2)))

    @property
    def poor_below(self) -> float:
        """Characters a token below which the tokenizer does not suit these letters."""
        return POOR_DENSE if self._dense > DENSE_SHARE * self._letters else POOR

    def split_words(self, tokenizer: Any) -> tuple[SplitWord, ...]:
        """Words that would save most as tokens of their own, the best first."""
        frequent = [
            (word, count)
            for word, count in self._counts.most_common(LOOKED_AT)
            if count >= FEWEST_TIMES
        ]
        pieces = _count_pieces(tokenizer, [word for word, _ in frequent])
        found = [
            SplitWord(word=word, count=count, pieces=parts)
            for (word, count), parts in zip(frequent, pieces, strict=True)
            if parts >= FEWEST_PIECES
        ]
        found.sort(key=lambda one: (-one.count * (one.pieces - 1), one.word))
        taken = addable(tokenizer, [one.word for one in found])
        return tuple(one for one in found if one.word in taken)[:MOST_WORDS]


def _count_pieces(tokenizer: Any, words: Sequence[str]) -> list[int]:
    """Tokens of each word as it stands inside of a sentence, behind a space."""
    if not words:
        return []
    told = tokenizer([f" {word}" for word in words], add_special_tokens=False)
    return [len(ids) for ids in told["input_ids"]]
