"""Prices on the Plan screen: kept, counted with, refused in words."""

from setup_machines import A100, NO_CARD, TWO_3090
from setup_plan import begin_plan

from tailor.engine.errors import UserError
from tailor.engine.settings import Settings
from tailor.ui.pages import plan as page
from tailor.ui.plan.answer import promise
from tailor.ui.plan.costs import keep_costs, show_costs

CARD = 0


def card(services, draft):
    return promise(services, "ada", draft)[CARD]


def test_without_a_price_the_card_says_so_and_never_zero(services, engine):
    draft = begin_plan(services, engine, A100)
    html = card(services, draft)
    assert "kWh" in html
    assert "no price set" in html


def test_a_kept_tariff_makes_the_next_promise_tell_money(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    form, is_kept = keep_costs(services, "ada", {"per_kwh": ("0,40",), "currency": ("EUR",)})
    assert is_kept
    assert "Kept." in form
    assert engine.prices == Settings(per_kwh=0.4, currency="EUR")
    html = card(services, draft)
    assert "EUR" in html
    assert "no price set" not in html


def test_a_rented_card_is_paid_by_the_hour(services, engine):
    draft = begin_plan(services, engine, TWO_3090, is_large=True)
    keep_costs(services, "ada", {"per_card_hour": ("0.5",), "currency": ("USD",)})
    assert "USD" in card(services, draft)


def test_a_refused_price_stays_in_its_field_and_the_old_one_counts(services, engine):
    begin_plan(services, engine, A100)
    keep_costs(services, "ada", {"per_kwh": ("0.4",), "currency": ("EUR",)})
    form, is_kept = keep_costs(services, "ada", {"per_kwh": ("-3",), "currency": ("EUR",)})
    assert not is_kept
    assert 'value="-3"' in form
    assert "from 0 to" in form
    assert engine.prices.per_kwh == 0.4


def test_the_same_press_twice_is_drawn_twice(services, engine):
    begin_plan(services, engine, A100)
    said = {"per_kwh": ("0.4",), "currency": ("EUR",)}
    assert keep_costs(services, "ada", said)[0] != keep_costs(services, "ada", said)[0]


def test_prices_that_cannot_be_read_are_told_in_the_form_and_the_promise_stands(services, engine):
    draft = begin_plan(services, engine, A100)

    def broken():
        raise UserError(title="Your prices cannot be read", detail="", fix="Set them again.")

    engine.settings = broken
    assert "Your prices cannot be read" in show_costs(services, "ada")
    assert "no price set" in card(services, draft)


def test_on_a_processor_watts_are_asked_for_because_nothing_is_assumed(services, engine):
    draft = begin_plan(services, engine, NO_CARD)
    assert "kWh" not in card(services, draft)
    assert "laptop draws about 40" in show_costs(services, "ada")
    keep_costs(services, "ada", {"computer_watts": ("60",)})
    assert "kWh" in card(services, draft)


def test_entering_the_screen_fills_the_form(services, engine):
    draft = begin_plan(services, engine, A100)
    engine.prices = Settings(per_kwh=0.25, currency="EUR")
    assert 'value="0.25"' in page.enter(services, "ada", draft)[2]
