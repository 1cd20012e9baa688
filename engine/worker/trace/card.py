"""Makes the processor's torch take the decisions that it takes on a card.

A trace runs on a processor, where tensors that claim to be on a card end the process (measured with
torch 2.13). Libraries and torch itself choose by the device: which attention, which autocast,
whether autocast is on at all. The few choices that change memory are taken as for a card in here,
and only while the trace runs.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from tailor.engine.worker.trace.attention import attend

HALVES = (torch.bfloat16, torch.float16)
FP32_FUNCTIONS = frozenset(
    ("__pow__", "__rdiv__", "__rpow__", "acos", "asin", "cosh", "cumprod", "cumsum", "dist", "exp",
     "expm1", "group_norm", "layer_norm", "log", "log10", "log1p", "log2", "log_softmax",
     "mse_loss", "nll_loss", "norm", "pow", "prod", "reciprocal", "rsqrt", "sinh",
     "smooth_l1_loss", "softmax", "softplus", "sum", "tan")
)  # fmt: skip
"""Functions that autocast computes in fp32 on a card and leaves alone on a processor (torch's
documentation of autocast, "CUDA Ops that can autocast to float32")."""
AUTOCAST_QUESTIONS = ("is_autocast_enabled", "get_autocast_dtype")


class CardFunctions(TorchFunctionMode):
    """Functions of torch as a card has them.

    torch leaves such a mode during the backward pass; `compute_again_as_on_a_card` brings it back
    for layers that are computed again there.
    """

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Another attention; fp32 where a card's autocast wants it."""
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "scaled_dot_product_attention":
            return attend(*_cast_alike(args), **_cast_alike_named(kwargs))
        if name == "dropout":
            return _drop_out(*args, **kwargs)
        if name in ("softmax", "log_softmax") and _raises_half(args, kwargs):
            return _raise_in_one_pass(name, args, kwargs)
        if name in FP32_FUNCTIONS and torch.is_autocast_enabled("cpu"):
            args = tuple(_to_fp32(one) for one in args)
            kwargs = {key: _to_fp32(one) for key, one in kwargs.items()}
        return func(*args, **kwargs)


def _drop_out(
    input: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> torch.Tensor:
    """A card keeps one byte a number of what was left out, a processor a number."""
    if not training or p == 0:
        return input
    told: torch.Tensor = torch.native_dropout(input, p, True)[0]
    return told


def _to_fp32(told: Any) -> Any:
    return told.float() if isinstance(told, torch.Tensor) and told.dtype in HALVES else told


def _cast_alike(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Autocast gives attention all its numbers in one kind."""
    if not torch.is_autocast_enabled("cpu"):
        return args
    dtype = torch.get_autocast_dtype("cpu")
    return tuple(
        one.to(dtype) if isinstance(one, torch.Tensor) and one.dtype == torch.float32 else one
        for one in args
    )


def _cast_alike_named(kwargs: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(kwargs, _cast_alike(tuple(kwargs.values())), strict=True))


def _raises_half(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return kwargs.get("dtype") == torch.float32 and args[0].dtype in HALVES


def _raise_in_one_pass(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> torch.Tensor:
    """On a card a softmax reads 16 bits and writes fp32, without an fp32 copy of what it reads."""
    dim = kwargs["dim"] if "dim" in kwargs else args[1]
    told: torch.Tensor = getattr(torch, f"_{name}")(args[0], dim, True)
    return told


def compute_again_as_on_a_card(model: Any) -> None:
    """Let layers that are computed again in the backward pass find a card there too."""
    for module in model.modules():
        checkpoint = vars(module).get("_gradient_checkpointing_func")
        if checkpoint is not None:
            module._gradient_checkpointing_func = _entering(checkpoint)


def _entering(checkpoint: Callable[..., Any]) -> Callable[..., Any]:
    def of_layer(layer: Callable[..., Any], *args: Any) -> Any:
        def forward(*given: Any) -> Any:
            with CardFunctions():
                return layer(*given)

        return checkpoint(forward, *args)

    return of_layer


@contextmanager
def as_on_a_card() -> Iterator[None]:
    """Within, torch answers as on a card; afterwards it is what it was."""
    with ExitStack() as stack:
        for name in AUTOCAST_QUESTIONS:
            stack.enter_context(_asked_of_the_processor(name))
        stack.enter_context(CardFunctions())
        yield


@contextmanager
def _asked_of_the_processor(name: str) -> Iterator[None]:
    """Whoever asks torch about a card's autocast hears about the processor's."""
    asked = getattr(torch, name)

    def answer(device_type: str = "cuda") -> Any:
        return asked("cpu" if device_type == "cuda" else device_type)

    setattr(torch, name, answer)
    try:
        yield
    finally:
        setattr(torch, name, asked)
