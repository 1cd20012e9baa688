"""Rounding a joined model touches what its file keeps, and nothing else."""

import torch

from tailor.engine.worker.merge import round_weights


class Turned(torch.nn.Module):
    """A weight, and the frequencies of positions as models hold them: a buffer of no file."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 0.3]))
        self.register_buffer("inv_freq", torch.tensor([1.0, 0.3]), persistent=False)


def test_weights_are_rounded_and_buffers_stay_exact() -> None:
    model = Turned()
    round_weights(model, torch.bfloat16)
    assert model.weight.dtype == torch.bfloat16
    assert model.inv_freq.dtype == torch.float32
    assert model.float().inv_freq[1] == torch.tensor(0.3)
    assert model.weight[1] != torch.tensor(0.3)
