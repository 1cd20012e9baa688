"""The real worker, held right after it told of a step until a test lets it go.

A fault that a test puts "at step 40" must meet the worker there on any machine, however long the
test itself is kept from running. `python -m held_worker RUN_DIR ATTEMPT` holds the first attempt at
the step that the run's knob hold_at names; `fork_workers.py` holds its workers with `hold_after`.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from tailor.engine.worker.__main__ import main
from tailor.engine.worker.callbacks import CONTROL_EVERY_SECONDS
from tailor.engine.worker.event_log import EventLog

LET_GO = "let go"
"""The file in the run's folder that ends the wait; a stop request ends it too."""


def hold_after(run_folder: Path, kind: str, step: int) -> None:
    """From now on this process waits once it has told an event of `kind` at `step` or later."""
    tell = EventLog.tell

    def tell_and_wait(log: EventLog, event: type[Any], **fields: Any) -> None:
        tell(log, event, **fields)
        if event.__name__.lower() == kind and fields["step"] >= step:
            wait_to_be_let_go(run_folder)

    EventLog.tell = tell_and_wait  # type: ignore[method-assign]


def wait_to_be_let_go(run_folder: Path) -> None:
    held_at = time.monotonic()
    stop = run_folder / "control" / "stop"
    while not (run_folder / LET_GO).exists() and not stop.exists():
        time.sleep(0.005)
    if stop.exists():
        # The worker looks for it every two seconds, in which a small run comes to its end.
        time.sleep(max(0.0, held_at + CONTROL_EVERY_SECONDS - time.monotonic()))


if __name__ == "__main__":
    folder, attempt = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    knobs = dict(json.loads((folder / "run.json").read_bytes())["spec"]["knobs"])
    if attempt == 1 and "hold_at" in knobs:
        hold_after(folder, "metric", int(knobs["hold_at"]))
    sys.exit(main(folder, attempt))
