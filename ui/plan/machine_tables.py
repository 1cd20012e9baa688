"""The two folds about other machines: what is asked, what the engine knows, and the tables.

Worked out only when a fold is opened or its form is changed: a table takes a second or two. Trouble
is told in the form, beside what was typed.
"""

from itertools import count
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, Job, ModelRecord
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import Sharding
from tailor.recipes.catalog import get_recipe, recipes
from tailor.ui.components.form_html import Answers
from tailor.ui.plan.basis import (
    Circumstances,
    PlanBasis,
    read_basis,
    read_circumstances,
)
from tailor.ui.plan.machines import (
    HOME_CARD,
    LARGE,
    Cell,
    Known,
    card_names,
    cells_of,
    easiest,
    elsewhere,
    find_model,
    home_machine,
    known_models,
    machine_for,
)
from tailor.ui.services import Services
from tailor.ui.text_compare import MachineText
from tailor.ui.text_plan import PlanText
from tailor.ui.views.html import Html, element, join
from tailor.ui.views.machine_form import HERE, AskedMachine, asked_from, machine_form
from tailor.ui.views.machine_table import MachineCell, MachineRow, machine_table
from tailor.ui.views.model_cards import parameters_words
from tailor.ui.views.problem import error_card
from tailor.ui.views.quantities import bytes_words
from tailor.ui.views.waiting import waiting_card

SHARED: Final[dict[Sharding, str]] = {
    "ddp": MachineText.WHOLE_ON_EACH,
    "fsdp": MachineText.SPLIT,
    "fsdp_offload": MachineText.SPLIT_AND_WAITING,
}
_PRESSED: Final = count(1)


def read_asked(said: Answers) -> tuple[AskedMachine, Html]:
    """What a changed form asks, and the form with a place for its answer, at once."""
    names = card_names()
    asked = asked_from(said, names)
    waiting = waiting_card(MachineText.WAITING, "", lines=4)
    return asked, _anew(machine_form(asked, names), waiting)


def show_machines(services: Services, owner: str, draft: Draft, asked: AskedMachine) -> Html:
    """Form and table."""
    names = card_names()
    try:
        basis, around, models = _read(services, owner, draft)
        hardware = machine_for(asked, around.hardware)
        rows = known_models(basis, models)
        if asked.model:
            rows = (find_model(basis, asked.model), *rows)
    except UserError as problem:
        return _anew(machine_form(asked, names, problem))
    there = elsewhere(around, hardware)
    table = machine_table(
        MachineText.CAPTION.format(machine=_machine_words(asked, hardware)),
        tuple(recipe.title for recipe in recipes()),
        tuple(
            # A run that is started here uses one card, and the promise above says so too.
            _row(known, cells_of(basis, draft, there, known, is_shared=asked.card != HERE))
            for known in rows
        ),
    )
    return _anew(machine_form(asked, names), table)


def show_home(services: Services, owner: str, draft: Draft) -> Html:
    """Large models on one and on two cards at home."""
    try:
        basis, around, _ = _read(services, owner, draft)
    except UserError as problem:
        return _anew(error_card(problem))
    machines = [elsewhere(around, home_machine(around.hardware, cards)) for cards in (1, 2)]
    known = known_models(basis, (), LARGE)
    columns = (
        MachineText.ONE_CARD.format(name=HOME_CARD),
        MachineText.MANY_CARDS.format(count=2, name=HOME_CARD),
    )
    rows = tuple(
        _row(one, tuple(easiest(basis, draft, there, one) for there in machines), is_told=True)
        for one in known
    )
    return _anew(machine_table(MachineText.HOME_CAPTION, columns, rows))


def _read(
    services: Services, owner: str, draft: Draft
) -> tuple[PlanBasis, Circumstances, tuple[ModelRecord, ...]]:
    basis = read_basis(services, owner, draft)
    if isinstance(basis, Job):
        raise UserError(
            title=MachineText.NOT_YET_TITLE, detail=PlanText.MEASURING, fix=MachineText.NOT_YET_FIX
        )
    return basis, read_circumstances(services, owner), services.engine(owner).models()


def _row(known: Known, cells: tuple[Cell | None, ...], *, is_told: bool = False) -> MachineRow:
    size = MachineText.SIZE.format(parameters=parameters_words(known.spec.architecture.parameters))
    return MachineRow(
        name=known.spec.name,
        note=f"{size}, {MachineText.GUESSED}" if known.is_guessed else size,
        cells=tuple(None if cell is None else _shown(cell, is_told=is_told) for cell in cells),
    )


def _shown(cell: Cell, *, is_told: bool) -> MachineCell:
    """`is_told` where the column does not say how it is taught."""
    estimate = cell.estimate
    if estimate.verdict == "will_not_fit":
        told = MachineText.BLOCKED.get(estimate.blocked_by, "")
        words = told.format(ram=bytes_words(estimate.ram_bytes))
    else:
        how = [get_recipe(cell.recipe).title] if is_told else []
        shared = SHARED.get(cell.sharding)
        words = ", ".join([*how, shared] if shared else how)
    return MachineCell(estimate=estimate, words=words, has_energy=is_told)


def _machine_words(asked: AskedMachine, hardware: HardwareSpec) -> str:
    if not hardware.cards:
        return MachineText.HERE
    name, cards = hardware.cards[0].name, len(hardware.cards)
    if cards == 1 or asked.card == HERE:
        return MachineText.ONE_CARD.format(name=name)
    return MachineText.MANY_CARDS.format(count=cards, name=name)


def _anew(*parts: Html) -> Html:
    # The browser draws a value only when it differs, and a button waits for its answer to be drawn.
    return element("div", join(*parts), class_="stack", data_pressed=next(_PRESSED))
