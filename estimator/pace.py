"""How fast a machine really goes: sustained FLOP/s, launch cost, memory bandwidth, each with a
range.

The maker's figure is never reached. What share is, depends on the device, and how sure that share
is decides how wide a promise must be. `throughput.py` divides a run's work by these numbers.
"""

from tailor.estimator.hardware import Card, DeviceKind, HardwareSpec
from tailor.estimator.record import record

Triple = tuple[float, float, float]
"""Low, likely, high."""

CPU_FLOPS_PER_CORE = 45e9
"""fp32 on an AVX2 core: 106e9 measured on two; used when the processor was not measured."""
CPU_SHARE: Triple = (0.30, 0.62, 0.90)
"""Share of the large matrix product that LoRA reaches: .73 measured on two AVX2 cores (125 tokens/s
of 512-token steps at 106e9), .61 on two AVX-512 cores; other programs take from it."""
CPU_HALF_GAIN: Triple = (0.8, 1.3, 2.5)
"""bf16 against fp32 on a processor with bf16 instructions: 1.0 to 1.8 measured on 768 and 2048
tokens."""
CPU_WITHOUT_HALF = 0.01
"""bf16 products without bf16 instructions: 1e9 against 106e9 FLOP/s measured."""
CPU_BANDWIDTH = 15e9
"""Bytes a second that two cores read from memory; dual-channel desktops have 40e9 and more."""

CUDA_SHARE: Triple = (0.31, 0.45, 0.60)
"""Plain kernels on an unknown card ±30 %; 220 public A100 rows have medians of .43 to .55."""
UNKNOWN_CARD_FLOPS: Triple = (8e12, 25e12, 100e12)
UNKNOWN_CARD_BANDWIDTH = 300e9
MPS_FLOPS: Triple = (1.5e12, 4e12, 15e12)
"""fp32 FLOP/s of Apple's chips from M1 to the Max kinds; not measured by us."""
MPS_SHARE: Triple = (0.15, 0.35, 0.60)
MPS_BANDWIDTH = 100e9

LAUNCH_SECONDS: dict[DeviceKind, float] = {
    # Forward and backward of one block in eager mode; cards: ~5 ms seen on A100 hosts with
    # checkpointing. On a processor it stands beside the work, on a card it hides behind it.
    "cpu": 0.0015,
    "cuda": 0.004,
    "mps": 0.006,
}
DECODE_SECONDS = 0.001
"""A block's cost of one generated token beside reading its weights (measured: 30 blocks, 53 ms a
token, of which 27 are memory)."""
HOST_RANGE: Triple = (2.0, 1.0, 0.5)
"""Launching and decoding hang on one core of the computer around the device, whatever it is."""
START_SECONDS: dict[DeviceKind, Triple] = {
    # Importing torch, transformers, peft and trl: 6.6 s measured on two idle cores.
    "cpu": (6, 10, 30),
    "cuda": (8, 15, 40),
    "mps": (6, 10, 30),
}


@record
class Pace:
    """What a device sustains."""

    device: DeviceKind
    flops_per_second: Triple
    """Slow, likely, fast."""
    bandwidth_bytes_per_second: float
    launch_seconds: Triple
    """Of one block, forward and backward; slow, likely, fast."""
    decode_seconds: Triple
    """Of one block and one generated token, beside reading its weights; slow, likely, fast."""
    start_seconds: Triple
    assumed: tuple[str, ...]
    """What had to be guessed, in words."""


def compute_pace(hardware: HardwareSpec, *, is_half: bool) -> Pace:
    """The pace of the device that a run uses here; `is_half` says that products are in 16 bits."""
    if not hardware.cards:
        return _processor_pace(hardware, is_half=is_half)
    card = hardware.cards[0]
    return _apple_pace(card) if card.kind == "mps" else _card_pace(card)


def _processor_pace(hardware: HardwareSpec, *, is_half: bool) -> Pace:
    assumed = []
    peak = hardware.cpu_flops_per_second
    if peak is None:
        peak = CPU_FLOPS_PER_CORE * hardware.cpu_cores
        assumed.append("The speed of this processor is assumed; it has not been measured yet.")
    gain: Triple = (1.0, 1.0, 1.0)
    if is_half and hardware.cpu_has_bf16:
        gain = CPU_HALF_GAIN
    elif is_half:
        gain = (CPU_WITHOUT_HALF,) * 3
    low, likely, high = (peak * share * more for share, more in zip(CPU_SHARE, gain, strict=True))
    return Pace(
        device="cpu",
        flops_per_second=(low, likely, high),
        bandwidth_bytes_per_second=CPU_BANDWIDTH,
        launch_seconds=_scaled(LAUNCH_SECONDS["cpu"]),
        decode_seconds=_scaled(DECODE_SECONDS),
        start_seconds=START_SECONDS["cpu"],
        assumed=tuple(assumed),
    )


def _card_pace(card: Card) -> Pace:
    assumed = []
    peak = UNKNOWN_CARD_FLOPS
    if card.flops_per_second is not None:
        peak = (card.flops_per_second,) * 3
    else:
        assumed.append(f"The speed of {card.name} is assumed; it is not in our table of cards.")
    return Pace(
        device="cuda",
        flops_per_second=_times(peak, CUDA_SHARE),
        bandwidth_bytes_per_second=card.bandwidth_bytes_per_second or UNKNOWN_CARD_BANDWIDTH,
        launch_seconds=_scaled(LAUNCH_SECONDS["cuda"]),
        decode_seconds=_scaled(DECODE_SECONDS),
        start_seconds=START_SECONDS["cuda"],
        assumed=tuple(assumed),
    )


def _apple_pace(card: Card) -> Pace:
    peak = MPS_FLOPS if card.flops_per_second is None else (card.flops_per_second,) * 3
    return Pace(
        device="mps",
        flops_per_second=_times(peak, MPS_SHARE),
        bandwidth_bytes_per_second=card.bandwidth_bytes_per_second or MPS_BANDWIDTH,
        launch_seconds=_scaled(LAUNCH_SECONDS["mps"]),
        decode_seconds=_scaled(DECODE_SECONDS),
        start_seconds=START_SECONDS["mps"],
        assumed=(f"The speed of {card.name} is assumed; Apple does not tell it.",),
    )


def _scaled(seconds: float) -> Triple:
    return _times((seconds, seconds, seconds), HOST_RANGE)


def _times(peak: Triple, share: Triple) -> Triple:
    return (peak[0] * share[0], peak[1] * share[1], peak[2] * share[2])
