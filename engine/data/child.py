"""The child that opens files made by strangers: `python -m tailor.engine.data.child FOLDER`.

A parser can hang, eat the memory or crash on a hostile file, and none of that may touch the engine.
So each file is read in a process of its own that limits itself first and that its parent can end;
`read`, which runs in it alone, opens the originals. Started by `reading` through `engine/child.py`.
"""

import resource
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.data.mapped import make_version
from tailor.engine.data.read import read_originals
from tailor.engine.data.report import MapReport, ReadReport
from tailor.engine.data.request import ROWS_FILE, Request
from tailor.engine.machine.full_disk import full_disk_in_words

CPU_SECONDS = 900
"""Backstop for a child whose engine was killed and cannot end it any more."""
WRITTEN_BYTES_MOST = 32 * 2**30
OPEN_FILES_MOST = 256


def work(request: Any, report: Report) -> Any:
    """Do what is asked in the current folder; the answer is plain JSON data."""
    asked = TypeAdapter(Request).validate_python(request)
    with full_disk_in_words(Path.cwd(), "Your file is unchanged."):
        if asked.work == "read":
            return TypeAdapter(ReadReport).dump_python(_read(asked, report), mode="json")
        return TypeAdapter(MapReport).dump_python(_map(asked, report), mode="json")


def _read(asked: Request, report: Report) -> ReadReport:
    return read_originals(asked.originals, dict(asked.choices), Path(ROWS_FILE), report)


def _map(asked: Request, report: Report) -> MapReport:
    assert asked.order is not None
    assert asked.read is not None
    return make_version(Path(asked.rows), asked.read, asked.order, Path(), report)


def _limit_itself() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN_BYTES_MOST, WRITTEN_BYTES_MOST))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = OPEN_FILES_MOST if most == resource.RLIM_INFINITY else min(OPEN_FILES_MOST, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))


if __name__ == "__main__":
    _limit_itself()
    serve_child(work)
