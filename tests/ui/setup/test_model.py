"""The Model screen: cards, picking, fetching, and the models that cannot be had."""

import pytest

from tailor.engine.errors import UserError
from tailor.ui.pages.model import (
    OUTPUTS,
    add_model,
    before_plan,
    enter,
    follow,
    pick_model,
    show_models,
)
from tailor.ui.services import Services
from tailor.ui.text import ModelText
from tailor.ui.views.model_cards import count_parameters, parameters_words

STARTER = "smollm2-135m-instruct"


def show(services: Services):
    return show_models(services, "ada", services.draft("ada", "d1"), ("", "", False))


def test_a_model_that_is_here_shows_licence_and_size(services: Services) -> None:
    cards, progress, _, timer, button, _ = show(services)
    assert "Licence: Apache 2.0" in cards
    assert "135 million parameters" in cards
    assert progress == ""
    assert not timer.active
    assert not button.interactive


def test_picking_saves_at_once_and_opens_the_way_on(services: Services) -> None:
    problem, choices, button, _ = pick_model(services, "ada", "d1", STARTER)
    assert problem == ""
    assert "SmolLM2" in choices
    assert button.interactive
    assert services.draft("ada", "d1").model_id == STARTER


def test_a_model_that_is_not_here_cannot_be_picked(services: Services, engine) -> None:
    engine.is_starter_here = False
    pick_model(services, "ada", "d1", STARTER)
    pick_model(services, "ada", "d1", "../../elsewhere")
    assert engine.kept == {}
    assert "disabled" in show(services)[0]


def test_fetching_shows_progress_and_chooses_the_model_when_it_is_here(
    services: Services, engine
) -> None:
    engine.is_starter_here = False
    _, _, *values = add_model(services, "ada", "d1", "starter", "")
    assert len(values) == OUTPUTS
    assert ModelText.FETCHING in values[1]
    assert values[3].active
    engine.finish_jobs()
    add_model(services, "ada", "d1", "starter", "")
    assert services.draft("ada", "d1").model_id == ""


def test_a_download_is_shown_again_after_a_reload_and_then_chosen(
    services: Services, engine, tmp_path
) -> None:
    engine.is_starter_here = False
    add_model(services, "ada", "d1", "starter", "")
    # A wizard that was started anew knows nothing of it, and the engine does.
    fresh = Services(tmp_path, connect=lambda _home, _owner: engine)

    _, progress, asked, timer, *_ = enter(fresh, "ada", fresh.draft("ada", "d1"))
    assert ModelText.FETCHING in progress
    assert asked == ("starter", "", True)
    assert timer.active

    engine.finish_jobs()
    follow(fresh, "ada", "d1", asked)
    assert fresh.draft("ada", "d1").model_id == STARTER
    assert len(engine.jobs) == 1


def test_a_download_that_was_begun_beside_another_choice_does_not_change_it(
    services: Services, engine
) -> None:
    add_model(services, "ada", "d2", "starter", "")
    services.edit_draft("ada", "d1", model_id="chosen-before")
    _, _, asked, *_ = enter(services, "ada", services.draft("ada", "d1"))
    engine.finish_jobs()
    follow(services, "ada", "d1", asked)
    assert services.draft("ada", "d1").model_id == "chosen-before"


def test_a_failed_fetch_says_why_and_the_cards_stay(services: Services, engine) -> None:
    engine.start = lambda kind: _failed(engine, kind)
    problem, _, *values = add_model(services, "ada", "d1", "hub", "some/model")
    assert "This took too long" in problem
    assert "SmolLM2" in values[0]


def test_the_plan_needs_a_model(services: Services) -> None:
    with pytest.raises(UserError, match=ModelText.NONE_TITLE):
        before_plan(services, "ada", "d1")


def test_parameters_are_counted_from_the_shape(services: Services, engine) -> None:
    assert count_parameters(engine.models()[0]) == pytest.approx(134_515_008, abs=1)
    assert parameters_words(134_515_008) == "135 million"
    assert parameters_words(7_000_000_000) == "7 billion"
    assert parameters_words(1_540_000_000) == "1.5 billion"


def _failed(engine, kind: str):
    job = type(engine).start(engine, kind)
    engine.fail_jobs()
    return engine.jobs[job.id]
