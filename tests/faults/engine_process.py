"""The core of an engine in a process of its own, to be killed: `engine_process.py HOME [DIE_AT]`.

Reads one JSON order a line from stdin ({"id", "knobs"}) and prints the id of the run that it made. With
DIE_AT it is killed at that file or store operation of its first submit, counted from 1.
"""

import json
import os
import signal
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from small_runs import OWNER, engine_core, make_spec

from tailor.engine.errors import UserError
from tailor.engine.home_lock import HomeLock

WRITING_EVENTS = ("open", "os.mkdir", "os.rename", "os.truncate", "os.remove")


def main() -> int:
    home = Path(sys.argv[1])
    die_at = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    try:
        lock = HomeLock(home)
    except UserError as error:
        tell(str(error))
        return 3
    with engine_core(home) as (supervisor, store):
        tell("ready")
        for line in sys.stdin:
            order = json.loads(line)
            if die_at:
                die_at_operation(die_at, store)
            run = supervisor.submit(make_spec(**order["knobs"]), OWNER, order["id"])
            tell(run.id)
    lock.release()
    return 0


def tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def die_at_operation(number: int, store) -> None:
    """Kill ourselves at the n-th operation from now that changes a file or the store."""
    count = 0

    def count_one() -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_audit(event: str, arguments: tuple) -> None:
        if event not in WRITING_EVENTS:
            return
        if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & 3):
            return
        count_one()

    sys.addaudithook(on_audit)
    store._database._writer.set_trace_callback(lambda statement: count_one())


if __name__ == "__main__":
    sys.exit(main())
