"""The head of the Run screen: figures that say what the sentence says, and the parts of the run."""

import re

from tailor.engine.events import Phase, Stamp
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


def phase(name: str, seq: int, attempt: int) -> Phase:
    stamp = Stamp(seq=seq, attempt=attempt, at=NOW - 100 + seq, mono=float(seq))
    return Phase(stamp=stamp, name=name, words="")


def states(markup: str) -> list[str]:
    return re.findall(r'<li class="(\w+)"', markup.split('class="phases"')[1])


def test_what_an_earlier_attempt_has_rehearsed_is_done_after_a_resume(make_run):
    run = make_run(attempt=2)
    first = [phase(name, n, 1) for n, name in enumerate(("load", "prepare", "rehearsal", "train"))]
    second = [phase(name, n, 2) for n, name in enumerate(("load", "prepare", "train"), 10)]
    status = run_status(run, now=NOW)

    resumed = states(str(run_head(run, status, (*first, *second), now=NOW)))
    assert resumed == ["done", "done", "done", "now", "later", "later"]

    loading = states(str(run_head(run, status, (*first, second[0]), now=NOW)))
    assert loading == ["now", "later", "later", "later", "later", "later"]
