"""Forks workers off a process that has loaded torch already: each is a real process, in 0.1 s.

Reads "start<TAB>RUN<TAB>ATTEMPT<TAB>LOG" and answers with a pid, or "wait<TAB>PID" and answers with the
exit code. KIND and STEP after LOG hold that worker once it has told such an event. Used by the `bench` fixture; one test starts a worker the ordinary way.
"""

import importlib
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "faults"))

from held_worker import hold_after

from tailor.engine.worker.__main__ import main

for name in ("story", "methods.sft"):
    importlib.import_module(f"tailor.engine.worker.{name}")


def start(run_folder: str, number: str, log: str, kind: str = "", step: str = "0") -> int:
    pid = os.fork()
    if pid:
        return pid
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for source, target in ((os.open(os.devnull, os.O_RDONLY), 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.chdir(run_folder)
    if kind:
        hold_after(Path(run_folder), kind, int(step))
    os._exit(main(Path(run_folder), int(number)))


def wait(pid: str) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(int(pid), 0)[1])


for line in sys.stdin:
    verb, *words = line.rstrip("\n").split("\t")
    sys.stdout.write(f"{start(*words) if verb == 'start' else wait(*words)}\n")
    sys.stdout.flush()
