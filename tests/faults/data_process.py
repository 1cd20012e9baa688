"""A data library in a process of its own, to be killed: `data_process.py HOME`.

Reads one JSON order a line from stdin ({"dataset", "verb", "die_at"}). Each is done by a fork, which is killed at
that file operation of the verb, counted from 1; prints "killed" or "done".
"""

import json
import os
import signal
import sys
from pathlib import Path

from tailor.engine.data.library import DataLibrary

OWNER = "ada"
WRITING_EVENTS = (
    "os.mkdir", "os.rename", "os.remove", "os.chmod", "os.rmdir", "shutil.rmtree", "os.truncate",
)  # fmt: skip


def main() -> None:
    home = Path(sys.argv[1])
    # Whatever is loaded on the first mapping is loaded once here, and not in every fork.
    library = DataLibrary(home)
    library.add_example(OWNER, "maintenance")
    library.close()
    tell("ready")
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            do(home, order)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell("killed" if os.WIFSIGNALED(status) else "done" if status == 0 else f"failed: {status}")


def do(home: Path, order: dict) -> None:
    library = DataLibrary(home)
    die_at_operation(order["die_at"])
    if order["verb"] == "fix":
        library.fix(OWNER, order["dataset"], "lengths", "leave_out_rows", "1,2,3")
    else:
        library.undo(OWNER, order["dataset"])


def die_at_operation(number: int) -> None:
    """Kill ourselves at the n-th operation from now that changes a file."""
    count = 0

    def on_audit(event: str, arguments: tuple) -> None:
        nonlocal count
        is_writing = event in WRITING_EVENTS
        if event == "open":
            is_writing = isinstance(arguments[2], int) and bool(arguments[2] & 3)
        count += is_writing
        if is_writing and count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(on_audit)


def tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
