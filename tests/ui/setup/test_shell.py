"""Opening screens: by button, by rail, by link and by F5; and what stays when something is wrong."""

from dataclasses import replace

import pytest

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.choices import read_choices
from tailor.ui.opening import Place, address_of, open_screen
from tailor.ui.services import Services
from tailor.ui.text import ShellText
from tailor.ui.views.step_rail import CHECK, DATA, GOAL, PLAN, RUN, USE_IT


class Screen:
    """A screen that remembers what it was opened with."""

    def __init__(self) -> None:
        self.draft: Draft | None = None
        self.problem: UserError | None = None

    def build(self) -> None:
        return None

    def enter(self, services: Services, owner: str, draft: Draft) -> tuple[str]:
        if self.problem is not None:
            raise self.problem
        self.draft = draft
        return (draft.id,)

    def wire(self, page: object, shell: object, services: Services) -> None:
        return None


@pytest.fixture
def screens() -> tuple[Screen, ...]:
    return tuple(Screen() for _ in ShellText.STEPS)


def go(services, screens, step: int, **place):
    return open_screen(services, screens, "ada", Place(**({"draft_id": "d1"} | place), step=step))


def test_a_project_that_was_never_saved_opens_empty_at_the_goal(services, screens, engine) -> None:
    opened = go(services, screens, CHECK)
    assert opened.step == GOAL
    assert screens[GOAL].draft == Draft(id="d1", owner="ada")
    assert engine.kept == {}


def test_an_answered_step_opens_the_next_one_and_it_is_remembered(services, screens) -> None:
    services.edit_draft("ada", "d1", goal="format")
    assert go(services, screens, DATA, is_answered=True).step == DATA
    assert services.draft("ada", "d1").step == DATA
    assert go(services, screens, GOAL).step == GOAL
    assert services.draft("ada", "d1").step == DATA


def test_a_later_step_stays_closed_until_the_ones_before_are_answered(services, screens) -> None:
    services.edit_draft("ada", "d1", step=DATA)
    assert go(services, screens, PLAN).step == DATA


def test_with_a_run_every_step_is_open(services, screens, engine, make_run) -> None:
    run = make_run()
    engine.known_runs[run.id] = run
    services.edit_draft("ada", "d1", run_id=run.id)
    assert go(services, screens, USE_IT).step == USE_IT


def test_a_run_opens_by_its_own_address_and_an_older_run_is_not_mixed_up(
    services, screens, engine, make_run
) -> None:
    newer, older = (replace(make_run(), id=name) for name in ("run_2", "run_1"))
    engine.known_runs = {run.id: run for run in (newer, older)}
    services.edit_draft("ada", "draft1", run_id=newer.id)
    opened = go(services, screens, RUN, draft_id="", run_id=older.id)
    assert screens[RUN].draft.run_id == older.id
    assert opened.frame[-1] == "/project?run=run_1"
    assert services.draft("ada", "draft1").run_id == newer.id


def test_a_run_without_its_draft_gets_one_back(services, screens, engine, make_run) -> None:
    run = make_run()
    engine.known_runs[run.id] = run
    go(services, screens, RUN, draft_id="", run_id=run.id)
    rebuilt = services.draft("ada", run.spec.draft_id or run.id)
    assert rebuilt.run_id == run.id
    assert rebuilt.model_id == run.spec.model.id


def test_a_screen_that_cannot_be_filled_opens_with_the_reason(services, screens) -> None:
    screens[GOAL].problem = UserError(title="The disk is full", detail="", fix="")
    opened = go(services, screens, GOAL)
    assert "The disk is full" in opened.problem
    assert opened.values == ()


@pytest.mark.parametrize("odd", ["../x", "<b>", "", "a" * 90])
def test_an_address_that_is_no_project_is_refused_in_words(services, screens, odd: str) -> None:
    with pytest.raises(UserError, match=ShellText.BAD_ADDRESS_TITLE):
        go(services, screens, GOAL, draft_id=odd)


def test_somebody_elses_run_is_not_there(services, screens) -> None:
    with pytest.raises(UserError) as refused:
        go(services, screens, RUN, draft_id="", run_id="run_9")
    assert refused.value.status == 404


def test_an_address_opens_the_same_screen_again() -> None:
    draft = Draft(id="d1", run_id="run_1")
    assert address_of(draft, DATA, "") == "/project?draft=d1&step=1"
    assert address_of(draft, RUN, "") == "/project?run=run_1"
    assert address_of(draft, USE_IT, "run_1") == "/project?run=run_1&step=7"


def test_the_rail_marks_the_open_step_and_closes_later_ones(services, screens) -> None:
    services.edit_draft("ada", "d1", step=DATA)
    rail = go(services, screens, DATA).frame[3]
    assert rail.count('aria-current="step"') == 1
    assert rail.count('aria-disabled="true"') == len(screens) - 2
    assert "Step 2 of 8: Data" in rail


def test_choices_so_far_are_told_in_words(services, engine) -> None:
    assert read_choices(services, "ada", services.draft("ada", "d1")) == ()
    draft = services.edit_draft(
        "ada",
        "d1",
        goal="format",
        dataset_id=engine.add_example().id,
        model_id="smollm2-135m-instruct",
    )
    told = dict(read_choices(services, "ada", draft))
    assert "262 to learn from" in told[ShellText.CHOICE_DATA]
    assert told[ShellText.CHOICE_MODEL] == "SmolLM2 135M Instruct"


def test_a_dataset_that_is_gone_does_not_close_the_project(services) -> None:
    draft = services.edit_draft("ada", "d1", dataset_id="ds_gone")
    assert (ShellText.CHOICE_DATA, "This is not here") in read_choices(services, "ada", draft)


def test_a_second_tab_is_told_that_the_project_changed(services) -> None:
    old = services.edit_draft("ada", "d1", goal="format")
    services.edit_draft("ada", "d1", goal="style")
    with pytest.raises(UserError, match="Newer"):
        services.save("ada", replace(old, goal="answer"))
