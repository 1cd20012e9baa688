"""Other models and machines: which card, how many, one that is typed, large models at home."""

import re

import pytest
from setup_machines import A100, NO_CARD
from setup_plan import LARGE, begin_plan

from tailor.engine.settings import Settings
from tailor.recipes.catalog import recipes
from tailor.ui.plan.beside import look_around
from tailor.ui.plan.machine_tables import read_asked, show_home, show_machines
from tailor.ui.plan.machines import (
    WELL_KNOWN,
    Known,
    card_names,
    cells_of,
    easiest,
    elsewhere,
    find_model,
    home_machine,
    machine_for,
)
from tailor.ui.views.machine_form import HERE, OTHER, AskedMachine

GIB = 2**30


def shown(services, **asked):
    return show_machines(services, "ada", services.draft("ada", "d1"), AskedMachine(**asked))


def row_of(html, name):
    return next(row for row in html.split("<tr>") if name in row)


def test_every_model_has_a_row_and_every_way_to_teach_a_column(services, engine):
    begin_plan(services, engine, A100, is_large=True)
    html = shown(services)
    assert all(recipe.title in html for recipe in recipes())
    assert "What fits on one NVIDIA A100-SXM4-80GB" in html
    assert "SmolLM2 135M Instruct" in html
    # The large model here has the shape of Llama-3.1-8B, which is not told twice.
    assert html.count("<tr>") == 1 + 2 + len(WELL_KNOWN) - 1


def test_this_computer_is_promised_what_the_card_promises(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    place = look_around(services, "ada", draft)
    cells = cells_of(place.basis, draft, place.around, Known(spec=LARGE))
    assert cells[0].estimate == place.chosen.estimate


def cells_on(services, draft, card, count, name):
    place = look_around(services, "ada", draft)
    hardware = machine_for(AskedMachine(card=card, count=count), place.around.hardware)
    known = find_model(place.basis, name)
    return cells_of(place.basis, draft, elsewhere(place.around, hardware), known)


def test_a_computer_without_a_card_can_ask_what_a_card_would_do(services, engine):
    draft = begin_plan(services, engine, NO_CARD, is_large=True)
    here = cells_on(services, draft, HERE, 1, "Qwen3-14B")
    there = cells_on(services, draft, "RTX 4090", 1, "Qwen3-14B")
    assert all(cell.estimate.verdict == "will_not_fit" for cell in here)
    assert any(cell.estimate.verdict == "fits" for cell in there)


def test_two_cards_share_the_work_and_are_quicker(services, engine):
    draft = begin_plan(services, engine, NO_CARD, is_large=True)
    one = cells_on(services, draft, "RTX 3090", 1, "Llama-3.2-1B")[0]
    two = cells_on(services, draft, "RTX 3090", 2, "Llama-3.2-1B")[0]
    assert two.sharding != "none"
    assert two.estimate.seconds.likely < one.estimate.seconds.likely


def test_every_card_of_the_table_can_be_asked_about(services, engine):
    begin_plan(services, engine, NO_CARD)
    for name in card_names():
        machine = machine_for(AskedMachine(card=name), NO_CARD)
        assert machine.cards[0].free_bytes <= machine.cards[0].memory_bytes


def test_a_card_that_is_not_in_the_list_is_known_by_its_memory_and_speed(services, engine):
    slow = machine_for(AskedMachine(card=OTHER, memory_gb="24", bandwidth_gb="300"), NO_CARD)
    assert slow.cards[0].bandwidth_bytes_per_second == 300e9
    begin_plan(services, engine, NO_CARD)
    assert "What fits on one card with 48 GB" in shown(services, card=OTHER, memory_gb="48")


@pytest.mark.parametrize(
    ("memory", "bandwidth"),
    [("lots", ""), ("-24", ""), ("0", ""), ("nan", ""), ("1e9", ""), ("24", "fast"),
     ("24", "-1"), ("<b>24</b>", ""), ("9" * 21, "")],
)  # fmt: skip
def test_nonsense_is_refused_in_the_form_and_stays_there(services, engine, memory, bandwidth):
    begin_plan(services, engine, NO_CARD)
    html = shown(services, card=OTHER, memory_gb=memory, bandwidth_gb=bandwidth)
    assert "This card cannot be worked out" in html
    assert "<table" not in html
    assert "<b>24" not in html


def test_a_card_of_which_nothing_is_told_yet_is_asked_for_and_no_fault(services, engine):
    begin_plan(services, engine, NO_CARD)
    html = shown(services, card=OTHER, memory_gb="", bandwidth_gb="")
    assert "Tell Tailor about the card" in html
    assert "cannot be worked out" not in html


def test_what_the_form_never_offered_becomes_its_first_choice():
    said = {"card": ("../../etc",), "count": ("9000",), "memory_gb": ("x" * 5000,)}
    asked, html = read_asked(said)
    assert (asked.card, asked.count) == (HERE, 1)
    assert len(asked.memory_gb) < 30
    assert "Working it out" in html


def test_one_more_model_can_be_named_and_stands_first(services, engine):
    begin_plan(services, engine, A100)
    html = shown(services, model="Qwen3-8B")
    first = html.split("<tr>")[2]
    assert "Qwen3-8B" in first
    assert "8.2 billion parameters" in first


def test_a_model_that_is_not_known_is_refused_in_words(services, engine):
    begin_plan(services, engine, A100)
    assert "This model is not known" in shown(services, model="no such thing")


def test_at_home_seventy_billion_need_both_cards_and_larger_models_more_time(services, engine):
    draft = begin_plan(services, engine, NO_CARD, is_large=True)
    html = show_home(services, "ada", draft)
    one, two = row_of(html, "Llama-3-70B").split("<td")[1:]
    assert "will not fit" in one
    assert "will not fit" not in two
    assert "split" in two
    kwh = [
        float(re.findall(r"-([\d.]+) kWh", row_of(html, name))[-1])
        for name in ("Mistral-7B", "Qwen3-32B", "Llama-3-70B")
    ]
    assert kwh == sorted(kwh)


def test_a_price_makes_money_of_it(services, engine):
    draft = begin_plan(services, engine, NO_CARD)
    services.keep_settings("ada", Settings(per_kwh=0.4, currency="EUR"))
    place = look_around(services, "ada", draft)
    there = elsewhere(place.around, home_machine(NO_CARD, 1))
    cell = easiest(place.basis, draft, there, find_model(place.basis, "Llama-3.2-1B"))
    assert cell.estimate.money.likely > 0
    assert cell.estimate.currency == "EUR"


def test_the_computer_at_home_has_what_its_sentence_says():
    machine = home_machine(NO_CARD, 2)
    assert machine.ram_bytes == 128 * GIB
    assert [card.memory_bytes for card in machine.cards] == [24 * GIB] * 2


def test_while_rows_are_read_the_folds_say_so(services, engine):
    draft = begin_plan(services, engine, NO_CARD)
    engine.is_quick = False
    engine.jobs.clear()
    assert "Your rows are still being read" in show_home(services, "ada", draft)
    assert "Your rows are still being read" in shown(services)
