"""The verbs of the exact check: trace a plan, and load what a trace needs beforehand.

A trace takes seconds, so it is a job; its answer is a `TraceResult`, also where there is none to be
had. Nothing is downloaded and no card is used.
"""

from fastapi import APIRouter, Response

from tailor.engine.errors import UserError
from tailor.engine.http.caller import EngineParts
from tailor.engine.http.once import WriteOnce
from tailor.engine.parts import Parts
from tailor.engine.trace_request import NotTraceableError, make_request
from tailor.engine.types import Job
from tailor.engine.worker.trace.versions import read_versions
from tailor.estimator.record import record
from tailor.estimator.trace import TraceRequest, compute_key
from tailor.recipes.catalog import get_recipe
from tailor.recipes.knobs import UnknownChoiceError
from tailor.recipes.spec import RunSpec

ROUTER = APIRouter(prefix="/v1", tags=["trace"])


@record
class TraceOrder:
    """Body of trace."""

    spec: RunSpec


@ROUTER.post("/trace", response_model=Job)
def trace_plan(body: TraceOrder, write: WriteOnce, parts: EngineParts) -> Response:
    """Follow one step of the plan exactly; the job's answer is a `TraceResult`."""

    def trace() -> Job:
        asked = _plan_trace(parts, body.spec)
        if isinstance(asked, str):
            return parts.jobs.start("trace", write.owner, lambda _: parts.tracing.refuse(asked))
        return parts.jobs.start(
            "trace",
            write.owner,
            lambda _: parts.tracing.ask(asked),
            key=compute_key(asked, read_versions()),
        )

    return write.once(Job, trace)


@ROUTER.post("/trace/warm", response_model=None)
def warm_tracer(write: WriteOnce, parts: EngineParts) -> Response:
    """Load what a trace needs, where there is a card that it could be about."""

    def warm() -> None:
        if parts.hardware().device == "cuda":
            parts.tracing.warm()

    return write.once(None, warm)


def _plan_trace(parts: Parts, spec: RunSpec) -> TraceRequest | str:
    """What is to be traced, or in words why nothing can be."""
    hardware = parts.hardware()
    try:
        plan = get_recipe(spec.recipe).plan(spec, hardware)
    except UnknownChoiceError as wrong:
        raise UserError.of(wrong) from wrong
    try:
        return make_request(spec, plan, hardware)
    except NotTraceableError as refusal:
        return str(refusal)
