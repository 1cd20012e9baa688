"""What could be taught on which machine: the rows behind the tables of other models and machines.

Each cell is planned by a recipe for the person's own rows and promised by the estimator, on this
computer or on one with other cards. A plan for several cards is shared between them in the mildest
way that fits. Pure; `plan_machine_tables` reads what it needs and draws the answer.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, ModelRecord
from tailor.estimator.calibration import SHIPPED
from tailor.estimator.gpus import GIB, GIGA, hardware_of, list_cards
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.models.model_names import Refusal, resolve
from tailor.estimator.promise import Estimate
from tailor.estimator.record import record
from tailor.estimator.verdict import RANK
from tailor.estimator.workload import Sharding
from tailor.recipes.batch import choose_batch, compute_batch_rows, with_batch
from tailor.recipes.catalog import recipes
from tailor.recipes.families.catalog import family_for
from tailor.recipes.spec import ModelSpec, TrainPlan
from tailor.ui.plan.basis import Circumstances, PlanBasis, plan_for, promise_for
from tailor.ui.text_compare import MachineText
from tailor.ui.views.machine_form import HERE, OTHER, AskedMachine, typed_card

WELL_KNOWN: Final = (
    "SmolLM2-360M", "Llama-3.2-1B", "Llama-3.2-3B", "Qwen3-4B", "Mistral-7B", "Llama-3.1-8B",
    "Qwen3-14B", "Qwen3-32B", "Llama-3-70B",
)  # fmt: skip
"""One or two of each size that people teach at home or in a lab, the smallest first."""
LARGE: Final = ("Mistral-7B", "Llama-3.1-8B", "Qwen3-14B", "Qwen3-32B", "Llama-3-70B")
HOME_CARD: Final = "RTX 3090"
HOME_RAM_GIB: Final = 128
"""What the peft documentation names for a model of 70 billion weights on two cards is 107 GB."""
HOME_DISK_GIB: Final = 2000
STORED_BYTES: Final = 2
"""Model folders hold 16-bit weights."""
USABLE_SHARE: Final = 0.95
"""Of the memory of a card that is not in the table."""
BANDWIDTH_PER_GIB: Final = 39e9
"""Memory speed of a card of which only the memory is told: an RTX 3090 has 936 GB/s for 24 GB."""
SHARINGS: Final[tuple[Sharding, ...]] = ("ddp", "fsdp", "fsdp_offload")
"""Ways to share a plan between cards, the mildest first."""


@record
class Known:
    """A model that a table has a row for."""

    spec: ModelSpec
    is_guessed: bool = False


@record
class Cell:
    """One model taught in one way on one machine."""

    estimate: Estimate
    sharding: Sharding
    recipe: str


def card_names() -> tuple[str, ...]:
    """The cards that can be asked about."""
    return tuple(gpu.name for gpu in list_cards())


def machine_for(asked: AskedMachine, here: HardwareSpec) -> HardwareSpec:
    """The computer that was asked about: this one, or this one with other cards."""
    if asked.card == HERE:
        return here
    if asked.card == OTHER:
        return replace(here, cards=(_typed_card(asked),) * asked.count)
    gpu = next(one for one in list_cards() if one.name == asked.card)
    return hardware_of(gpu, asked.count, around=here)


def home_machine(here: HardwareSpec, count: int) -> HardwareSpec:
    """A computer at home with cards of 24 GB and enough memory around them."""
    ram = HOME_RAM_GIB * GIB
    around = replace(
        here, ram_bytes=ram, ram_free_bytes=ram - 4 * GIB, disk_free_bytes=HOME_DISK_GIB * GIB
    )
    gpu = next(one for one in list_cards() if one.name == HOME_CARD)
    return hardware_of(gpu, count, around=around)


def known_models(
    basis: PlanBasis, models: tuple[ModelRecord, ...], names: tuple[str, ...] = WELL_KNOWN
) -> tuple[Known, ...]:
    """The models here first, then well-known ones of other shapes, each group by size."""
    here = [model.spec for model in models if model.spec is not None and model.is_ready]
    shapes = {_shape(one) for one in here}
    others = [find_model(basis, name).spec for name in names]
    new = [one for one in others if _shape(one) not in shapes]
    ordered = [*sorted(here, key=_size), *sorted(new, key=_size)]
    return tuple(Known(spec=spec) for spec in ordered)


def find_model(basis: PlanBasis, name: str) -> Known:
    """A public model by its name; raises in words when it is not known."""
    found = resolve(name)
    if isinstance(found, Refusal):
        raise UserError(
            title=MachineText.NO_MODEL_TITLE, detail=found.words, fix=MachineText.NO_MODEL_FIX
        )
    shape = found.architecture
    spec = replace(
        basis.model,
        id=name,
        name=name,
        path="",
        family=family_for({"model_type": shape.model_type}).id,
        architecture=shape,
        weights_bytes=STORED_BYTES * shape.parameters,
        fingerprint="",
    )
    return Known(spec=spec, is_guessed=found.is_generic)


def cells_of(
    basis: PlanBasis,
    draft: Draft,
    around: Circumstances,
    known: Known,
    *,
    is_shared: bool = True,
) -> tuple[Cell | None, ...]:
    """One model on one machine, a cell for each way to teach; on all its cards if `is_shared`."""
    other = replace(basis, model=known.spec)
    return tuple(
        work_out(other, replace(draft, recipe=recipe.id), around, is_shared=is_shared)
        for recipe in recipes()
    )


def easiest(basis: PlanBasis, draft: Draft, around: Circumstances, known: Known) -> Cell | None:
    """The quickest way that fits: with a small adapter, or with a packed model too."""
    other = replace(basis, model=known.spec)
    tried = [
        cell
        for recipe in ("sft_lora", "sft_qlora")
        if (cell := work_out(other, replace(draft, recipe=recipe), around)) is not None
    ]
    return min(tried, key=_worth) if tried else None


def work_out(
    basis: PlanBasis, draft: Draft, around: Circumstances, *, is_shared: bool = True
) -> Cell | None:
    """Plan and promise; None where this recipe cannot teach this model at all."""
    try:
        planned = plan_for(basis, draft, around)
        if not is_shared or len(around.hardware.cards) <= 1:
            sharding = planned.plan.workload.sharding
            return Cell(estimate=planned.estimate, sharding=sharding, recipe=draft.recipe)
        tried = [
            Cell(
                estimate=promise_for(basis, plan, around),
                sharding=plan.workload.sharding,
                recipe=draft.recipe,
            )
            for plan in _shared(planned.plan, basis.model, around.hardware)
        ]
    except UserError:
        return None
    return min(tried, key=_worth)


def elsewhere(around: Circumstances, hardware: HardwareSpec) -> Circumstances:
    """The same prices on another machine, of which nothing was learned yet."""
    if hardware == around.hardware:
        return around
    return replace(around, hardware=hardware, calibration=SHIPPED)


def _shared(plan: TrainPlan, model: ModelSpec, hardware: HardwareSpec) -> Iterator[TrainPlan]:
    """The recipe's plan, which is for one card, shared between all; the rows of a step are kept as
    closely as the cards allow."""
    workload, count = plan.workload, len(hardware.cards)
    before = workload.micro_batch_rows * workload.accumulation
    rows = max(1, compute_batch_rows(workload.lengths.rows) // count)
    steps = max(1, round(workload.steps * before / (rows * count)))
    for sharding in SHARINGS:
        shared = replace(workload, cards=count, sharding=sharding, steps=steps)
        fed = with_batch(shared, choose_batch(shared, model, hardware, rows=rows))
        yield replace(plan, workload=fed)


def _worth(cell: Cell) -> tuple[int, float]:
    """Smaller is better: what fits, by its time; of what does not, what needs least."""
    estimate = cell.estimate
    if estimate.verdict == "will_not_fit":
        return RANK[estimate.verdict], estimate.memory_bytes.likely
    return RANK[estimate.verdict], estimate.seconds.likely


def _typed_card(asked: AskedMachine) -> Card:
    told = typed_card(asked)
    memory = round(told.memory_gb * GIB)
    speed = told.bandwidth_gb * GIGA if told.bandwidth_gb else told.memory_gb * BANDWIDTH_PER_GIB
    return Card(
        name=MachineText.TYPED.format(memory=f"{told.memory_gb:g}"),
        kind="cuda",
        memory_bytes=memory,
        free_bytes=round(memory * USABLE_SHARE),
        bandwidth_bytes_per_second=speed,
    )


def _shape(spec: ModelSpec) -> tuple[int, ...]:
    """The same for a model here and its base in the table."""
    shape = spec.architecture
    return shape.layers, shape.hidden, shape.mlp, shape.vocabulary


def _size(spec: ModelSpec) -> int:
    return spec.architecture.parameters
