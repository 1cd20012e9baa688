"""Pieces and layers computed twice are chosen together, by time among what fits."""

from tailor.estimator.search.feeding import (
    choose_feeding,
    count_checkpointed,
    list_micro_rows,
    with_checkpointing,
    with_micro_rows,
)

LAYERS = 32


def kept_rows(workload):
    """Rows times layers that are kept: a memory that falls with both."""
    return workload.micro_batch_rows * (LAYERS - count_checkpointed(workload, LAYERS) + 1)


def by_recomputing(workload):
    """Only recomputing costs time."""
    return 100.0 + count_checkpointed(workload, LAYERS)


def by_launching(workload):
    """Only the number of parts costs time."""
    return 100.0 * workload.accumulation


def choose(workload, room, seconds, **changes):
    return choose_feeding(
        workload,
        LAYERS,
        list_micro_rows(workload),
        fits=lambda tried: kept_rows(tried) <= room,
        seconds=seconds,
        **changes,
    )


def test_pieces_divide_a_step_evenly(lora):
    asked = lora(micro_batch_rows=4, accumulation=3)
    assert list_micro_rows(asked) == (12, 6, 4, 3, 2, 1)
    assert list_micro_rows(asked, 4) == (4, 3, 2, 1)
    for rows in list_micro_rows(asked):
        fed = with_micro_rows(asked, rows)
        assert fed.micro_batch_rows * fed.accumulation == 12


def test_where_recomputing_costs_smaller_pieces_win(lora):
    fed = choose(lora(), room=33, seconds=by_recomputing)
    assert (fed.micro_batch_rows, count_checkpointed(fed, LAYERS)) == (1, 0)


def test_where_parts_cost_larger_pieces_win(lora):
    fed = choose(lora(), room=33, seconds=by_launching)
    assert (fed.micro_batch_rows, fed.accumulation) == (16, 1)
    assert kept_rows(fed) <= 33


def test_no_more_layers_than_needed_are_computed_twice(lora):
    asked = lora(micro_batch_rows=1, accumulation=1)
    for room in range(1, 34):
        needed = LAYERS + 1 - room
        fed = choose(asked, room=room, seconds=by_recomputing)
        # In sixteenths of a model, which are two layers here.
        assert count_checkpointed(fed, LAYERS) == needed + needed % 2


def test_sixteenths_of_any_model_reach_from_none_to_all(lora):
    asked = lora(micro_batch_rows=1, accumulation=1)
    for layers in (1, 2, 7, 16, 30, 48, 61, 80, 126):
        for needed in range(layers + 1):
            fed = choose_feeding(
                asked, layers, (1,), seconds=lambda _: 1.0,
                fits=lambda tried, n=needed, of=layers: count_checkpointed(tried, of) >= n,
            )  # fmt: skip
            count = count_checkpointed(fed, layers)
            assert needed <= count < needed + max(1, layers // 16)


def test_nothing_that_fits_is_told_as_nothing(lora):
    assert choose(lora(), room=0, seconds=by_recomputing) is None


def test_what_may_not_be_computed_twice_is_only_fed_in_smaller_pieces(lora):
    fed = choose(lora(), room=70, seconds=by_launching, may_checkpoint=False)
    assert (fed.micro_batch_rows, fed.is_checkpointing_activations) == (2, False)


def test_all_none_and_some_are_written_as_the_worker_reads_them(lora):
    every, none, some = (with_checkpointing(lora(), count, LAYERS) for count in (32, 0, 12))
    assert (every.is_checkpointing_activations, every.checkpointed_layers) == (True, None)
    assert (none.is_checkpointing_activations, none.checkpointed_layers) == (False, None)
    assert (some.is_checkpointing_activations, some.checkpointed_layers) == (True, 12)
    for count, made in ((32, every), (0, none), (12, some)):
        assert count_checkpointed(made, LAYERS) == count


def test_rows_wait_elsewhere_only_while_layers_are_computed_twice(lora):
    waiting = lora(is_checkpointing_activations=True, is_offloading_activations=True)
    assert with_checkpointing(waiting, 8, LAYERS).is_offloading_activations
    assert not with_checkpointing(waiting, 0, LAYERS).is_offloading_activations
