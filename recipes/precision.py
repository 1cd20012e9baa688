"""In which numbers a run computes, by what the machine has instructions for.

16-bit numbers halve memory and time where the hardware has them, and cost a hundred times the time
where it does not. Every choice carries the sentence that the plan shows.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.recipes.spec import Precision


@record
class PrecisionChoice:
    """The numbers, and why."""

    precision: Precision
    words: str


def choose_precision(hardware: HardwareSpec) -> PrecisionChoice:
    """bf16 where there are instructions for it.

    Measured with SmolLM2-135M, LoRA rank 16, 8 rows of 64 tokens, torch 2.11: a processor with AMX
    did 457 tokens/s in bf16 and 275 in fp32 (2 threads). One without bf16 instructions multiplies
    matrices at 1 GFLOP/s in bf16 and 106 in fp32.
    """
    if hardware.device == "mps":
        return PrecisionChoice(
            precision="fp32",
            words="Apple's graphics trains most reliably in 32-bit numbers, so it uses these.",
        )
    if hardware.device == "cuda":
        if hardware.cards[0].has_bf16:
            return PrecisionChoice(
                precision="bf16",
                words=f"{hardware.cards[0].name} computes 16-bit numbers (bf16) at full speed: "
                "half the memory of 32 bits, and faster.",
            )
        return PrecisionChoice(
            precision="fp16",
            words=f"{hardware.cards[0].name} is too old for bf16, so it uses fp16 and watches for "
            "numbers that grow too large.",
        )
    if hardware.cpu_has_bf16:
        return PrecisionChoice(
            precision="bf16",
            words="This processor has instructions for 16-bit numbers (bf16). They were 1.7 times "
            "as fast as 32 bits in our measurement.",
        )
    return PrecisionChoice(
        precision="fp32",
        words="This processor has no instructions for 16-bit numbers, and imitating them would be "
        "about 100 times slower. It uses 32 bits.",
    )
