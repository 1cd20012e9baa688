"""Words of a trade that become tokens of their own.

A word that the tokenizer cuts into seven pieces costs seven steps each time it is read or written.
Added as one token, it starts as the mean of its pieces and is then trained. The preview, training,
exam, chat and export all add words here, so that a word is the same token everywhere. No torch in
this file; `build` gives the words their vectors.
"""

import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from tailor.engine.errors import UserError
from tailor.estimator.record import record

RUNNING_SCRIPT = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of languages that write words without spaces between them."""
SENTENCES = ("{}", "A {} is here.", "({}, {})")
"""In which an added word must come back as it went in."""


@record
class AddedWord:
    """A word, and what it was before."""

    word: str
    id: int
    pieces: tuple[int, ...]
    """Tokens into which the tokenizer cut it."""


def add_words(tokenizer: Any, words: Sequence[str]) -> tuple[AddedWord, ...]:
    """Make each word a token; those that are one already stay as they are."""
    fresh = [word for word in dict.fromkeys(one.strip() for one in words) if word]
    cut = {word: tuple(_encode(tokenizer, word)) for word in fresh}
    # Many tokenizers know a word only with the space in front of it.
    wanted = [w for w in fresh if len(cut[w]) > 1 and len(_encode(tokenizer, f" {w}")) > 1]
    if not wanted:
        return ()
    _require_whole(tokenizer, wanted)
    _add(tokenizer, wanted)
    _require_unchanged(tokenizer, wanted)
    ids = tokenizer.convert_tokens_to_ids(wanted)
    return tuple(
        AddedWord(word=word, id=token, pieces=cut[word])
        for word, token in zip(wanted, ids, strict=True)
    )


def addable(tokenizer: Any, words: Sequence[str]) -> frozenset[str]:
    """The words that this tokenizer can take as tokens and give back as they were.

    Many that work on bytes spell letters outside of English wrongly in an added word. The tokenizer
    itself is left alone.
    """
    tried = deepcopy(tokenizer)
    _add(tried, words)
    return frozenset(word for word in words if _comes_back(tried, word))


def _add(tokenizer: Any, words: Sequence[str]) -> None:
    """Whole words only: inside of another word the letters keep the meaning they had."""
    from transformers import AddedToken

    tokenizer.add_tokens(
        [
            AddedToken(word, single_word=not RUNNING_SCRIPT.search(word), normalized=False)
            for word in words
        ]
    )


def _encode(tokenizer: Any, text: str) -> list[int]:
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def _require_whole(tokenizer: Any, words: Sequence[str]) -> None:
    """A token is found by its spelling, so a word that holds a space or a mark cannot be one."""
    broken = [word for word in words if len(word.split()) > 1]
    if broken:
        raise UserError(
            title="Only single words can be added",
            detail=f"“{broken[0][:60]}” is more than one word.",
            fix="Add its words one by one, or leave it out.",
        )


def _require_unchanged(tokenizer: Any, words: Sequence[str]) -> None:
    """Text must come back as it went in; some old tokenizers put spaces around added words."""
    for word in words:
        if not _comes_back(tokenizer, word):
            raise UserError(
                title="This model cannot take this word",
                detail=f"With “{word[:60]}” added its tokenizer would change the text around "
                "the word.",
                fix="Leave this word out, or choose another model.",
            )


def _comes_back(tokenizer: Any, word: str) -> bool:
    for sentence in SENTENCES:
        text = sentence.format(word, word)
        told = tokenizer.decode(_encode(tokenizer, text), clean_up_tokenization_spaces=False)
        if told.strip() != text:
            return False
    return True
