"""Linear layers that are packed into 4 bits, as far as memory notices them.

bitsandbytes unpacks a layer whenever it is used, in the forward and again in the backward pass, and
keeps nothing but the packed weight. This does the same with weights that have no numbers, so that a
model is never really packed. `model.py` puts it in the place of a plain linear layer.
"""

from typing import Any

import torch

BLOCK = 64
"""Weights that share a scale (bitsandbytes' habit, `blocksize`)."""
NESTED_BLOCK = 256
"""Scales that share a scale of their own."""
CODE_NUMBERS = 16
NESTED_CODE_NUMBERS = 256


def _find_packed_class() -> Any:
    """The class that PEFT recognises as packed, where bitsandbytes is installed."""
    try:
        from bitsandbytes.nn import Linear4bit
    except ImportError:
        return torch.nn.Linear
    return Linear4bit


class PackedLinear(_find_packed_class()):  # type: ignore[misc]
    """A weight in half a byte, with its scales."""

    def __init__(self, linear: torch.nn.Linear, *, is_nested: bool, dtype: torch.dtype) -> None:
        """Take the place of `linear`; `dtype` is what it multiplies in."""
        torch.nn.Module.__init__(self)
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.compute_dtype = dtype
        self.bias = linear.bias
        count, device = linear.weight.numel(), linear.weight.device
        packed = torch.empty((-(-count // 2), 1), dtype=torch.uint8, device=device)
        self.weight = torch.nn.Parameter(packed, requires_grad=False)
        # What PEFT asks of a packed weight.
        self.weight.compress_statistics = is_nested
        self.weight.quant_type = "nf4"
        self.weight.quant_state = None
        for name, tensor in _scales(count, is_nested, device).items():
            self.register_buffer(name, tensor, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The product, in the numbers that went in."""
        bias = None if self.bias is None else self.bias.to(self.compute_dtype)
        shape = (self.out_features, self.in_features)
        scales = self.absmax if self.weight.compress_statistics else None
        told = _PackedProduct.apply(x.to(self.compute_dtype), self.weight, bias, shape, scales)
        return told.to(x.dtype)


def _scales(count: int, is_nested: bool, device: torch.device) -> dict[str, torch.Tensor]:
    blocks = -(-count // BLOCK)
    fp32 = {"dtype": torch.float32, "device": device}
    if not is_nested:
        return {"absmax": torch.empty(blocks, **fp32), "code": torch.empty(CODE_NUMBERS, **fp32)}
    return {
        "absmax": torch.empty(blocks, dtype=torch.uint8, device=device),
        "code": torch.empty(CODE_NUMBERS, **fp32),
        "nested_absmax": torch.empty(-(-blocks // NESTED_BLOCK), **fp32),
        "nested_code": torch.empty(NESTED_CODE_NUMBERS, **fp32),
        "offset": torch.empty((), **fp32),
    }


class _PackedProduct(torch.autograd.Function):
    """Unpacks for the moment, multiplies, and keeps the packed weight alone."""

    @staticmethod
    def forward(  # noqa: PLR0917 - autograd hands everything over by position
        ctx: Any,
        x: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        shape: tuple[int, int],
        scales: torch.Tensor | None,
    ) -> torch.Tensor:
        ctx.weight, ctx.scales, ctx.shape = weight, scales, shape
        # Packed scales are unpacked too, and are there until the product is.
        unpacked = _unpack_scales(scales)
        told = torch.nn.functional.linear(x, x.new_empty(shape), bias)
        del unpacked
        return told

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[torch.Tensor | None, ...]:
        (of_result,) = gradients
        unpacked = _unpack_scales(ctx.scales)
        weight = of_result.new_empty(ctx.shape)
        del unpacked
        return torch.matmul(of_result, weight), None, None, None, None


def _unpack_scales(scales: torch.Tensor | None) -> torch.Tensor | None:
    return None if scales is None else scales.new_empty(scales.shape, dtype=torch.float32)
