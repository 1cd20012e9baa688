"""What adapters keep of each token for their own backward pass.

A frozen linear layer needs nothing of its input to pass a gradient on; an adapter beside it does.
How much depends on whether the input is raised, cast, or thinned out on its way. `activations.py`
asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.workload import Workload

ALL_TARGETS = ("q", "k", "v", "o", "gate", "up", "down")
ATTENTION = ("q", "k", "v", "o")
SHARED = (("q", "k", "v"), ("gate", "up"))
"""Adapters that read the same input."""
MASK_BYTES = 1
"""Dropout keeps for each number whether it was dropped."""
DORA_BYTES = 6
"""DoRA keeps three 16-bit copies of every adapted output (seen in PEFT's comparison: 6.4)."""
CAST_STREAM_BYTES = 8
CAST_FEED_FORWARD_BYTES = 2
"""On top of a layer's backward pass where PEFT casts the input of an adapted `down`: copies of a
row's gradient on their way between the formats. Measured with torch 2.13, transformers 5.24 and
peft 0.21 on live tensors: 8 bytes of each hidden number, 2 of each feed-forward number."""


@record
class Inputs:
    """Bytes of one token that adapters of one layer keep."""

    plain: float
    """Of inputs beside the feed-forward part's own."""
    down: float
    """Of the feed-forward part's last input."""
    casting: float
    """Held on top while the feed-forward part is passed backwards."""


NOTHING = Inputs(plain=0.0, down=0.0, casting=0.0)


def compute_inputs(
    workload: Workload,
    architecture: Architecture,
    stack: Stack,
    *,
    mlp: float | None,
    is_fused: bool,
) -> Inputs:
    """What the adapters of a layer with a feed-forward part of width `mlp` keep; with None those on
    its attention alone."""
    if workload.technique == "full" or not workload.lora_rank:
        return NOTHING
    targets = workload.adapter_targets or ALL_TARGETS
    if mlp is None:
        targets, mlp = tuple(name for name in targets if name in ATTENTION), 0.0
    widths = _widths(architecture, mlp)
    plain = DORA_BYTES * _outputs(architecture, targets, mlp) if _is_dora(workload) else 0.0
    if is_fused:
        return Inputs(plain=plain + _shared_bytes(widths, targets), down=0.0, casting=0.0)
    dropped = workload.adapter_dropout > 0
    is_casting = _is_casting(workload)
    if not dropped and not is_casting:
        down = 2.0 * mlp if "down" in targets else 0.0
        return Inputs(plain=plain + _shared_bytes(widths, targets), down=down, casting=0.0)
    each = _own_copy_bytes(workload, stack, is_casting=is_casting)
    each += MASK_BYTES if dropped else 0
    plain += each * sum(widths[name] for name in _readers(architecture, targets))
    if "down" not in targets:
        return Inputs(plain=plain, down=0.0, casting=0.0)
    casting = CAST_FEED_FORWARD_BYTES * mlp + CAST_STREAM_BYTES * architecture.hidden
    return Inputs(plain=plain, down=each * mlp, casting=casting if is_casting else 0.0)


def _is_dora(workload: Workload) -> bool:
    return workload.adapter_kind == "dora"


def _is_casting(workload: Workload) -> bool:
    """PEFT 0.21 raises what enters an fp32 adapter beside a 16-bit layer; beside a packed layer it
    leaves the cast to autocast (read)."""
    return workload.technique == "lora" and workload.trainable_bytes_per_parameter >= 4


def _own_copy_bytes(workload: Workload, stack: Stack, *, is_casting: bool) -> float:
    """Of one input number that every adapter keeps for itself: 16 bits under autocast."""
    is_autocast = stack.is_autocast or workload.is_autocast or not is_casting
    return 2.0 if is_autocast else 4.0


def _readers(architecture: Architecture, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Adapters with an input of their own; a joined layer has one for all its parts."""
    joined: set[str] = set()
    if architecture.has_joined_attention:
        joined.update(sorted(name for name in targets if name in SHARED[0])[1:])
    if architecture.has_joined_mlp:
        joined.update(sorted(name for name in targets if name in SHARED[1])[1:])
    return tuple(name for name in targets if name != "down" and name not in joined)


def _widths(architecture: Architecture, mlp: float) -> dict[str, float]:
    hidden = float(architecture.hidden)
    return {
        "q": hidden, "k": hidden, "v": hidden, "o": float(architecture.attention_width),
        "gate": hidden if architecture.is_gated_mlp else 0.0, "up": hidden, "down": mlp,
    }  # fmt: skip


def _outputs(architecture: Architecture, targets: tuple[str, ...], mlp: float) -> float:
    narrow = float(architecture.kv_width)
    outputs = {
        "q": float(architecture.attention_width), "k": narrow, "v": narrow,
        "o": float(architecture.hidden), "gate": mlp if architecture.is_gated_mlp else 0.0,
        "up": mlp, "down": float(architecture.hidden),
    }  # fmt: skip
    return sum(outputs.get(name, 0.0) for name in targets)


def _shared_bytes(widths: dict[str, float], targets: tuple[str, ...]) -> float:
    """One 16-bit input for those that read the same; attention's result is kept anyway."""
    groups = (group for group in SHARED if any(name in targets for name in group))
    return 2.0 * sum(max(widths[name] for name in group) for group in groups)
