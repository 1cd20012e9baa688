"""Rows of a made-up file of 40 measurements, with every family, refusal and unit."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from tailor.estimator.calibration import SHIPPED
from tailor.estimator.evaluate.columns import COLUMNS, read_rows
from tailor.estimator.evaluate.families import FAMILIES
from tailor.estimator.evaluate.predict import predict
from tailor.estimator.evaluate.refused import Code, Refused
from tailor.estimator.evaluate.rows import Case, read_case, read_cases

MEASURED = Path(__file__).parent / "measured.csv"


def cases() -> list[Case]:
    return [row for row in read_cases(MEASURED) if isinstance(row, Case)]


def refused() -> list[Refused]:
    return [row for row in read_cases(MEASURED) if isinstance(row, Refused)]


def named(run: str) -> Case:
    return next(case for case in cases() if case.run == run)


def test_the_file_has_every_family_and_every_refusal() -> None:
    assert len(read_cases(MEASURED)) == 40
    assert {case.family for case in cases()} == {*FAMILIES, "oom"}
    # A value that is no number shows only when values are read, after the predictions.
    assert {row.code for row in refused()} == set(get_args(Code))


def test_a_row_becomes_the_run_that_it_tells() -> None:
    workload = named("a").workload
    assert (workload.technique, workload.lora_rank) == ("lora", 16)
    assert workload.adapter_targets == ("q", "v")
    assert (workload.micro_batch_rows, workload.max_length_tokens) == (4, 2048)
    assert workload.is_checkpointing_activations
    assert workload.optimizer == "adamw_foreach"
    assert named("a").batches.longest_tokens == 4 * 2048
    assert named("a").assumed == ()
    assert len(named("b").hardware.cards) == 2


def test_what_a_row_leaves_open_is_named() -> None:
    blank = next(case for case in cases() if case.source_group == "home/two" and not case.run)
    assert blank.workload.base_format == "nf4_double"
    assert len(blank.assumed) >= 6
    assert blank.hardware.cards[0].name == "RTX 3090"


def test_memory_given_for_all_cards_is_divided() -> None:
    assert named("c").scale == pytest.approx(1e9 / 2)


def test_the_length_of_a_run_comes_from_its_rows_and_passes() -> None:
    # 1,024 rows in batches of 4, twice.
    assert named("h1").workload.steps == 512


def test_real_rows_are_shorter_than_their_limit_and_told_apart() -> None:
    capped = named("g")
    assert capped.is_length_cap
    assert capped.batches.mean_tokens < capped.batches.longest_tokens
    assert capped.batches.padding_share > 0
    unlimited = named("i")
    assert unlimited.is_length_unknown
    assert unlimited.batches.padding_share == 0
    assert not named("a").is_length_cap


def test_a_shape_guessed_from_a_size_is_marked() -> None:
    assert named("j").is_generic
    assert not named("a").is_generic


def test_rows_of_one_run_are_grouped_by_its_name_or_by_everything_that_was_run() -> None:
    groups = Counter(case.group for case in cases())
    assert groups["lab/one:table.csv", "a"] == 12
    nameless = [case for case in cases() if case.source_group == "home/two" and not case.run]
    assert len({case.group for case in nameless}) == 2
    assert len(nameless) == 3


def test_an_unknown_card_keeps_its_memory_prediction() -> None:
    codes = {row.words for row in refused() if row.code == "unknown_card"}
    assert codes
    assert all(row.metric == "samples_per_s" for row in refused() if "_card" in row.code)


ODD_WORDS = (
    "", "none", "nan", "NaN", "-1", "0", "1e400", "1e9", "4-8", "auto", "?", "8x A100 80GB", "TP=2",
    "bf16-mixed", "paged_adamw_8bit", "unsloth", "dpo", "4bit", "aqlm 2bit", "qlora", "\u00e9\u4e2d",
    "peak_mem_alloc", "train_time_s", "it/s", "True", "selective", "r=0; targets=[]; max_steps=0",
)  # fmt: skip


@pytest.mark.parametrize("column", sorted({*COLUMNS} - {"value"}))
def test_odd_words_in_any_column_are_predicted_or_refused_but_never_stop_the_file(
    column: str,
) -> None:
    for row in read_rows(MEASURED)[:18:4]:
        for words in ODD_WORDS:
            case = read_case(replace(row, **{column: words}))
            if isinstance(case, Refused):
                assert case.words
            else:
                assert predict(case, SHIPPED).value > 0


def test_cards_are_counted_in_words_where_no_number_is_told() -> None:
    row = next(row for row in read_rows(MEASURED) if "run=b" in row.notes)
    case = read_case(replace(row, hardware="4x A100 80GB", num_gpus=""))
    assert isinstance(case, Case)
    assert len(case.hardware.cards) == case.workload.cards == 4
