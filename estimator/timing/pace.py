"""How fast a machine really goes: sustained FLOP/s, launch cost, memory bandwidth, each with a
range.

The maker's figure is never reached. What share is, depends on the device, and how sure that share
is decides how wide a promise must be. `throughput.py` and `step_time.py` divide a run's work by
these numbers.
"""

from tailor.estimator.gpus import Gpu, find_gpu
from tailor.estimator.hardware import Card, DeviceKind, HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.timing.exchange import Links, find_links

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
PRODUCT_SHARE = 1.0
"""Of the maker's figure that the best large product reaches on a card that nobody measured: .87 on
an A100 SXM, and consumer cards clock above their figure."""
FLOPS_PER_WATT: dict[int, float] = {
    # By generation. A small card with a large figure is held back by its power limit: the best
    # products measured are .84e12 a watt (A100 PCIe, 300 W), 1.13e12 (H100 SXM) and 1.75e12 (B200).
    # The consumer generations are read off development rows of an RTX A5000 and an RTX 6000 Ada;
    # 7 and 12 are taken from their neighbours and not measured.
    70: 0.33e12, 75: 0.33e12, 80: 0.84e12, 86: 0.38e12, 89: 0.50e12, 90: 1.13e12,
    100: 1.75e12, 103: 1.75e12, 120: 0.45e12, 121: 0.45e12,
}  # fmt: skip
CACHE_BYTES: dict[int, float] = {
    # The makers' figures of second-level caches, by generation; cards of one generation differ by a
    # half (unverified).
    70: 6e6, 75: 5e6, 80: 40e6, 86: 6e6, 89: 72e6, 90: 50e6, 100: 126e6, 103: 126e6, 120: 96e6,
}  # fmt: skip
SINGLE_SHARES: dict[int, float] = {
    # fp32 products against 16-bit ones by the makers' figures, without TF32, which PyTorch and
    # transformers leave off: 19.5 of 312e12 on an A100, 35.6 of 71 on an RTX 3090.
    70: 1 / 8, 75: 1 / 8, 80: 1 / 16, 86: 1 / 2, 89: 1 / 2, 90: 1 / 15, 100: 1 / 28, 103: 1 / 28,
    120: 1 / 2,
}  # fmt: skip
USUAL_SINGLE_SHARE = 1 / 8
KNOWN_RANGE: Triple = (0.80, 1.0, 1.15)
"""Speed of a card whose best product was measured: how far steps of one kind lie apart there."""
FORMULA_RANGE: Triple = (0.62, 1.0, 1.30)
"""Speed of a card that is in the table by the maker's figure alone."""
UNKNOWN_RANGE: Triple = (0.45, 1.0, 2.2)
"""Speed of a card that is not in the table."""
UNKNOWN_CARD_FLOPS = 50e12
"""A common card's maker's figure; those of the table lie between 18e12 and 2250e12."""
UNKNOWN_CARD_BANDWIDTH = 300e9
MPS_FLOPS: Triple = (1.5e12, 4e12, 15e12)
"""fp32 FLOP/s of Apple's chips from M1 to the Max kinds; not measured by us."""
MPS_SHARE: Triple = (0.15, 0.35, 0.60)
MPS_BANDWIDTH = 100e9

LAUNCH_SECONDS: dict[DeviceKind, float] = {
    # Forward and backward of one block in eager mode. Cards: development rows of 1,000 tokens give
    # at most 5 ms on one kind of server and 10 ms on another; the probe measures it. On a processor
    # it stands beside the work, on a card it hides behind it.
    "cpu": 0.0015,
    "cuda": 0.0045,
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
    card: str = ""
    """Its name in the table, or the driver's."""
    peak_flops_per_second: float = 0.0
    """The maker's figure of a card that computes by parts (`step_time.py`); 0 of other devices."""
    product_flops_per_second: float = 0.0
    """Its best large product."""
    cache_bytes: float = 0.0
    """Its second-level cache; 0 where it is not known."""
    single_share: float = 1.0
    """Of its speed that is left in fp32."""
    speed_range: Triple = (1.0, 1.0, 1.0)
    """Slow, likely and fast against what is expected of it."""
    links: Links | None = None
    """To its neighbours and to the computer's memory."""


def compute_pace(hardware: HardwareSpec, *, is_half: bool) -> Pace:
    """The pace of the device that a run uses here; `is_half` says that products are in 16 bits."""
    if not hardware.cards:
        return _processor_pace(hardware, is_half=is_half)
    card = hardware.cards[0]
    return _apple_pace(card) if card.kind == "mps" else _card_pace(card, hardware)


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


def _card_pace(card: Card, hardware: HardwareSpec) -> Pace:
    assumed = []
    peak = card.flops_per_second
    known = find_gpu(card.name, card.memory_bytes)
    if peak is None:
        peak = UNKNOWN_CARD_FLOPS
        assumed.append(f"The speed of {card.name} is assumed; it is not in our table of cards.")
    product = compute_product_speed(card, peak, known)
    is_measured = card.product_flops_per_second or (known and known.measured_flops_per_second)
    spread = KNOWN_RANGE if is_measured else FORMULA_RANGE
    launch = hardware.launch_seconds or LAUNCH_SECONDS["cuda"]
    return Pace(
        device="cuda",
        flops_per_second=_times((peak, peak, peak), CUDA_SHARE),
        bandwidth_bytes_per_second=card.bandwidth_bytes_per_second or UNKNOWN_CARD_BANDWIDTH,
        launch_seconds=_scaled(launch),
        decode_seconds=_scaled(DECODE_SECONDS),
        start_seconds=START_SECONDS["cuda"],
        assumed=tuple(assumed),
        card=known.name if known else card.name,
        peak_flops_per_second=peak,
        product_flops_per_second=product,
        cache_bytes=CACHE_BYTES.get(_generation(known), 0.0) if known else 0.0,
        single_share=SINGLE_SHARES.get(_generation(known), USUAL_SINGLE_SHARE)
        if known
        else USUAL_SINGLE_SHARE,
        speed_range=spread if card.flops_per_second or is_measured else UNKNOWN_RANGE,
        links=find_links(hardware),
    )


def compute_product_speed(card: Card, peak: float, known: Gpu | None) -> float:
    """FLOP/s of the best large product: measured here, measured elsewhere, else what figure and
    power limit allow."""
    if card.product_flops_per_second:
        return card.product_flops_per_second
    if known and known.measured_flops_per_second:
        return known.measured_flops_per_second
    share = PRODUCT_SHARE * peak
    watts = card.power_watts or (known.power_watts if known else None)
    if known is None or watts is None:
        return share
    return min(share, watts * FLOPS_PER_WATT.get(_generation(known), 1e15))


def _generation(known: Gpu) -> int:
    return round(known.compute_capability * 10)


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
