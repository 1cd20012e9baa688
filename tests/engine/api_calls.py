"""The real engine over small runs, and what the tests of its verbs ask it again and again."""

import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tailor.engine.client import EngineClient
from tailor.engine.start import is_answering
from tailor.engine.types import RunRecord

SCRIPT = Path(__file__).with_name("api_engine.py")


def wait_until(is_met: Callable[[], Any], seconds: float = 180) -> Any:
    deadline = time.monotonic() + seconds
    while not (answer := is_met()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return answer


def serve_api(folder: Path) -> Iterator[Path]:
    """A home whose engine answers; the engine must end well."""
    from small_runs import end_everything

    folder.mkdir()
    with (folder / "engine.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", str(SCRIPT), str(folder)], stdout=log, stderr=log
        )
    try:
        wait_until(lambda: is_answering(folder) or process.poll() is not None)
        assert process.poll() is None, (folder / "engine.log").read_text()
        yield folder
    finally:
        process.terminate()
        code = process.wait(timeout=60)
        end_everything(folder)
    assert code == 0, (folder / "engine.log").read_text()


def submit(client: EngineClient, **knobs: object) -> RunRecord:
    from small_runs import make_spec

    return client.submit(make_spec(**knobs), idempotency_id=uuid.uuid4().hex)


def wait_for_status(client: EngineClient, run_id: str, *statuses: str) -> RunRecord:
    wait_until(lambda: client.run(run_id).status in statuses)
    return client.run(run_id)
