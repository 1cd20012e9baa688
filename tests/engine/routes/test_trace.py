"""The verb of the exact check: a job whose answer is a trace, or why there is none."""

from api_calls import wait_until
from pydantic import TypeAdapter
from small_runs import make_spec

from tailor.engine.client import EngineClient
from tailor.estimator.trace import TraceResult


def test_a_plan_for_a_processor_is_answered_in_words_and_not_with_an_error(
    client: EngineClient,
) -> None:
    job = client.trace(make_spec())
    wait_until(lambda: client.job(job.id).status != "running")
    done = client.job(job.id)
    told = TypeAdapter(TraceResult).validate_json(done.answer)

    assert (done.kind, done.status) == ("trace", "done")
    assert not told.ok
    assert "for graphics cards" in told.reason


def test_nothing_is_loaded_beforehand_where_there_is_no_card(client: EngineClient) -> None:
    client.warm_trace()

    assert client.running_jobs() == ()
