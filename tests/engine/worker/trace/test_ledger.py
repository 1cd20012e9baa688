"""The ledger counts what tensors hold as a card's allocator would, and forgets what is gone."""

import torch

from tailor.engine.worker.trace.ledger import START, Ledger


def test_whole_blocks_are_held_until_the_last_tensor_over_them_is_gone() -> None:
    ledger = Ledger()
    with ledger:
        first = torch.empty(100)  # 400 bytes: one block
        assert ledger.held_bytes == 512
        second = torch.empty(129)  # 516 bytes: two
        assert ledger.held_bytes == 3 * 512
        view = second[:4]
        assert ledger.held_bytes == 3 * 512
        del second
        assert ledger.held_bytes == 3 * 512
        del view, first
        assert ledger.held_bytes == 0


def test_the_peak_of_a_phase_is_told_by_the_operation_that_took_it() -> None:
    ledger = Ledger()
    with ledger:
        ledger.enter("forward")
        torch.empty(1024)
        kept = torch.zeros(2, 64)
        ledger.enter("backward")
        kept = kept @ torch.zeros(64, 512)
    assert ledger.peaks["forward"] == {
        START: 0, "aten.empty.memory_format 1024": 4096, "aten.zeros.default 2x64": 512,
    }  # fmt: skip
    assert max(ledger.peaks["backward"].values()) == 512 + 64 * 512 * 4 + 2 * 512 * 4
    assert kept.shape == (2, 512)


def test_what_autograd_keeps_is_held_and_gradients_are_told_by_their_node() -> None:
    ledger = Ledger()
    weight = torch.zeros(256, 256, requires_grad=True)
    with ledger:
        ledger.count([weight])
        ledger.enter("forward")
        loss = (weight * 2).exp().sum()
        ledger.enter("backward")
        held = ledger.held_bytes
        loss.backward()
    whole = 256 * 256 * 4
    assert held == 2 * whole + 512  # the weight, and the result of exp for its own gradient
    assert any("in ExpBackward0" in operation for operation in ledger.peaks["backward"])
    assert ledger.held_bytes == 2 * whole + 512  # the weight, its gradient, and the loss


def test_a_known_outcome_replaces_the_operation_and_is_counted() -> None:
    def answer(function: object, arguments: tuple[object, ...]) -> torch.Tensor | None:
        if function is torch.ops.aten.nonzero.default:
            return torch.empty((7, 1), dtype=torch.int64)
        return None

    ledger = Ledger(answer)
    with ledger:
        found = torch.ones(3, dtype=torch.bool).nonzero()
    assert found.shape == (7, 1)
