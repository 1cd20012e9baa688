from dataclasses import replace
from typing import Any, get_args

import pytest
from small_runs import make_spec, plan_small

from tailor.engine import lifecycle
from tailor.engine.lifecycle import (
    ALL,
    FACT,
    TARGETS,
    Fact,
    IllegalTransitionError,
    advance,
    first_record,
)
from tailor.engine.types import FINAL, FrozenRun, Result, RunRecord, Status

RESULT = Result(
    score_before=1, score_after=2, held_out_before=None, held_out_after=None, answers_changed=1,
    answers=1, seconds=1, peak_bytes=1, folder="/final",
)  # fmt: skip
FACTS: tuple[Fact, ...] = (
    lifecycle.Submitted(at=1),
    lifecycle.TurnCame(at=2, attempt=1),
    lifecycle.ShimStarted(at=3),
    lifecycle.WorkerBegan(at=4),
    lifecycle.FinishBegan(at=5),
    lifecycle.StopAsked(at=6, mode="keep", who="You"),
    lifecycle.Succeeded(at=7, result=RESULT),
    lifecycle.Stopped(at=7, words="Stopped.", fix="Resume.", is_resumable=True),
    lifecycle.Failed(at=7, failure="x", words="Failed.", fix="Mend.", is_resumable=True),
    lifecycle.SentBack(at=7, words="Busy."),
    lifecycle.ResumeAsked(at=8, checkpoint="step-00000001", words="Waits."),
    lifecycle.RetryPlanned(at=8, words="Waits."),
    lifecycle.RetryDue(at=9),
    lifecycle.FolderLost(at=9),
    lifecycle.Noted(at=9, words="A note."),
)


def make_record(status: Status = "queued") -> RunRecord:
    spec = make_spec()
    planned = plan_small(spec, None, None)  # type: ignore[arg-type]
    frozen = FrozenRun(
        id="run_1", spec=spec, plan=planned.plan, estimate=planned.estimate, owner="anna",
        created_at=0.0, versions=(),
    )  # fmt: skip
    return replace(first_record(frozen, "/runs/run_1"), status=status)


def test_every_kind_of_fact_and_every_status_is_in_the_table() -> None:
    kinds = {fact.kind for fact in FACTS}
    assert kinds == set(TARGETS)
    assert len(FACTS) == len(get_args(get_args(Fact)[0]))
    assert set(ALL) == set(get_args(Status))
    assert {target for row in TARGETS.values() for target in row.values()} == set(ALL)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
@pytest.mark.parametrize("status", ALL)
def test_a_fact_leads_where_the_table_says_or_is_refused(status: Status, fact: Fact) -> None:
    target = TARGETS[fact.kind].get(status)
    if target is None:
        with pytest.raises(IllegalTransitionError, match=fact.kind):
            advance(make_record(status), fact)
        return
    after = advance(make_record(status), fact)
    assert after.status == target
    assert after.reason
    if after.status in FINAL and status not in FINAL:
        assert after.ended_at == fact.at


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_a_fact_survives_the_journal(fact: Fact) -> None:
    assert FACT.validate_json(FACT.dump_json(fact)) == fact


def test_nothing_leaves_a_finished_run_but_the_loss_of_its_folder() -> None:
    for status in ("succeeded", "lost"):
        kinds = {kind for kind, row in TARGETS.items() if row.get(status, status) != status}
        assert kinds <= {"folder_lost"}


def fold(*facts: Any) -> RunRecord:
    record = make_record()
    for fact in facts:
        record = advance(record, fact)
    return record


def test_a_resumed_run_forgets_its_failure_and_keeps_its_beginning() -> None:
    record = fold(*FACTS[:4], FACTS[8], FACTS[10])
    assert (record.status, record.failure, record.fix, record.ended_at) == ("queued", "", "", None)
    assert record.started_at == 2
    assert record.is_resumable
    again = advance(record, lifecycle.TurnCame(at=20, attempt=2))
    assert (again.attempt, again.started_at) == (2, 2)


def test_stopping_twice_is_stopping_once() -> None:
    record = fold(*FACTS[:4], FACTS[5])
    assert record.status == "stopping"
    assert advance(record, FACTS[5]) == record


def test_a_run_that_waits_is_stopped_at_once() -> None:
    record = fold(FACTS[0], FACTS[5])
    assert (record.status, record.is_resumable) == ("stopped", False)
    assert "nothing was lost" in record.reason


def test_a_run_that_was_asked_to_stop_may_still_succeed() -> None:
    assert fold(*FACTS[:4], FACTS[5], FACTS[6]).result == RESULT
