"""A plan that fits is shown what its room is good for, and nothing that might not fit."""

from tailor.estimator.estimate import estimate
from tailor.estimator.search import nearest_fitting
from tailor.estimator.search.feeding import count_checkpointed


def kinds(suggestion):
    return {move.kind for move in suggestion.moves}


def test_layers_need_not_be_computed_twice_where_there_is_room(models, machine, qlora):
    asked = qlora(micro_batch_rows=1, accumulation=16, is_checkpointing_activations=True)
    found = nearest_fitting(asked, models["8B"], machine())
    assert found
    assert all(one.is_improvement and one.estimate.verdict == "fits" for one in found)
    quicker = next(one for one in found if kinds(one) <= {"checkpointing", "micro_batch"})
    assert count_checkpointed(quicker.workload, 32) < 32
    assert quicker.estimate.seconds.likely < asked_seconds(asked, models, machine)
    assert "less time" in quicker.gives_up


def asked_seconds(asked, models, machine):
    model = models["8B"]
    return estimate(asked, model, machine(), weights_bytes=2 * model.parameters).seconds.likely


def test_a_packed_base_may_be_unpacked_where_there_is_room(models, machine, qlora):
    asked = qlora(micro_batch_rows=1, accumulation=16, is_checkpointing_activations=True)
    found = nearest_fitting(asked, models["8B"], machine())
    unpacked = next(one for one in found if "base_format" in kinds(one))
    assert unpacked.workload.technique == "lora"
    assert unpacked.workload.weight_bytes_per_parameter == 2.0
    assert "16 bits instead of 4" in unpacked.words


def test_a_model_that_fits_each_card_need_not_be_split(models, machine, qlora, two_cards):
    asked = qlora(
        **two_cards(
            sharding="fsdp", micro_batch_rows=1, accumulation=8, is_checkpointing_activations=True
        )
    )
    found = nearest_fitting(asked, models["8B"], machine(2))
    whole = next(one for one in found if "sharding" in kinds(one))
    assert whole.workload.sharding == "ddp"
    assert whole.workload.cards == 2
    assert "less time" in whole.gives_up


def test_rows_that_are_cut_could_stay_whole(models, machine, qlora, rows):
    asked = qlora(
        max_length_tokens=512, lengths=rows(3_000, 2_000), micro_batch_rows=1, accumulation=4
    )
    found = nearest_fitting(asked, models["8B"], machine())
    longer = next(one for one in found if "max_length" in kinds(one))
    assert longer.workload.max_length_tokens == 2_000
    assert "None of your rows is cut." in longer.gives_up


def test_a_plan_without_anything_to_win_gets_no_other(models, machine, lora):
    asked = lora(micro_batch_rows=16, accumulation=1, max_length_tokens=2_048)
    best = nearest_fitting(asked, models["small"], machine())
    for one in best:
        again = nearest_fitting(one.workload, models["small"], machine())
        assert all(other.workload != asked for other in again)


def test_frozen_pieces_stay_as_they_are(models, machine, qlora):
    asked = qlora(micro_batch_rows=1, accumulation=16, is_checkpointing_activations=True)
    found = nearest_fitting(
        asked, models["8B"], machine(), frozen=("micro_batch_rows", "is_checkpointing_activations")
    )
    for one in found:
        assert one.workload.micro_batch_rows == 1
        assert one.workload.is_checkpointing_activations
