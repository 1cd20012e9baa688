"""The real server: libraries loaded once, then answers in seconds, the same as the tracer's own."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from trace_requests import FEW, LORA, large, shaped

from tailor.engine.tracing import Tracing
from tailor.engine.worker.trace.tracer import trace
from tailor.estimator.trace import TraceRequest, TraceResult

pytestmark = pytest.mark.long

WARM_SECONDS = 30.0
"""For a model of eight billion weights: 3 s on two idle cores, with an allowance for busy ones."""


def ask(tracing: Tracing, request: TraceRequest) -> TraceResult:
    question = tracing.ask(request)
    deadline = time.monotonic() + 240
    while (told := question.poll()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return TypeAdapter(TraceResult).validate_python(told)


@pytest.mark.slow
def test_a_warm_server_answers_as_the_tracer_does_and_soon(tmp_path: Path) -> None:
    small = shaped(replace(LORA, adapter=FEW), num_hidden_layers=2)
    tracing = Tracing(tmp_path)
    try:
        first = ask(tracing, small)
        begun = time.monotonic()
        eight_billion = ask(tracing, large(replace(LORA, adapter=FEW, checkpointed_layers=None)))
        seconds = time.monotonic() - begun
    finally:
        tracing.close()

    assert replace(first, seconds=0.0) == replace(trace(small), seconds=0.0)
    assert eight_billion.ok, eight_billion.reason
    assert eight_billion.peak_bytes > 16e9
    assert seconds < WARM_SECONDS
