"""The Use it screen: folder, things to take along, code."""

from dataclasses import replace

import pytest

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, ExportRecord
from tailor.ui.pages import use_it as page
from tailor.ui.services import Services

RUN = "run_20261130-kfpa"


@pytest.fixture
def engine(make_run, make_engine, make_result):
    return make_engine(make_run(status="succeeded", result=make_result()))


def test_opening_shows_the_folder_both_offers_and_the_code(engine, tmp_path):
    services = Services(tmp_path, lambda home, owner: engine)
    missing, ready, folder, offers, code, making, timer = page.enter(
        services, "ada", Draft(id="d", run_id=RUN)
    )
    assert missing == ""
    assert ready.visible
    assert "/runs/run_20261130-kfpa/final" in folder
    assert "Only what it learned" in offers
    assert "The whole model" in offers
    assert "from_pretrained" in code
    assert making == page.NO_JOB
    assert not timer.active


def test_making_one_is_a_job_that_is_watched_until_it_is_there(engine):
    offers, _, making, timer = page.make(engine, RUN, page.NO_JOB, "merged")
    assert "Working on it" in offers
    assert timer.active
    engine.jobs[making[1]] = replace(engine.jobs[making[1]], status="done", done=1.0)
    engine.made.append(ExportRecord(run_id=RUN, kind="merged", path="/m", bytes=9, words=""))
    offers, code, making, timer = page.shown(engine, engine.known, *page.job_of(engine, making))
    assert "Ready: 9 bytes" in offers
    assert '"/m"' in code or "&quot;/m&quot;" in code
    assert not timer.active


def test_a_second_export_waits_for_the_first(engine):
    making = page.make(engine, RUN, page.NO_JOB, "merged")[2]
    with pytest.raises(UserError, match="being made already"):
        page.make(engine, RUN, making, "adapter")


def test_a_kind_that_nobody_offers_is_refused(engine):
    with pytest.raises(UserError, match="cannot be made"):
        page.make(engine, RUN, page.NO_JOB, "../../etc")


def test_coming_back_shows_how_far_the_whole_model_is(engine, tmp_path):
    services = Services(tmp_path, lambda home, owner: engine)
    making = page.make(engine, RUN, page.NO_JOB, "merged")[2]
    engine.jobs[making[1]] = replace(engine.jobs[making[1]], done=0.4, words="Joining the two.")

    _, _, _, offers, _, found, timer = page.enter(services, "ada", Draft(id="d", run_id=RUN))

    assert "Joining the two." in offers
    assert "40%" in offers
    assert found == making
    assert timer.active


@pytest.mark.parametrize(
    ("run_id", "way_on"), [(RUN, f"/project?run={RUN}"), ("", "/project?draft=d&amp;step=4")]
)
def test_without_a_model_only_the_reason_and_the_way_on_are_shown(engine, tmp_path, run_id, way_on):
    engine.known = replace(engine.known, status="stopped", result=None)
    services = Services(tmp_path, lambda home, owner: engine)
    missing, ready, *_, timer = page.enter(services, "ada", Draft(id="d", run_id=run_id))
    assert "no finished model" in missing
    assert f'href="{way_on}"' in missing
    assert not ready.visible
    assert not timer.active
