"""How much the model may write to one exam question: room for a right answer, not for a novel.

The untouched model often does not stop by itself, and every exam question is answered eleven times,
so this number decides what the exam costs.
"""

from tailor.recipes.spec import RunSpec

BYTES_PER_TOKEN = 2.0
"""Careful: English has about 4 bytes a token, forms and codes 2 to 3, Chinese 3."""
ROOM = 1.25
FEWEST_TOKENS, MOST_TOKENS = 16, 256


def compute_max_new_tokens(spec: RunSpec) -> int:
    """Tokens of the longest expected answer and a quarter more."""
    longest_bytes = max((len(question.expected.encode()) for question in spec.exam), default=0)
    rows = max(1, spec.dataset.lengths.rows)
    typical = 2 * spec.dataset.lengths.learned_tokens / rows
    wanted = ROOM * max(longest_bytes / BYTES_PER_TOKEN, 0.0 if longest_bytes else typical)
    if any(not question.expected for question in spec.exam):
        # The person's own questions have no expected answer: the rows tell how long answers are.
        wanted = max(wanted, ROOM * typical)
    return min(MOST_TOKENS, max(FEWEST_TOKENS, round(wanted)))
