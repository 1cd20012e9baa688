"""Other plans: each is what it would be if it were chosen, and only what fits is offered."""

import re

import pytest
from setup_machines import A100, NO_CARD, SMALL_CARD, TWO_3090, card_of, machine_of
from setup_plan import LARGE, begin_plan

from tailor.engine.errors import UserError
from tailor.recipes.catalog import recipes
from tailor.ui.pages import plan as page
from tailor.ui.plan.basis import plan_for, read_basis, read_circumstances
from tailor.ui.plan.beside import look_around, offered, read_beside
from tailor.ui.plan.comparison import compare
from tailor.ui.plan.ranking import CUTS_ROWS, harm, offers_of
from tailor.ui.plan.variants import read_sent

SENT = re.compile(r'data-send="([^"]+)"')


def around(services, draft):
    place = look_around(services, "ada", draft)
    assert place is not None
    return place


def test_every_choice_of_the_screen_is_a_variant(services, engine):
    place = around(services, begin_plan(services, engine, A100, is_large=True))
    others = sum(len(knob.choices) - 1 for knob in recipes()[0].knobs)
    # Rows of 4,096 tokens are the automatic choice under another name: the longest has 3,010.
    assert len(place.ones) == others - 1 + len(recipes()) - 1 + 1


def test_a_variant_is_promised_exactly_as_if_it_were_chosen(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    place = around(services, draft)
    for one in place.ones:
        assert promised(services, draft, one.sent) == one.estimate, one.words


def promised(services, draft, word):
    """What the screen promises once a plan was taken."""
    taken = read_sent(draft, word.replace("&amp;", "&"))
    basis = read_basis(services, "ada", taken)
    return plan_for(basis, taken, read_circumstances(services, "ada")).estimate


@pytest.mark.parametrize("machine", [NO_CARD, SMALL_CARD, A100, TWO_3090])
@pytest.mark.parametrize("recipe", ["sft_lora", "sft_full", "sft_qlora"])
def test_nothing_is_offered_that_does_not_fit(services, engine, machine, recipe):
    draft = begin_plan(services, engine, machine, is_large=True, recipe=recipe)
    place = around(services, draft)
    html = offered(place)
    assert len(SENT.findall(html)) <= 3
    for word in SENT.findall(html):
        assert promised(services, draft, word).verdict != "will_not_fit", word


def test_a_blocked_plan_is_shown_the_nearest_that_fit_in_the_order_of_harm(services, engine):
    draft = begin_plan(services, engine, TWO_3090, is_large=True, recipe="sft_full")
    place = around(services, draft)
    assert place.chosen.estimate.verdict == "will_not_fit"
    offers = offers_of(place.chosen, place.ones)
    assert {one.role for one in offers} == {"nearest"}
    harms = [harm(place.chosen, one.variant) for one in offers]
    assert harms == sorted(harms)
    assert offers[0].variant.draft.recipe != "sft_full"
    assert offers[0].variant.draft.model_id == LARGE.id
    assert offers[-1].variant.draft.model_id != LARGE.id
    assert "The nearest plans that fit" in offered(place)
    assert "What it means: Only a small added part learns." in offered(place)


def test_where_one_choice_is_not_enough_two_are_tried(services, engine):
    engine.is_starter_here = False
    draft = begin_plan(services, engine, two_choices_machine(), is_large=True, recipe="sft_full")
    place = around(services, draft)
    assert all(one.estimate.verdict == "will_not_fit" for one in place.ones)
    html = offered(place)
    assert "packed model" in html
    assert "How long may a row be?" in html


def two_choices_machine():
    return machine_of(card_of("A card", 7.4))


def test_where_nothing_fits_it_says_so_and_has_no_button(services, engine):
    engine.is_starter_here = False
    draft = begin_plan(services, engine, SMALL_CARD, is_large=True)
    html = offered(around(services, draft))
    assert "None of the other choices on this screen makes it fit." in html
    assert "<button" not in html


def test_a_plan_that_fits_is_offered_a_faster_and_a_smaller_one(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    place = around(services, draft)
    roles = {one.role: one.variant for one in offers_of(place.chosen, place.ones)}
    seconds, memory = place.chosen.estimate.seconds, place.chosen.estimate.memory_bytes
    assert roles["faster"].estimate.seconds.likely < 0.8 * seconds.likely
    assert roles["smaller"].estimate.memory_bytes.likely < 0.8 * memory.likely


def test_a_tight_plan_is_offered_one_that_surely_fits_first(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    for gib in (24, 23, 22, 21, 20, 19, 18, 17):
        engine.machine = machine_of(card_of("A card", gib))
        services.forget_readings()
        around_it = read_circumstances(services, "ada")
        if (
            plan_for(read_basis(services, "ada", draft), draft, around_it).estimate.verdict
            == "tight"
        ):
            break
    place = around(services, draft)
    assert place.chosen.estimate.verdict == "tight"
    offers = offers_of(place.chosen, place.ones)
    assert offers[0].role == "safer"
    assert offers[0].variant.estimate.verdict == "fits"


@pytest.mark.parametrize("machine", [A100, TWO_3090])
def test_without_need_nothing_is_offered_that_loses_the_ends_of_rows(services, engine, machine):
    place = around(services, begin_plan(services, engine, machine, is_large=True))
    offers = [one for one in offers_of(place.chosen, place.ones) if one.role != "safer"]
    assert CUTS_ROWS not in {harm(place.chosen, one.variant) for one in offers}


def test_a_packed_model_is_offered_unpacked_where_there_is_room(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True, recipe="sft_qlora")
    place = around(services, draft)
    better = [one for one in offers_of(place.chosen, place.ones) if one.role == "better"]
    assert better[0].variant.draft.recipe == "sft_lora"


def test_the_best_plans_are_those_that_none_beats_and_the_chosen_one_stands_first(services, engine):
    place = around(services, begin_plan(services, engine, A100, is_large=True))
    plans = compare(place.chosen, place.ones).plans
    assert plans[0].is_chosen
    assert not any(one.is_chosen for one in plans[1:])
    pairs = {
        one: (one.variant.estimate.memory_bytes.likely, one.variant.estimate.seconds.likely)
        for one in plans
    }
    for one in plans:
        beaten = any(
            other[0] <= pairs[one][0] and other[1] <= pairs[one][1] and other != pairs[one]
            for other in pairs.values()
        )
        assert one.is_best is not beaten


def test_chart_and_table_show_the_same_plans_and_are_made_only_when_asked_for(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    _, chart, table = read_beside(services, "ada", draft, is_open=True)
    drawn = {point["sent"] for point in chart["points"] if not point["is_chosen"]}
    assert drawn == {word.replace("&amp;", "&") for word in SENT.findall(table)}
    assert sum(point["is_chosen"] for point in chart["points"]) == 1
    for point in chart["points"]:
        assert point["x_less"] >= 0
        assert point["x_more"] >= 0
    _, chart, table = read_beside(services, "ada", draft, is_open=False)
    assert chart == table == page.gr.skip()


def test_a_plan_of_much_longer_runs_gets_an_axis_of_equal_ratios(services, engine):
    _, chart, _ = read_beside(
        services, "ada", begin_plan(services, engine, SMALL_CARD, is_large=True), is_open=True
    )
    values = [value for value, _ in chart["ticks"]]
    assert values == sorted(values)
    assert len(values) >= 3


def test_taking_a_plan_changes_the_whole_screen_and_start_submits_it(services, engine):
    draft = begin_plan(services, engine, TWO_3090, is_large=True, recipe="sft_full")
    taken = offers_of(around(services, draft).chosen, around(services, draft).ones)[0].variant
    problem, choices, _, recipe, card, *_ = page.adopt(services, "ada", "d1", taken.sent)
    name = taken.draft.recipe
    assert problem == ""
    assert "Llama 8B Instruct" in choices
    assert f'value="{name}" data-send="{name}" checked' in recipe
    assert "It will not fit." not in card
    assert services.draft("ada", "d1").recipe == name


def test_taking_another_model_shows_it_among_the_choices(services, engine):
    draft = begin_plan(services, engine, SMALL_CARD, is_large=True)
    word = offers_of(around(services, draft).chosen, around(services, draft).ones)[0].variant.sent
    _, choices, *_ = page.adopt(services, "ada", "d1", word)
    assert "SmolLM2 135M Instruct" in choices


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("recipe=sft_lora&model=..%2F..%2Fetc", "no longer there"),
        ("recipe=sft_gone&model=llama-8b", "sft_gone"),
        ("recipe=sft_lora&model=" + "x" * 5000, "no longer there"),
    ],
)
def test_what_no_button_of_ours_sends_is_refused_and_nothing_is_saved(
    services, engine, word, title
):
    before = begin_plan(services, engine, A100, is_large=True)
    with pytest.raises(UserError, match=title) as caught:
        page.adopt(services, "ada", "d1", word)
    assert len(str(caught.value)) < 400
    assert services.draft("ada", "d1") == before


def test_a_knob_that_does_not_exist_is_left_out_of_what_is_taken(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    taken = read_sent(draft, "recipe=sft_lora&model=llama-8b&knob.made_up=x&knob.passes=1")
    assert taken.knobs == (("passes", "1"),)


def test_what_is_worked_out_for_a_choice_that_was_overtaken_is_given_up(services, engine):
    draft = begin_plan(services, engine, A100, is_large=True)
    models, asked = engine.models, []

    def chosen_again():
        services.choices_made["ada", "d1"] += len(asked) == 1
        asked.append(1)
        return models()

    engine.models = chosen_again
    assert read_beside(services, "ada", draft, is_open=True) == (page.gr.skip(),) * 3
    offers, *_ = read_beside(services, "ada", draft, is_open=False)
    assert "Take this plan" in offers
