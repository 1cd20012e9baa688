"""What several cards send each other in a step, and over which link.

Sharing a model between cards saves memory and costs sending. Over a slot of an older home computer
the sending can take ten times as long as the computing, so no step is predicted by computing alone.
Bytes are arithmetic; speeds are measured by the probe, else the table's nominal ones at the shares
below. `step_time.py` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.gpus import find_gpu
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

Triple = tuple[float, float, float]
"""Low, likely, high."""

LINK_SHARE: Triple = (0.60, 0.80, 0.85)
"""Of NVLink's nominal speed each way: 235 of 300 GB/s (A100) and 368 of 450 (H200) in an all-reduce
(ml-engineering)."""
SLOT_SHARE: Triple = (0.08, 0.70, 0.90)
"""Of a slot's nominal speed. Development rows on two home cards, a sharded step less one with whole
copies: nearly all of it on one board, an eighth on an older one."""
UNKNOWN_SLOT_BYTES_PER_SECOND = 15.75e9
"""PCIe 4.0 x8 or 3.0 x16 each way: two cards in a common home computer."""
HOST_SHARE: Triple = (0.30, 0.80, 0.90)
"""Of a slot's nominal speed, from pinned memory: 25 of 31.5 GB/s is common for PCIe 4.0 x16
(unverified; the probe measures it)."""
HOST_MEMORY_BYTES_PER_SECOND: Triple = (1.5e10, 4e10, 1.5e11)
"""Computers around cards: two memory channels to a server's eight."""
HOST_OPTIMIZER_BYTES = 28
"""Of each trained weight when AdamW runs on the processor: weight, gradient and two moments in fp32
are read, all but the gradient written (derived)."""
PIECE_LAUNCHES = 0.22
"""To fetch one piece of a sharded model, whatever its size, in launches of a plain layer: hooks,
waiting, a kernel of its own. Development rows of two cards with few tokens: 0.5 ms on home
computers, 1.3 ms on servers; this is 1 ms."""
ALL_PLACES = ("q", "k", "v", "o", "up", "down", "gate")
"""Linear layers of a plain block; the last where the feed-forward part has a gate."""
HALF, SINGLE = 2.0, 4.0


@record
class Links:
    """Speeds between cards and to them, low, likely, high."""

    bus_bytes_per_second: Triple
    host_to_card_bytes_per_second: Triple
    is_bus_measured: bool


@record
class Exchange:
    """What one card sends and receives."""

    gathered_bytes: float
    """Weights and gradients of a sharded model, each micro-batch."""
    reduced_bytes: float
    """Gradients and fresh weights, once a step."""
    host_bytes: float
    """Between the computer's memory and the card, each micro-batch."""
    host_optimizer_bytes: float
    """That the processor moves to update weights, once a step."""
    pieces: float
    """Pieces fetched one after the other, each micro-batch."""


def find_links(hardware: HardwareSpec) -> Links:
    """What was measured, else what the table says of the first card."""
    card = hardware.cards[0]
    known = find_gpu(card.name, card.memory_bytes)
    slot = known.slot_bytes_per_second if known else UNKNOWN_SLOT_BYTES_PER_SECOND
    bus = _times(slot, SLOT_SHARE)
    if known and known.link_bytes_per_second:
        bus = _times(known.link_bytes_per_second, LINK_SHARE)
    measured, host = hardware.bus_bytes_per_second, hardware.host_to_card_bytes_per_second
    return Links(
        bus_bytes_per_second=(measured,) * 3 if measured else bus,
        host_to_card_bytes_per_second=(host,) * 3 if host else _times(slot, HOST_SHARE),
        is_bus_measured=measured is not None,
    )


def compute_exchange(
    workload: Workload,
    architecture: Architecture,
    *,
    parameters: float,
    trained_parameters: float,
    tokens: float = 0.0,
) -> Exchange:
    """Bytes for one card of `workload.cards` and a micro-batch of `tokens`."""
    cards = workload.cards
    is_sharded = cards > 1 and workload.sharding in ("fsdp", "fsdp_offload")
    is_offloading = workload.sharding == "fsdp_offload"
    apart = (cards - 1) / cards
    weights = compute_sent_weights_bytes(workload, architecture, parameters)
    gradients = trained_parameters * min(workload.trainable_bytes_per_parameter, SINGLE)
    gathered = (2 * weights + gradients) * apart if is_sharded else 0.0
    return Exchange(
        gathered_bytes=gathered,
        reduced_bytes=0.0 if is_sharded else 2 * gradients * apart,
        # A card loads its own part twice, forward and backward, and brings its gradients home.
        host_bytes=((2 * weights + gradients) / cards if is_offloading else 0.0)
        + _activation_bytes(workload, architecture, tokens),
        host_optimizer_bytes=HOST_OPTIMIZER_BYTES * trained_parameters if is_offloading else 0.0,
        pieces=_pieces(workload, architecture) if is_sharded else 0.0,
    )


def compute_sent_weights_bytes(
    workload: Workload, architecture: Architecture, parameters: float
) -> float:
    """The model as it is sent: packed where it rests packed, else in the numbers it computes in."""
    if workload.base_format == "plain":
        return HALF * parameters if workload.is_autocast else _plain_bytes(workload) * parameters
    packed = architecture.quantised_linear_parameters
    return workload.weight_bytes_per_parameter * packed + HALF * (parameters - packed)


def _activation_bytes(workload: Workload, architecture: Architecture, tokens: float) -> float:
    """Kept layer inputs on their way out and back."""
    if not workload.is_offloading_activations:
        return 0.0
    return 2 * HALF * tokens * architecture.layers * architecture.hidden


def _plain_bytes(workload: Workload) -> float:
    return min(SINGLE, max(HALF, workload.weight_bytes_per_parameter))


def _pieces(workload: Workload, architecture: Architecture) -> float:
    """Every block, and every matrix of an adapter that is not fused: PEFT's rule for FSDP wraps
    whatever learns by itself (read: peft 0.21, `fsdp_auto_wrap_policy`)."""
    passes = 3 if workload.is_checkpointing_activations else 2
    pieces = float(architecture.layers)
    is_fused = workload.has_fused_kernels and workload.technique == "qlora"
    if not is_fused:
        pieces += 2.0 * count_adapted_places(workload, architecture) * architecture.layers
    return passes * pieces


def count_adapted_places(workload: Workload, architecture: Architecture) -> int:
    """Linear layers of a block with an adapter; methods without one have rank 0."""
    if workload.technique == "full" or not workload.lora_rank:
        return 0
    joined: dict[str, str] = {}
    if architecture.has_joined_attention:
        joined |= {"q": "qkv", "k": "qkv", "v": "qkv"}
    if architecture.has_joined_mlp:
        joined |= {"gate": "gate_up", "up": "gate_up"}
    roles = workload.adapter_targets or ALL_PLACES[: 7 if architecture.is_gated_mlp else 6]
    return len({joined.get(role, role) for role in roles})


def _times(speed: float, share: Triple) -> Triple:
    return (speed * share[0], speed * share[1], speed * share[2])
