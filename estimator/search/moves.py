"""What can be changed about a plan, sorted by the harm that it does.

A structure is one combination of everything that is either done or not: attention, optimizer, base,
how cards share, whether an adapter learns. How rows are fed and where they are cut have many steps
and are chosen for each structure. What a person has fixed never moves, and the number of cards
never does. `nearest.py` tries the structures in their order.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import product

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.estimator.search.feeding import list_micro_rows, with_checkpointing
from tailor.estimator.workload import Sharding, Workload

NO_HARM, SLOWER, SMALLER_PIECES, COARSER_NOTES, PACKED, OTHER_SHARING, SHORTER, ADAPTER = range(8)
SMALLER_MODEL = 8
GRAVEST = ADAPTER
"""Of the moves that keep the model."""
MORE = 0.5
"""A second step of the same kind is that much graver."""

ADAPTER_RANK = 16
"""Rank of an adapter that takes the place of learning as a whole: the recipes' middle strength."""
NF4_BYTES = 0.516
"""4 bits a weight and the twice quantised scales of each 64 (0.127 bits)."""
HALF_BYTES = 2.0
FP32_BYTES = 4.0
SHORTEST_TOKENS = 256
"""Below this a limit on rows leaves no room for a question with its answer."""
LIMIT_STEPS = tuple(
    sorted({1 << power for power in range(8, 18)} | {3 << power for power in range(7, 16)})
)
"""Limits that people use, and the middle between each two: 256, 384, 512, 768, ..."""

Step = tuple[float, Workload]
"""Harm, and the workload after it."""


@record
class Structure:
    """One combination of what is either done or not."""

    workload: Workload
    worst: int
    """The harm of its gravest move."""
    harms: float
    """All of them together."""


def list_structures(
    workload: Workload, hardware: HardwareSpec, frozen: frozenset[str]
) -> tuple[Structure, ...]:
    """Every combination that keeps what is frozen, the least harm first.

    Offloaded activations belong to layers that are computed twice, so a structure with them has all
    layers computed twice until feeding chooses.
    """
    free = without_waste(workload, hardware, frozen)
    found: dict[Workload, Structure] = {}
    for technique in _techniques(free):
        for based in _bases(technique[1]):
            for stepped in product(
                _optimizers(based[1], hardware), _shardings(based[1], hardware), (False, True)
            ):
                made = _combine(based[1], *stepped, hardware=hardware)
                if made is None or not keeps(made, workload, frozen):
                    continue
                optimizer, sharding, is_offloading = stepped
                harms = (
                    technique[0], based[0], optimizer[0], sharding[0],
                    SLOWER + MORE if is_offloading else 0.0,
                )  # fmt: skip
                structure = Structure(workload=made, worst=int(max(harms)), harms=sum(harms))
                found.setdefault(made, structure)
    return tuple(sorted(found.values(), key=lambda one: (one.worst, one.harms)))


def without_waste(workload: Workload, hardware: HardwareSpec, frozen: frozenset[str]) -> Workload:
    """The same result for less: attention that keeps no square, no copies, no dropout masks."""
    has_flash = not hardware.cards or hardware.cards[0].has_bf16
    attention = workload.attention
    if attention == "eager" or (attention == "sdpa" and has_flash):
        attention = "flash" if has_flash else "sdpa"
    optimizer = "adamw" if workload.optimizer == "adamw_foreach" else workload.optimizer
    for change in (
        {"attention": attention}, {"optimizer": optimizer}, {"adapter_dropout": 0.0},
    ):  # fmt: skip
        if frozen.isdisjoint(change):
            workload = replace(workload, **change)
    return workload


def list_limits(workload: Workload, frozen: frozenset[str]) -> tuple[int, ...]:
    """Shorter limits on a row that cut something, falling."""
    if "max_length_tokens" in frozen:
        return ()
    limit = workload.max_length_tokens
    reach = limit if workload.is_packed else min(limit, workload.lengths.longest_tokens)
    below = [step for step in reversed(LIMIT_STEPS) if SHORTEST_TOKENS <= step < reach]
    if workload.is_packed:
        # Only a whole number of shorter pieces holds the same tokens.
        below = [step for step in below if limit % step == 0]
    return tuple(below)


def with_limit(workload: Workload, tokens: int) -> Workload:
    """Rows cut at so many tokens. Packed rows keep the tokens of a step, not their number."""
    if not workload.is_packed:
        return replace(workload, max_length_tokens=tokens)
    times = workload.max_length_tokens // tokens
    return replace(workload, max_length_tokens=tokens, accumulation=workload.accumulation * times)


def list_pieces(workload: Workload, frozen: frozenset[str]) -> tuple[int, ...]:
    """Rows side by side, from the present number down."""
    if not frozen.isdisjoint({"micro_batch_rows", "accumulation"}):
        return (workload.micro_batch_rows,)
    return list_micro_rows(workload, workload.micro_batch_rows)


def can_checkpoint(frozen: frozenset[str]) -> bool:
    """Whether layers may be computed twice."""
    return frozen.isdisjoint({"is_checkpointing_activations", "checkpointed_layers"})


def smallest(
    structure: Workload, architecture: Architecture, frozen: frozenset[str], worst: int
) -> Workload:
    """A structure with everything of at most this harm done that saves memory."""
    made = structure
    if worst >= SHORTER and (limits := list_limits(made, frozen)):
        made = with_limit(made, limits[-1])
    if worst >= SMALLER_PIECES:
        rows = made.micro_batch_rows * made.accumulation
        least = list_pieces(made, frozen)[-1]
        made = replace(made, micro_batch_rows=least, accumulation=rows // least)
    if worst >= SLOWER and can_checkpoint(frozen):
        made = with_checkpointing(made, architecture.layers, architecture.layers)
    return made


def check_frozen(frozen: tuple[str, ...]) -> frozenset[str]:
    """The names as a set; a name that no workload has is a mistake of the caller."""
    known = {field.name for field in fields(Workload)}
    if unknown := sorted(set(frozen) - known):
        raise ValueError(f"A workload has no {', '.join(unknown)}.")
    return frozenset(frozen)


def keeps(made: Workload, asked: Workload, frozen: frozenset[str]) -> bool:
    """Whether a plan leaves alone what a person has fixed."""
    return all(
        getattr(made, field.name) == getattr(asked, field.name)
        for field in fields(Workload)
        if field.name in frozen
    )


def _techniques(workload: Workload) -> Iterator[Step]:
    yield NO_HARM, workload
    if workload.technique == "full":
        yield (
            ADAPTER,
            replace(
                workload,
                technique="lora",
                lora_rank=workload.lora_rank or ADAPTER_RANK,
                trainable_bytes_per_parameter=FP32_BYTES,
                is_autocast=False,
                has_reference_copy=False,
            ),
        )


def _bases(workload: Workload) -> Iterator[Step]:
    yield NO_HARM, workload
    if workload.technique == "lora" and workload.base_format in ("plain", "int8"):
        yield PACKED, with_packed_base(workload)


def with_packed_base(workload: Workload) -> Workload:
    """The frozen linear layers in 4 bits; adapters beside them learn in the model's numbers."""
    computes = min(FP32_BYTES, workload.weight_bytes_per_parameter)
    return replace(
        workload,
        technique="qlora",
        base_format="nf4_double",
        weight_bytes_per_parameter=NF4_BYTES,
        # TRL 1.16 casts adapters beside a packed base to bf16; fp32 plans keep theirs.
        trainable_bytes_per_parameter=max(HALF_BYTES, computes),
    )


def _optimizers(workload: Workload, hardware: HardwareSpec) -> Iterator[Step]:
    yield NO_HARM, workload
    if hardware.device != "cuda":
        return
    if workload.optimizer in ("adamw", "adamw_foreach"):
        yield COARSER_NOTES, replace(workload, optimizer="adamw_8bit")
    if workload.optimizer in ("adamw", "adamw_foreach", "adamw_8bit"):
        yield COARSER_NOTES + MORE, replace(workload, optimizer="paged_adamw_8bit")


def _shardings(workload: Workload, hardware: HardwareSpec) -> Iterator[Step]:
    yield NO_HARM, workload
    if workload.cards < 2 or hardware.device != "cuda":
        return
    further: tuple[Sharding, ...] = ("fsdp", "fsdp_offload")
    if workload.sharding == "fsdp":
        further = ("fsdp_offload",)
    elif workload.sharding == "fsdp_offload":
        further = ()
    for place, sharding in enumerate(further):
        yield OTHER_SHARING + place * MORE, replace(workload, sharding=sharding)


def _combine(
    base: Workload,
    optimizer: Step,
    sharding: Step,
    is_offloading: bool,
    *,
    hardware: HardwareSpec,
) -> Workload | None:
    made = replace(base, optimizer=optimizer[1].optimizer, sharding=sharding[1].sharding)
    if is_offloading:
        if made.is_offloading_activations or hardware.device != "cuda":
            return None
        made = replace(
            made,
            is_offloading_activations=True,
            is_checkpointing_activations=True,
            checkpointed_layers=None,
        )
    # Paged state cannot be saved from pieces of a model (PEFT's guide to FSDP, read).
    if made.optimizer == "paged_adamw_8bit" and made.sharding in ("fsdp", "fsdp_offload"):
        return replace(made, optimizer="adamw_8bit")
    return made
