"""Kernels for state spaces that libraries take on a card and that a trace would not see.

Without them transformers runs plain torch on a card as on a processor, and the trace is exact.
Where one is installed a card holds something else, so such a model is left to the formulas.
`tracer.py` asks.
"""

from importlib.util import find_spec
from typing import Any

from tailor.engine.worker.trace.refusal import CannotTraceError

PACKAGES = ("mamba_ssm", "causal_conv1d", "fla")
PARTS = ("Mamba", "DeltaNet", "ShortConv", "Mixer")
"""Names of the parts that use them (transformers 5.24, read)."""


def refuse_hidden_kernels(model: Any) -> None:
    """Raise in words where such a kernel would run."""
    installed = [name for name in PACKAGES if find_spec(name) is not None]
    if not installed:
        return
    for module in model.modules():
        if any(part in type(module).__name__ for part in PARTS):
            raise CannotTraceError(
                f"This model computes with {installed[0]} on a card, which cannot be followed."
            )
