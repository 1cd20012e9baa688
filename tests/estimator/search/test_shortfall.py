"""A dead end says what is missing and what would do, with numbers that are true."""

import re
from dataclasses import replace

import pytest

from tailor.estimator.search import explain_shortfall, nearest_fitting

KEEP_LENGTH = ("max_length_tokens",)


def explain(workload, model, hardware, **changes):
    return explain_shortfall(
        workload, model, hardware, weights_bytes=2 * model.parameters, **changes
    )


def test_70b_with_64_gb_of_memory_is_told_why_not_and_what_would_do(
    models, machine, qlora, two_cards
):
    asked, model, home = qlora(**two_cards()), models["70B"], machine(2, ram_gib=64)
    assert nearest_fitting(asked, model, home, frozen=KEEP_LENGTH) == ()
    told = explain(asked, model, home, frozen=KEEP_LENGTH)
    assert "of the computer's own memory" in told.words
    assert "60.0 GB are free" in told.words
    ways = " ".join(told.would_do)
    found = re.search(r"(\d+) GB of memory in the computer would do", ways)
    assert found
    enough = machine(2, ram_gib=int(found[1]))
    assert nearest_fitting(asked, model, enough, frozen=KEEP_LENGTH)


def test_larger_cards_that_are_named_really_do(models, machine, qlora, two_cards):
    asked, model, home = qlora(**two_cards()), models["70B"], machine(2, ram_gib=64)
    told = " ".join(explain(asked, model, home, frozen=KEEP_LENGTH).would_do)
    found = re.search(r"2 cards with (\d+) GB each would do", told)
    assert found
    size = int(found[1]) * 2**30
    larger = replace(home.cards[0], memory_bytes=size, free_bytes=int(0.94 * size))
    assert nearest_fitting(asked, model, replace(home, cards=(larger,) * 2), frozen=KEEP_LENGTH)


def test_more_cards_that_are_named_really_do(models, machine, lora):
    # In 16 bits and with the technique fixed, only more cards can hold the weights.
    frozen = (*KEEP_LENGTH, "technique")
    asked, model = lora(), models["8B"]
    card = machine().cards[0]
    small = replace(card, memory_bytes=16 * 2**30, free_bytes=15 * 2**30)
    home = replace(machine(1, ram_gib=256), cards=(small,))
    assert nearest_fitting(asked, model, home, frozen=frozen) == ()
    told = " ".join(explain(asked, model, home, frozen=frozen).would_do)
    found = re.search(r"(\d) cards like this one would do", told)
    assert found
    count = int(found[1])
    shared = replace(asked, cards=count, sharding="ddp", accumulation=1)
    assert nearest_fitting(shared, model, replace(home, cards=(small,) * count), frozen=frozen)


def test_a_full_disk_is_named_as_such(models, machine, lora):
    told = explain(lora(micro_batch_rows=1), models["small"], machine(1, disk_gib=0.01))
    assert "on the disk" in told.words
    assert "more on the disk" in told.would_do[0]


def test_a_computer_without_a_card_is_told_the_memory_it_needs(models, machine, lora):
    asked = lora(weight_bytes_per_parameter=4.0)
    told = explain(asked, models["8B"], machine(0, ram_gib=16), frozen=("technique",))
    assert "this computer's memory" in told.words
    assert re.fullmatch(r"\d+ GB of memory in the computer would do\.", told.would_do[0])


@pytest.mark.parametrize("ram", [16, 64])
def test_words_have_numbers_and_end(models, machine, qlora, two_cards, ram):
    told = explain(qlora(**two_cards()), models["70B"], machine(2, ram_gib=ram))
    for sentence in (told.words, *told.would_do):
        assert sentence.endswith(".")
        assert "!" not in sentence
