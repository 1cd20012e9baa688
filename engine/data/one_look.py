"""One look at files, without an engine: read, mapped by the best guess, checked, and forgotten.

Whoever asks on the command line whether a file is any good wants an answer and no project. The same
children do the work as for an upload, in a folder that the caller throws away; the files are opened
where they lie and copied nowhere. Called by `python app.py data check` and by `scripts/data_table`.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from tailor.engine.child import Child, Report
from tailor.engine.data.original import clean_label, hash_original
from tailor.engine.data.report import MapReport, ReadReport, Source
from tailor.engine.data.request import MODULE, ROWS_FILE, MapOrder, Original, Request, limits_for
from tailor.engine.data.shown import to_record
from tailor.engine.data.versions import told
from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.engine.machine.full_disk import full_disk_in_words

POLL_SECONDS = 0.05

T = TypeVar("T")


def look_at(paths: Sequence[Path], folder: Path, report: Report) -> DatasetRecord:
    """What there is to say about files as one table; a refusal is its `problem`.

    `folder` is empty and holds the rows while this works.
    """
    names = tuple(clean_label(path.name) for path in paths)
    source = Source(
        id="",
        owner="",
        title=", ".join(names),
        file_ids=(),
        sha256s=(),
        created_at=time.time(),
    )
    try:
        with full_disk_in_words(folder, "Your file is unchanged."):
            source = _read(source, paths, names, folder / "read", report)
            source = _map(source, names, folder, report)
    except UserError as problem:
        source = replace(source, problem=told(problem))
    return to_record(source, names, progress=(0.0, ""), is_at_work=False)


def _read(
    source: Source, paths: Sequence[Path], names: Sequence[str], folder: Path, report: Report
) -> Source:
    for path in paths:
        if not path.exists():
            raise UserError(
                title="This file is not there",
                detail=f"{path} was named and does not exist.",
                fix="Check the name; it is looked for in the folder that you are in.",
            )
    # A link on one's own command line is meant; `open_original` follows none.
    whole = [path.resolve() for path in paths]
    originals = tuple(
        Original(path=str(path), name=name, sha256=hash_original(path))
        for path, name in zip(whole, names, strict=True)
    )
    size_bytes = sum(path.stat().st_size for path in whole)
    request = Request(work="read", originals=originals)
    return replace(source, read=_run(ReadReport, request, folder, size_bytes, report))


def _map(source: Source, names: tuple[str, ...], folder: Path, report: Report) -> Source:
    """Mapped as the best guess says; without any guess there is nothing to map."""
    if source.read is None or not source.read.guesses:
        return source
    rows = folder / "read" / ROWS_FILE
    order = MapOrder(mapping=source.read.guesses[0].mapping, title=source.title, files=names)
    request = Request(work="map", rows=str(rows), read=source.read, order=order)
    mapped = _run(MapReport, request, folder / "map", rows.stat().st_size, report)
    return replace(source, mapped=mapped)


def _run(kind: type[T], request: Request, folder: Path, size_bytes: int, report: Report) -> T:
    plain: Any = TypeAdapter(Request).dump_python(request, mode="json")
    child = Child(MODULE, folder, plain, limits_for(size_bytes))
    try:
        while (answer := child.poll()) is None:
            report(*child.progress())
            time.sleep(POLL_SECONDS)
    finally:
        if child.is_alive():
            child.kill()
    return TypeAdapter(kind).validate_python(answer)
