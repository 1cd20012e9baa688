"""Tables that were prepared for one model already: numbers where Tailor needs the text.

Such a table can be read without a fault and would teach nonsense to every other model, so it is
told in red. `read` asks here for the columns of every file, whatever its form.
"""

from collections.abc import Iterator, Sequence

from tailor.engine.findings import Finding

_TOKENS = "input_ids"
_MADE_BY_TOKENIZERS = frozenset({
    _TOKENS, "attention_mask", "labels", "token_type_ids", "position_ids", "special_tokens_mask",
    "length", "assistant_masks", "completion_mask", "seq_lengths",
})  # fmt: skip


def find_prepared(columns: Sequence[str]) -> Iterator[Finding]:
    """A finding when the table holds tokens; red when it holds nothing else."""
    if _TOKENS not in columns:
        return
    rest = [name for name in columns if name not in _MADE_BY_TOKENIZERS]
    told = "the column “input_ids” holds the numbers of one model's word pieces, not words"
    if rest:
        yield Finding(
            level="warn",
            title="A part of this table was prepared for one model",
            detail=f"It has text, but {told}.",
            fix=f"Learn from the text ({', '.join(rest[:4])}), not from “input_ids”.",
        )
    else:
        yield Finding(
            level="stop",
            title="This table was already prepared for one model",
            detail=f"Tailor needs the text: {told}. No other model can read them.",
            fix="Drop the file that this one was made from, with the questions and answers as "
            "text.",
        )
