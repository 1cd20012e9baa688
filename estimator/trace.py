"""What is asked of an exact trace of a training step, and what it answers: plain data.

The libraries' own step, followed on tensors that have sizes and no numbers, tells a card's peak to
a thousandth where formulas are off by hundredths. It needs torch, so it happens in the worker's
interpreter (`engine/worker/trace`); the engine asks for it and `estimate()` takes the answer as
data.
"""

import hashlib
import json
from dataclasses import asdict
from typing import Literal

from tailor.estimator.record import record
from tailor.estimator.stack import Head, Stream
from tailor.estimator.workload import Attention, BaseFormat, Optimizer, Technique

Numbers = Literal["fp32", "bf16", "fp16"]
Phase = Literal["weights", "forward", "backward", "optimizer", "evaluation"]
AdapterArguments = tuple[tuple[str, str | int | float | bool | None | tuple[str, ...]], ...]
Versions = tuple[tuple[str, str], ...]

PHASES: tuple[Phase, ...] = ("weights", "forward", "backward", "optimizer", "evaluation")
TRACED_LIBRARIES = ("torch", "transformers", "peft", "trl", "accelerate", "bitsandbytes")
"""Whose versions change what a step holds."""
SCHEMA = 1
"""Raised when the tracer itself counts differently, so that older answers are not used again."""


@record
class TraceRequest:
    """One training step, as far as a card's memory depends on it."""

    config: str
    """The model's config.json, as text."""
    technique: Technique
    weights: Numbers
    """In which numbers the weights that are not packed rest."""
    products: Numbers
    """In which numbers layers multiply."""
    is_autocast: bool = True
    """Products are cast by autocast, which keeps casts for the backward pass."""
    base_format: BaseFormat = "plain"
    stream: Stream = "half"
    """What was raised to fp32 beside a packed base."""
    adapter: AdapterArguments = ()
    """Arguments of LoraConfig; empty for full fine-tuning."""
    adapter_numbers: Numbers | None = None
    """None is what PEFT chooses."""
    rows: int
    """Rows of the longest micro-batch."""
    tokens: int
    """Tokens of each of its rows, filler included."""
    learned_tokens: int
    """Its tokens with a label."""
    has_padding: bool = False
    """Its rows differ in length, so attention gets a mask."""
    accumulation: int = 1
    checkpointed_layers: int | None = 0
    """Layers that are computed again in the backward pass; None is all of them."""
    is_reentrant: bool = False
    """Old kind of checkpointing."""
    optimizer: Optimizer = "adamw"
    head: Head = "tile"
    attention: Attention = "flash"
    has_fused_kernels: bool = False
    evaluation_rows: int = 1
    evaluation_tokens: int = 1
    evaluation_columns: int = 1
    """Places of an evaluation batch whose logits are made."""
    workspace_bytes: int = 0
    """What the card's libraries take once for themselves, beside all tensors."""


@record
class TraceResult:
    """Bytes that tensors of one card hold at the peak of each phase of a step."""

    ok: bool
    """False when the step could not be followed; then nothing but `reason` is told."""
    reason: str = ""
    """Why not, in plain words."""
    weights_bytes: int = 0
    """What rests before the first step."""
    forward_bytes: int = 0
    backward_bytes: int = 0
    optimizer_bytes: int = 0
    evaluation_bytes: int = 0
    operations: tuple[tuple[Phase, str], ...] = ()
    """Which operation holds the peak of each phase."""
    depths: tuple[int, ...] = ()
    """Numbers of layers that were followed; the model's own where nothing was extrapolated."""
    versions: Versions = ()
    seconds: float = 0.0
    """Time that the tracing took."""

    @property
    def peak_bytes(self) -> int:
        """The most that tensors hold at any moment of a run."""
        return max(self.of_phase(phase) for phase in PHASES)

    @property
    def peak_phase(self) -> Phase:
        """The phase of that moment, the earliest of equals."""
        return max(PHASES, key=self.of_phase)

    def of_phase(self, phase: Phase) -> int:
        """The peak of one phase."""
        return {
            "weights": self.weights_bytes,
            "forward": self.forward_bytes,
            "backward": self.backward_bytes,
            "optimizer": self.optimizer_bytes,
            "evaluation": self.evaluation_bytes,
        }[phase]


def compute_key(request: TraceRequest, versions: Versions) -> str:
    """The name under which an answer is kept: the same for the same step of the same libraries."""
    asked = asdict(request)
    # A config is the same whatever the order of its fields.
    asked["config"] = json.loads(request.config)
    told = {"schema": SCHEMA, "versions": sorted(versions), "request": asked}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
