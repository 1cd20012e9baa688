"""Home: a run that has ended can be deleted, after one question that says what it frees."""

from dataclasses import replace

import pytest

from tailor.engine.errors import UserError
from tailor.ui.pages import home as page
from tailor.ui.services import Services
from tailor.ui.views.step_rail import PLAN

RUN = "run_20261130-kfpa"


@pytest.fixture
def engine(make_run, make_engine, make_result):
    return make_engine(make_run(status="succeeded", result=make_result()))


@pytest.fixture
def services(engine, tmp_path):
    return Services(tmp_path, lambda home, owner: engine)


def test_deleting_asks_first_and_says_how_much_it_frees(services, engine):
    listed, _ = page.read_list(services, "ada")
    assert f'data-send="ask {RUN}"' in listed

    asked, problem, asking = page.answer_list(services, "ada", "ask", RUN)

    assert "It frees 2.2 GB" in asked
    assert f'data-send="delete {RUN}"' in asked
    assert (problem, asking) == ("", RUN)
    assert not engine.is_deleted


def test_a_deleted_run_leaves_its_project_at_the_plan(services, engine):
    listed, _, asking = page.answer_list(services, "ada", "delete", RUN)

    assert engine.is_deleted
    assert RUN not in listed
    assert "/project?draft=draft1" in listed
    assert (engine.kept_draft.run_id, engine.kept_draft.step) == ("", PLAN)
    assert asking == ""


def test_a_run_that_works_is_never_offered_for_deletion_nor_deleted(services, engine):
    engine.known = replace(engine.known, status="running", result=None)

    assert f"ask {RUN}" not in page.read_list(services, "ada")[0]
    with pytest.raises(UserError, match="still working"):
        page.answer_list(services, "ada", "delete", RUN)
    assert engine.kept_draft.run_id == RUN


def test_the_list_stays_as_it_is_while_a_question_waits(services):
    assert all("__type__" in value for value in page.on_tick(services, RUN, None))
