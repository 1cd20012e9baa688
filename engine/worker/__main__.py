"""The worker: trains one attempt of one run and proves the result. `python -m ... RUN_DIR ATTEMPT`

It lives in a process of its own so that nothing it does can hurt the engine, and the engine's end
cannot hurt it. The shim starts it; it speaks through `events.jsonl`, checkpoints and its exit code.
"""

import faulthandler
import signal
import sys
import time
import traceback
from pathlib import Path

from tailor.engine.events import Ended
from tailor.engine.json_file import read_json, write_json
from tailor.engine.run_dir import Attempt, RunDir
from tailor.engine.types import FrozenRun
from tailor.engine.worker.crash import describe_crash, explain
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.heartbeat import Pulse

EXIT_FAILED = 1


def main(run_folder: Path, number: int) -> int:
    """Run one attempt; whatever happens, the last event is `Ended`."""
    begun = time.monotonic()
    if hasattr(signal, "SIGUSR2"):
        faulthandler.register(signal.SIGUSR2, all_threads=True)
    run_dir = RunDir(run_folder)
    run = read_json(run_dir.frozen, FrozenRun)
    attempt = read_json(run_dir.attempt(number).plan, Attempt)
    log = EventLog(run_dir.events, number)
    pulse = Pulse(log, run.plan.device)
    pulse.start()
    pulse.enter("load", f"Loading {run.spec.model.name}.")
    try:
        # Here and not above: loading torch and its family takes seconds, and may itself fail.
        from tailor.engine.worker.story import run_attempt

        ending = run_attempt(run_dir, run, attempt, log=log, pulse=pulse, begun=begun)
    # The edge of the process: nothing above it could tell the person anything.
    except BaseException as error:
        traceback.print_exc()
        explained = explain(error, run_folder)
        write_json(run_dir.attempt(number).crash, describe_crash(error, explained))
        pulse.stop()
        words = f"{explained.title}. {explained.detail}" if explained else "The worker broke down."
        log.tell(Ended, outcome="failed", step=pulse.step, words=words)
        log.close()
        return EXIT_FAILED
    pulse.stop()
    log.tell(Ended, outcome=ending.outcome, step=ending.step, words=ending.words)
    log.close()
    return ending.exit_code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), int(sys.argv[2])))
