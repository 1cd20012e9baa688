"""Words that people write for a graphics card: "8xA100-80GB", "RTX 3090 24GB (no NVLink)".

A driver prints one name, people write twenty. What they mean is the number, a letter or two, the
memory and sometimes the kind of board; the count and remarks in brackets are another matter.
`gpus.py` compares these words with those of its table.
"""

import re

from tailor.estimator.record import record

GIB = 2**30
WORDS = re.compile(r"\d+(?:\.\d+)?|[a-z]+")
MEMORY = re.compile(r"(?<![a-z\d.])(\d+(?:\.\d+)?)\s*(?:gb|gib|g)\b")
COUNT = re.compile(r"\b\d{1,2}\s*[x×*]\s*(?=[a-z\d])|(?<![a-z\d])[x×]\s*\d+\b")
"""How many cards: "8x", "x8"."""
BRACKETS = re.compile(r"\(([^)]*)\)?")
BOARD_VERSION = re.compile(r"\b(sxm)\d\b")
"""SXM4, SXM5: the generation's own, so the number says nothing new."""
MAKERS_WORDS = frozenset(("nvidia", "geforce", "tesla", "quadro", "gpu", "gpus", "amd", "dgx"))
KINDS = frozenset(("sxm", "pcie", "nvl"))
HABITUAL_KIND = "sxm"
"""Cards sold on a module and in a slot: without a word people mean the module."""
VARIANTS = frozenset(("ti", "super", "laptop", "mobile", "max", "mig"))
"""Words that make a card another card: an "RTX 4070 Ti" is no RTX 4070."""
OPTIONAL = frozenset(("rtx", "blackwell"))
"""Words of a name that people leave out."""


@record
class CardWords:
    """A card's name, taken apart."""

    name: frozenset[str]
    """Numbers and letters of the name."""
    kinds: frozenset[str]
    """On a module or in a slot, where told."""
    memory_gib: float | None

    def is_meant_by(self, asked: "CardWords") -> bool:
        """Whether somebody who wrote `asked` can mean the card that is named so."""
        if self.kinds and asked.kinds and not self.kinds & asked.kinds:
            return False
        # A variant that was written must be the card's, all else of the card must be written.
        return asked.name & VARIANTS <= self.name and self.name - OPTIONAL <= asked.name


def read_card_words(text: str) -> tuple[CardWords, ...]:
    """The words outside of brackets with the memory wherever it stands, then those of all."""
    plain = text.lower().replace("_", " ")
    outside = BRACKETS.sub(" ", plain)
    memory = MEMORY.search(outside) or MEMORY.search(plain)
    return tuple(_take_apart(part, memory) for part in (outside, plain))


def _take_apart(plain: str, memory: re.Match[str] | None) -> CardWords:
    named = BOARD_VERSION.sub(r"\1", MEMORY.sub(" ", COUNT.sub(" ", plain)))
    words = frozenset(WORDS.findall(named)) - MAKERS_WORDS
    return CardWords(
        name=words - KINDS,
        kinds=words & KINDS,
        memory_gib=float(memory[1]) if memory else None,
    )
