"""Downloads of what was made to take along: one route of our own, by run and kind, never by path.

Gradio's file routes hand out whatever path a page names; this one asks the engine in the caller's
name which folder it is, so another's model cannot be fetched. `ui/serve.py` adds it before Gradio.
"""

import io
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse

from tailor.engine.errors import UserError
from tailor.engine.types import ExportRecord
from tailor.ui.guard import OWNER_KEY
from tailor.ui.services import Services
from tailor.ui.text_use import DownloadText

PIECE_BYTES: Final = 1 << 20
FIRST_ZIP_YEAR: Final = 1980
"""The format cannot tell an earlier date."""
SAFE_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def download_router(services: Services) -> APIRouter:
    """The route `/download/<run>/<kind>`."""
    router = APIRouter()

    @router.get("/download/{run_id}/{kind}")
    def download(run_id: str, kind: str, request: Request) -> Response:
        try:
            export = find_export(services, str(request.scope.get(OWNER_KEY, "")), run_id, kind)
        except UserError as problem:
            words = f"{problem.title}\n\n{problem.detail}\n{problem.fix}"
            return PlainTextResponse(words, problem.status, SAFE_HEADERS)
        name = f"{run_id}-{kind}.zip"
        return StreamingResponse(
            zip_pieces(Path(export.path), folder_name=f"{run_id}-{kind}"),
            media_type="application/zip",
            headers=SAFE_HEADERS | {"Content-Disposition": f'attachment; filename="{name}"'},
        )

    return router


def find_export(services: Services, owner: str, run_id: str, kind: str) -> ExportRecord:
    """What the engine says that this caller may take; anything else is not found."""
    for export in services.engine(owner).exports(run_id):
        if export.kind == kind and is_inside(Path(export.path), services.home / "runs" / run_id):
            return export
    raise UserError(
        title=DownloadText.NOT_MADE,
        detail=DownloadText.NOT_MADE_WHY,
        fix=DownloadText.NOT_MADE_FIX,
        status=404,
    )


def is_inside(path: Path, folder: Path) -> bool:
    """Whether `path` is a folder in `folder`, links followed."""
    return path.is_dir() and path.resolve().is_relative_to(folder.resolve())


def zip_pieces(folder: Path, *, folder_name: str) -> Iterator[bytes]:
    """The folder as a zip file, made while it is sent: no second copy on the disk.

    Weights hardly compress, so nothing is compressed. Links are left out.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            name = f"{folder_name}/{path.relative_to(folder).as_posix()}"
            info = zipfile.ZipInfo(name, _zip_date(path))
            with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as entry:
                while piece := source.read(PIECE_BYTES):
                    entry.write(piece)
                    yield sink.take()
            yield sink.take()
    yield sink.take()


class _Sink(io.RawIOBase):
    """Where the archive is written to and the answer is read from; it cannot seek, as a socket."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: bytes) -> int:  # type: ignore[override]  # zipfile gives bytes only
        self._pieces.append(bytes(piece))
        return len(piece)

    def take(self) -> bytes:
        taken, self._pieces = b"".join(self._pieces), []
        return taken


def _zip_date(path: Path) -> tuple[int, int, int, int, int, int]:
    then = time.localtime(path.stat().st_mtime)
    if then.tm_year < FIRST_ZIP_YEAR:
        return (FIRST_ZIP_YEAR, 1, 1, 0, 0, 0)
    return (then.tm_year, then.tm_mon, then.tm_mday, then.tm_hour, then.tm_min, then.tm_sec)
