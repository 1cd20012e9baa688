"""The form for prices: what is kept, what was typed, what was refused."""

import pytest

from tailor.engine.errors import UserError
from tailor.engine.settings import Settings
from tailor.ui.views.cost_form import cost_form, settings_from, typed_prices


def test_what_is_kept_stands_in_its_fields_and_what_is_unknown_is_empty():
    html = cost_form(Settings(per_kwh=0.31, currency="EUR"), has_card=True)
    assert 'name="per_kwh" value="0.31"' in html
    assert 'name="currency" value="EUR"' in html
    assert 'name="computer_watts" value=""' in html


def test_a_computer_without_a_card_is_not_asked_what_a_card_costs():
    assert "rented card" not in cost_form(Settings(), has_card=False)
    assert "rented card" in cost_form(Settings(), has_card=True)


@pytest.mark.parametrize(("typed", "number"), [("0.31", 0.31), ("0,31", 0.31), (" 1 200 ", 1200)])
def test_numbers_are_read_as_people_write_them(typed, number):
    said = typed_prices({"per_kwh": (typed,), "currency": (" EUR ",)})
    assert settings_from(said) == Settings(per_kwh=number, currency="EUR")


def test_an_empty_field_is_unknown_and_not_zero():
    assert settings_from(typed_prices({"per_kwh": (" ",)})).per_kwh is None


@pytest.mark.parametrize("typed", ["cheap", "1,2,3", "0x10", "9" * 5000 + "x", "<b>"])
def test_what_is_no_number_is_refused_in_words_that_name_the_field(typed):
    with pytest.raises(UserError, match="Price of a kilowatt-hour is not a number") as caught:
        settings_from(typed_prices({"per_kwh": (typed,)}))
    assert len(caught.value.detail) < 100


def test_after_a_refusal_the_typed_words_stay_and_cannot_become_markup():
    problem = UserError(title="Not a number", detail="<b>", fix="Type one.")
    html = cost_form(Settings(), has_card=True, typed={"per_kwh": '"><b>'}, problem=problem)
    assert "Not a number" in html
    assert "<b>" not in html
    assert "&quot;&gt;&lt;b&gt;" in html
