"""The verbs of the engine itself: health, devices, jobs, stop, and the page that lists all verbs.

They belong to no run. Stopping answers first and ends a moment later, so that the caller hears it.
"""

import html
import shutil
from os import getpid
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

import tailor
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Id, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.types import Health, Job, Status
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record

ROUTER = APIRouter(prefix="/v1", tags=["engine"])

STOPPABLE: frozenset[Status] = frozenset({"queued", "leasing", "starting", "running", "retry_wait"})
"""Runs that go on by themselves if nobody stops them."""


@record
class EngineStop:
    """Body of the engine's stop."""

    runs: Literal["leave", "stop"] = "leave"


@ROUTER.get("/health", response_model=Health)
def show_health(parts: EngineParts) -> Response:
    """The engine about itself."""
    health = Health(
        version=tailor.__version__,
        home=str(parts.home),
        pid=getpid(),
        tracker=parts.feed.words,
        disk_free_bytes=shutil.disk_usage(parts.home).free,
    )
    return answer(Health, health)


@ROUTER.get("/devices", response_model=HardwareSpec)
def show_devices(parts: EngineParts, _: Owner) -> Response:
    """This computer, read now."""
    return answer(HardwareSpec, parts.hardware())


@ROUTER.get("/jobs", response_model=tuple[Job, ...])
def list_jobs(parts: EngineParts, owner: Owner) -> Response:
    """The owner's jobs that are under way."""
    return answer(tuple[Job, ...], parts.jobs.running(owner))


@ROUTER.get("/jobs/{job_id}", response_model=Job)
def show_job(job_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """One job."""
    return answer(Job, parts.jobs.get(job_id, owner))


@ROUTER.post("/engine/stop", response_model=None)
def stop_engine(body: EngineStop, write: WriteOnce, parts: EngineParts) -> Response:
    """End the engine. Runs go on without it, or are asked to save and stop."""

    def stop() -> None:
        if body.runs == "stop":
            for run in parts.store.runs_in(STOPPABLE):
                parts.supervisor.stop(run.id, None, "keep")
        parts.stop_asked.set()

    return write.once(None, stop)


@ROUTER.get("/docs", include_in_schema=False)
def show_docs(request: Request) -> HTMLResponse:
    """Every verb on one page, made from the OpenAPI description; it loads nothing."""
    described: dict[str, Any] = request.app.openapi()
    rows = "".join(
        f"<tr><td>{verb.upper()}</td><td><code>{html.escape(path)}</code></td>"
        f"<td>{html.escape(about.get('description', ''))}</td></tr>"
        for path, verbs in described["paths"].items()
        for verb, about in verbs.items()
    )
    return HTMLResponse(
        "<!doctype html><meta charset=utf-8><title>Tailor's engine</title>"
        "<style>body{font:16px/1.5 system-ui;max-width:70rem;margin:2rem auto}"
        "td{padding:.3rem 1rem .3rem 0;vertical-align:top}</style>"
        "<h1>Tailor's engine</h1><p>JSON over a unix socket. Every change carries a header "
        "Idempotency-Id. The types are in <a href=/v1/openapi.json>openapi.json</a>.</p>"
        f"<table>{rows}</table>"
    )
