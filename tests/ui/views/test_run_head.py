"""The figures under the status sentence: they say the same as the sentence."""

from tailor.ui.views.run_head import run_head
from tailor.ui.views.run_status import run_status

NOW = 1_780_000_250.0


def head_of(run) -> str:
    return str(run_head(run, run_status(run, now=NOW), (), now=NOW))


def test_a_run_that_had_a_break_tells_one_time_only(make_run, make_result):
    result = make_result(seconds=89.0)
    started = NOW - 3600
    run = make_run(status="succeeded", result=result, started_at=started, ended_at=NOW)
    shown = head_of(run)
    assert shown.count("1 min 29 s") == 2
    assert "60 min" not in shown
    assert "1 h" not in shown


def test_while_it_saves_nothing_is_said_of_the_time_left(make_run):
    assert "Time left" in head_of(make_run())
    assert "Time left" not in head_of(make_run(status="stopping"))
