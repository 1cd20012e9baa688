"""The exact check: offered on cards, made once for a plan, told on the promise card."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter
from setup_machines import NO_CARD, TWO_3090
from setup_plan import begin_plan

from tailor.engine.findings import Problem
from tailor.estimator.trace import TraceResult
from tailor.ui.pages import plan as page
from tailor.ui.plan.answer import promise
from tailor.ui.plan.exact import begin_exact

CARD, TIMER = 0, 7
GIB = 2**30


def card(services):
    return promise(services, "ada", services.draft("ada", "d1"))


def end_traces(engine, **changes):
    peaks = {
        "weights_bytes": 15 * GIB, "forward_bytes": 17 * GIB, "backward_bytes": 18 * GIB,
        "optimizer_bytes": 16 * GIB, "evaluation_bytes": 16 * GIB,
    }  # fmt: skip
    result = TraceResult(**{"ok": True, "reason": "", **peaks, **changes})
    answer = TypeAdapter(TraceResult).dump_json(result).decode()
    for job in engine.jobs.values():
        if job.kind == "trace":
            engine.jobs[job.id] = replace(job, status="done", done=1.0, answer=answer)


@pytest.fixture
def begun(services, engine):
    begin_plan(services, engine, TWO_3090, is_large=True)
    begin_exact(services, "ada", services.draft("ada", "d1"))
    return engine


def test_it_is_offered_where_a_card_works_and_nowhere_else(services, engine):
    begin_plan(services, engine, TWO_3090)
    assert 'data-send="exact"' in card(services)[CARD]
    engine.machine = NO_CARD
    services.forget_readings()
    assert 'data-send="exact"' not in card(services)[CARD]


def test_while_it_is_made_the_card_says_so_and_asks_again(services, begun):
    answer = card(services)
    assert "Following one real step" in answer[CARD]
    assert answer[TIMER].active
    assert 'data-send="exact"' not in answer[CARD]


def test_its_figures_take_the_place_of_the_formulas(services, begun):
    end_traces(begun)
    answer = card(services)
    assert "Memory checked exactly" in answer[CARD]
    assert not answer[TIMER].active


def test_the_same_plan_is_checked_once(services, begun):
    begin_exact(services, "ada", services.draft("ada", "d1"))
    assert len(begun.traced) == 1


def test_another_plan_is_offered_its_own_check_and_the_first_stays_known(services, begun):
    end_traces(begun)
    page.choose_knobs(services, "ada", "d1", ["strength=strong"])
    assert 'data-send="exact"' in card(services)[CARD]
    page.choose_knobs(services, "ada", "d1", ["strength=normal"])
    page.choose_knobs(services, "ada", "d1", ["longest_row=auto"])
    assert len(begun.traced) == 1


def test_one_that_could_not_be_made_says_why_and_the_formulas_stand(services, begun):
    end_traces(begun, ok=False, reason="This kind of model cannot be followed.")
    html = card(services)[CARD]
    assert "An exact check was not possible: This kind of model cannot be followed." in html
    assert "Worked out from sizes and lengths" in html


def test_a_failed_job_says_why(services, begun):
    told = Problem(title="This took too long", detail="60 seconds.", fix="")
    for job in begun.jobs.values():
        if job.kind == "trace":
            begun.jobs[job.id] = replace(job, status="failed", problem=told)
    assert "This took too long. 60 seconds." in card(services)[CARD]
