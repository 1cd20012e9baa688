"""A row as the checks see it: its example taken apart once, so that no check does it again.

Twenty checks look at every row of a large table; what several of them need (the question, the
answers, the same without case and spacing, digests) is made here on first use and kept for that
row alone. Made by `doctor` and `fixing` for each row, forgotten after it.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from tailor.engine.data.making.example import Example
from tailor.engine.data.rows_file import StoredRow
from tailor.engine.data_types import Mapping


class Row:
    """One row with its example."""

    def __init__(
        self, stored: StoredRow, example: Example, cells: dict[str, str], mapping: Mapping
    ) -> None:
        """`cells` are by column name."""
        self.id = stored.id
        self.damage = stored.damage
        self.example = example
        self.cells = cells
        self._mapping = mapping
        self.is_usable = not stored.damage and not example.left_out
        """Whether a model would learn from it."""
        turns = example.messages
        self.asked = tuple(turn.content for turn in turns[:-1])
        """All that stands before the last answer."""
        self.answer = turns[-1].content if turns else example.text
        """The last answer, the text, or the piece that fills the gap."""

    @cached_property
    def question(self) -> str:
        """The last thing that was asked; empty for text and code with a gap."""
        asked = (turn.content for turn in reversed(self.example.messages) if turn.role == "user")
        return next(asked, "")

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """Everything that is learned: every answer of the conversation, or the text."""
        turns = self.example.messages
        learned = (turn for turn in turns if turn.role == "assistant" and turn.is_learned)
        return tuple(turn.content for turn in learned) if turns else (self.example.text,)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """All texts of the row that a model would read or learn.

        An instruction that was typed for all rows is in each, and no row is to blame for it.
        """
        example = self.example
        turns = [turn.content for turn in example.messages]
        if turns and self._mapping.instruction:
            turns[0] = turns[0].removeprefix(self._mapping.instruction)
        calls = [turn.tool_calls for turn in example.messages]
        parts = (*turns, *calls, example.text, *example.rejected, example.before, example.after)
        return tuple(part for part in parts if part)

    @cached_property
    def question_words(self) -> list[str]:
        """Everything before the answer, who speaks included, without case and spacing."""
        example = self.example
        asked = [f"{turn.role}: {turn.content}" for turn in example.messages[:-1]]
        asked += [example.before, example.after, *example.pictures]
        return split_plain("\n".join(asked))

    @cached_property
    def answer_words(self) -> list[str]:
        """The last answer without case and spacing."""
        turns = self.example.messages
        calls = turns[-1].tool_calls if turns else ""
        return split_plain(f"{self.answer}\n{calls}" if calls else self.answer)

    @cached_property
    def plain_answer(self) -> str:
        """The same as one text."""
        return " ".join(self.answer_words)

    @cached_property
    def question_digest(self) -> int:
        """Equal for rows that ask the same."""
        return digest(" ".join(self.question_words))

    @cached_property
    def whole_digest(self) -> int:
        """Equal for rows that say the same."""
        rest = plain("\n".join((*self.example.rejected, self.example.rating)))
        return digest(f"{self.question_digest}\n{self.plain_answer}\n{rest}")

    @cached_property
    def subject(self) -> list[str]:
        """The words by which rows are called alike.

        Standing instructions are no part of it, nor a passage that several questions share.
        """
        mapping = self._mapping
        asked = mapping.question and self.cells[mapping.question].strip()
        if mapping.context and asked:
            return split_plain(self.cells[mapping.question]) + self.answer_words
        turns = self.example.messages
        if not turns or turns[0].role != "system":
            return self.question_words + self.answer_words
        return split_plain(" ".join(turn.content for turn in turns[1:]))


def plain(text: str) -> str:
    """A text without what does not change its meaning: case, spacing, ways to write a letter."""
    return " ".join(split_plain(text))


def split_plain(text: str) -> list[str]:
    """The words of such a text."""
    same = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return same.casefold().split()


def digest(text: str) -> int:
    """64 bits of a text, the same on every machine and in every process."""
    # Lone surrogates may come from JSON; they are kept apart, not refused.
    hashed = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(hashed.digest(), "little")


def by_name(columns: Sequence[str], stored: StoredRow) -> dict[str, str]:
    """The cells of a row by the names of their columns."""
    return dict(zip(columns, stored.cells, strict=True))
