import pytest

from tailor.estimator.evaluate.lengths import (
    INSTRUCTION_ROW_TOKENS,
    RowLengths,
    build_batches,
    build_lengths,
)

REAL = RowLengths(limit_tokens=4096, is_filled=False)


def test_packed_rows_are_exactly_as_long_as_told() -> None:
    rows = RowLengths(limit_tokens=2048, is_filled=True)
    batches = build_batches(rows, 8, 2)
    assert batches.mean_tokens == batches.longest_tokens == 8 * 2048
    assert batches.rows_in_step == 16
    assert build_lengths(rows, 1600).total_tokens == 1600 * 2048


@pytest.mark.parametrize(("rows", "tokens"), [(2, 369), (4, 442), (8, 524)])
def test_padding_grows_with_the_batch_as_it_was_measured(rows: int, tokens: float) -> None:
    # Padded tokens a row of one data set of 289 tokens a row without padding.
    batches = build_batches(REAL, rows, 1)
    assert batches.mean_tokens / rows / INSTRUCTION_ROW_TOKENS == pytest.approx(
        tokens / 289, rel=0.03
    )


def test_rows_without_padding_or_of_similar_length_have_none() -> None:
    for rows in (
        RowLengths(limit_tokens=4096, is_filled=False, is_padding_free=True),
        RowLengths(limit_tokens=4096, is_filled=False, is_bucketed=True),
    ):
        assert build_batches(rows, 8, 1).padding_share == pytest.approx(0, abs=1e-9)


def test_the_heaviest_batch_without_padding_is_lighter_than_with() -> None:
    free = RowLengths(limit_tokens=4096, is_filled=False, is_padding_free=True)
    assert build_batches(free, 8, 1).longest_tokens < build_batches(REAL, 8, 1).longest_tokens


def test_no_row_is_longer_than_the_limit() -> None:
    rows = RowLengths(limit_tokens=300, is_filled=False)
    assert build_batches(rows, 4, 1).longest_row_tokens == 300
    lengths = build_lengths(rows, 10_000)
    assert lengths.longest_tokens == lengths.edges_tokens[-1] == 300
    assert lengths.rows == 10_000
    assert list(lengths.edges_tokens) == sorted(set(lengths.edges_tokens))
