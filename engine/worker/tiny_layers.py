"""Blocks of a language model so small that only starting their kernels takes time.

A fast card waits for the processor that feeds it when a step is short; how long a layer takes to
start depends on that processor alone. These blocks have the operations of an eager Llama block, and
next to no work. `measure.py` times them.
"""

import torch
from torch import nn

TINY_LAYERS = 8
WIDTH, HEADS, LENGTH = 64, 4, 16


class TinyBlock(nn.Module):
    """Norm, attention with rotary positions, norm, gated feed-forward part."""

    def __init__(self) -> None:
        """All linear layers; one weight serves both norms."""
        super().__init__()
        self.scale = nn.Parameter(torch.ones(WIDTH))
        self.query, self.key, self.value, self.back = (
            nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4)
        )
        self.gate, self.up = (nn.Linear(WIDTH, 2 * WIDTH, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """One block."""
        seen = self._norm(rows)
        queries, keys, values = (
            part(seen).view(1, LENGTH, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        attended = nn.functional.scaled_dot_product_attention(
            _turn(queries), _turn(keys), values, is_causal=True
        )
        rows = rows + self.back(attended.transpose(1, 2).reshape(1, LENGTH, WIDTH))
        seen = self._norm(rows)
        return rows + self.down(nn.functional.silu(self.gate(seen)) * self.up(seen))

    def _norm(self, rows: torch.Tensor) -> torch.Tensor:
        wide = rows.to(torch.float32)
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.scale * wide.to(rows.dtype)


def build_tiny_layers(device: torch.device) -> tuple[nn.Module, torch.Tensor]:
    """The blocks and rows for them."""
    dtype = torch.float16 if device.type == "cuda" else torch.float32
    layers = nn.Sequential(*(TinyBlock() for _ in range(TINY_LAYERS))).to(device, dtype)
    return layers, torch.ones(1, LENGTH, WIDTH, device=device, dtype=dtype)


def _turn(heads: torch.Tensor) -> torch.Tensor:
    """Rotary positions: half of each head is turned against the other."""
    half = heads.shape[-1] // 2
    turned = torch.cat((-heads[..., half:], heads[..., :half]), dim=-1)
    return heads * 0.8 + turned * 0.6
