"""What a library stack does that memory and speed notice: its loss, its optimizer, its upcasts.

The same model with the same knobs needs half or twice the memory in another library, because of how
its loss treats the logits. Tailor's own stack is `TAILOR`; others are told apart so that public
measurements, and machines that run something else, can be predicted. `memory/` reads the fields.
"""

import csv
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Literal

from tailor.estimator.architecture import Architecture
from tailor.estimator.record import record
from tailor.estimator.workload import BaseFormat, Optimizer

Head = Literal["logits", "tile", "linear"]
"""All logits at once; a tile of them as in Tailor; a slice of the rows at a time (Liger, CCE)."""
Layers = Literal["eager", "fused_norms", "fused"]
"""Plain modules; norms in kernels; norms, adapters and the feed-forward part in kernels."""
Stream = Literal["half", "norms", "all"]
"""What is raised to fp32 when a base is quantised: nothing; norms, and with them the numbers that
flow through the layers; embeddings and head as well."""
ALWAYS_FUSED = frozenset(
    ("granitemoe", "granitemoeshared", "granitemoehybrid", "gpt_oss", "llama4", "llama4_text",
     "dbrx")
)  # fmt: skip
"""Families whose experts lay in one tensor before transformers 5 already (read)."""


@record
class Stack:
    """Habits of one library stack."""

    id: str
    head: Head
    logit_bytes: float = 0.0
    """Bytes a logit at the peak of the loss; only where `head` is `logits`."""
    layers: Layers = "eager"
    stream: Stream = "half"
    optimizer: Optimizer = "adamw"
    """What a plain "AdamW" means there."""
    is_checkpointing: bool | None = None
    """Its default; None where it has none."""
    is_autocast: bool = True
    """Products in 16 bits by autocast; without it PEFT raises what goes into an fp32 adapter."""
    is_reentrant: bool = False
    """Old kind of checkpointing; under FSDP with a frozen base it keeps every layer's input, and
    its gradient, until the backward pass is over."""
    is_offloading_activations: bool = False
    adapter_bytes: float = 4.0
    """Of one adapter weight."""
    adapter_rank: int = 8
    """Its default."""
    adapter_targets: tuple[str, ...] = ()
    """Linear layers that get an adapter by default; empty is all of them."""
    has_own_loss: bool = False
    """The loss is the model family's own code; some families leave their logits in 16 bits."""
    has_apart_experts: bool = False
    """Experts are linear layers of their own, as before transformers 5."""
    reserve_share: float = 0.10
    """What the allocator keeps beyond what is allocated, of what comes and goes in a step."""
    is_assumed: bool = False
    """No row fits the name, so the plain Hugging Face loss is taken."""

    @property
    def is_own(self) -> bool:
        """Whether this is what Tailor itself runs."""
        return self.head == "tile"


TAILOR = Stack(id="tailor", head="tile", is_checkpointing=False, reserve_share=0.03)
"""TRL 1.16 as Tailor's recipes set it: a fused head, a fused optimizer, expandable segments."""


def find_stack(framework: str, notes: str = "") -> Stack:
    """The stack behind a framework's name: the first row of `stacks.csv` that fits, where a row may
    ask for words in the notes as well."""
    for pattern, words, stack in _table():
        if pattern.search(framework) and words.search(notes):
            return stack
    raise ValueError("stacks.csv has no last row that fits every name")


def arrange_experts(
    architecture: Architecture, stack: Stack, base_format: BaseFormat
) -> Architecture:
    """The same model with its experts as this stack lays them; GPTQ files pack linear layers, so
    there they are always apart."""
    is_apart = stack.has_apart_experts and architecture.model_type not in ALWAYS_FUSED
    if not architecture.expert_layers or not (is_apart or base_format == "gptq"):
        return architecture
    return replace(architecture, has_fused_experts=False)


@cache
def _table() -> tuple[tuple[re.Pattern[str], re.Pattern[str], Stack], ...]:
    text = files("tailor.estimator").joinpath("stacks.csv").read_text("utf-8")
    return tuple(
        (
            re.compile(row["pattern"], re.IGNORECASE),
            re.compile(row["notes"], re.IGNORECASE),
            _read(row),
        )
        for row in csv.DictReader(text.splitlines())
    )


def _read(row: dict[str, str]) -> Stack:
    return Stack(
        id=row["id"],
        head=row["head"],  # type: ignore[arg-type]  # a test reads every row against the words
        logit_bytes=float(row["logit_bytes"] or 0),
        layers=row["layers"],  # type: ignore[arg-type]
        stream=row["stream"],  # type: ignore[arg-type]
        optimizer=row["optimizer"],  # type: ignore[arg-type]
        is_checkpointing={"yes": True, "no": False, "": None}[row["is_checkpointing"]],
        is_autocast=row["is_autocast"] == "yes",
        is_reentrant=row["is_reentrant"] == "yes",
        is_offloading_activations=row["is_offloading_activations"] == "yes",
        adapter_bytes=float(row["adapter_bytes"]),
        adapter_rank=int(row["adapter_rank"]),
        adapter_targets=tuple(row["adapter_targets"].split()),
        has_own_loss=row["has_own_loss"] == "yes",
        has_apart_experts=row["has_apart_experts"] == "yes",
        reserve_share=float(row["reserve_share"]),
        is_assumed=row["id"] == "assumed",
    )
