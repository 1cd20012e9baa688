"""A computer without a card keeps its own, measured formulas."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import DeviceKind
from tailor.estimator.memory.parts import Memory
from tailor.estimator.memory.peak import compute_memory
from tailor.estimator.workload import Workload, compute_batches

Ask = Callable[..., Workload]


def on(device: DeviceKind, workload: Workload, shape: Architecture) -> Memory:
    return compute_memory(workload, shape, compute_batches(workload), device, weights_bytes=0)


def test_a_processor_has_no_context_and_tells_one_number_for_the_whole_process(
    ask: Ask, tiny: Architecture
) -> None:
    told = on("cpu", ask(weight_bytes_per_parameter=4.0), tiny)
    assert told.allocated == told.context == told.host_bytes == 0
    assert told.likely > 1.6e9


def test_pairs_of_answers_are_twice_the_rows(ask: Ask, tiny: Architecture) -> None:
    one, pairs = on("cpu", ask(), tiny), on("cpu", ask(objective="dpo"), tiny)
    assert pairs.activations == pytest.approx(2 * one.activations, rel=1e-6)
    assert pairs.loss == pytest.approx(2 * one.loss, rel=1e-6)


def test_a_reference_is_held_beside_the_model(ask: Ask, tiny: Architecture) -> None:
    pairs = ask(objective="dpo")
    copied = on("mps", replace(pairs, has_reference_copy=True), tiny)
    assert copied.weights - on("mps", pairs, tiny).weights == 2 * tiny.parameters
