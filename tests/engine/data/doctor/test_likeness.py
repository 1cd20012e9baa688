"""Which rows are called alike, against the plain definition and over many random rows."""

import random

import numpy as np
import pytest

from tailor.engine.data.doctor.likeness import ALIKE, FORM_ROWS, Likeness
from tailor.engine.data.doctor.shingles import RUN, TokenReader, Tokens, make_gapped, make_runs

WORDS = [f"word{number}" for number in range(5_000)]


def read(texts: list[str]) -> Tokens:
    reader = TokenReader()
    for text in texts:
        reader.add(text.split())
    return reader.take()


def test_words_are_told_apart_by_spaces_and_signs_stand_alone_where_there_are_none() -> None:
    tokens = read(["one two two", "", "水泵 pump漏油", "x", "ราคา"])
    assert tokens.counts.tolist() == [3, 0, 5, 1, 4]
    one, two, again = tokens.hashes[:3].tolist()
    assert two == again != one


def test_a_text_gives_the_same_numbers_in_every_company() -> None:
    alone = make_runs(read(["a b c d e f g"]))[0].tolist()
    runs, counts = make_runs(read(["x y z", "a b c d e f g", "q " * 9]))
    start = int(counts[0])
    assert runs[start : start + int(counts[1])].tolist() == alone
    assert len(alone) == 7 - RUN + 1


def test_texts_that_differ_in_one_word_share_one_number() -> None:
    texts = ["a b c d e f g h", "a b c X e f g h", "a b c d e f h g", "too short"]
    gapped, counts = make_gapped(read(texts), 8, 10)
    assert counts.tolist() == [8, 8, 8, 0]
    first, second, third = np.split(gapped, [8, 16])
    assert len(set(first.tolist()) & set(second.tolist())) == 1
    assert not set(first.tolist()) & set(third.tolist())


@pytest.mark.parametrize("changed", [1, 2, 3, 4, 5, 6, 8, 10, 15])
def test_pairs_are_alike_by_the_jaccard_of_their_runs(changed: int) -> None:
    draw = random.Random(changed)
    likeness = Likeness()
    expected = set()
    for pair in range(150):
        words = draw.sample(WORDS, 100)
        other = list(words)
        for place in draw.sample(range(100), changed):
            other[place] = draw.choice(WORDS)
        likeness.add(2 * pair, 2 * pair, words)
        likeness.add(2 * pair + 1, 2 * pair + 1, other)
        if _jaccard(words, other) >= ALIKE:
            expected.add((2 * pair, 2 * pair + 1))
    found = set(likeness.clusters())
    assert not found - expected
    assert len(found) >= len(expected) - max(2, len(expected) // 20)


def test_long_texts_are_compared_by_a_sample_of_their_runs() -> None:
    draw = random.Random(1)
    likeness = Likeness()
    for pair in range(20):
        words = draw.choices(WORDS, k=3_000)
        other = list(words)
        for place in range(0, 3_000, 100 if pair % 2 else 8):
            other[place] = "changed"
        likeness.add(2 * pair, 2 * pair, words)
        likeness.add(2 * pair + 1, 2 * pair + 1, other)
    assert set(likeness.clusters()) == {(2 * pair, 2 * pair + 1) for pair in range(1, 20, 2)}


def test_an_instruction_in_every_row_makes_no_rows_alike() -> None:
    draw = random.Random(2)
    order = draw.sample(WORDS, 60)
    likeness = Likeness()
    for number in range(100):
        likeness.add(number, number, [*order, *draw.sample(WORDS, 10)])
    assert likeness.clusters() == ()


def test_short_rows_that_differ_in_a_word_are_one_group_unless_they_are_a_form() -> None:
    likeness = Likeness()
    texts = ["how do i open an account for my daughter", "how do i open an account for my son"]
    texts += [f"please show me the price of item {letter} today" for letter in "abcdefghij"]
    for number, text in enumerate(texts):
        likeness.add(number, number, text.split())
    assert len(texts) - 2 > FORM_ROWS
    assert likeness.groups() == ((0, 1),)
    assert likeness.clusters() == ()


def test_one_changed_word_is_found_in_rows_of_every_length() -> None:
    draw = random.Random(3)
    likeness = Likeness()
    for number in range(200):
        words = draw.sample(WORDS, 20 + number)
        other = list(words)
        other[draw.randrange(len(words))] = "changed"
        likeness.add(2 * number, 2 * number, words)
        likeness.add(2 * number + 1, 2 * number + 1, other)
    assert len(likeness.clusters()) == 200


def _jaccard(one: list[str], other: list[str]) -> float:
    first, second = (
        {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)} for words in (one, other)
    )
    return len(first & second) / len(first | second)
