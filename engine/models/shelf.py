"""The models on this computer: folders in Tailor's home, and folders elsewhere that were added.

The wizard lists them at every visit, so a model is hashed once and remembered by size and time of
its files; a folder that changed is looked over again. The engine holds one; the fetch child adds to
it by writing a note.
"""

import hashlib
import logging
import threading
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.json_file import read_json, write_json
from tailor.engine.models import starter
from tailor.engine.models.read import loaded_files, read_model
from tailor.engine.models.scan import scan_folder
from tailor.engine.types import ModelRecord
from tailor.estimator.record import record
from tailor.recipes.families.catalog import family_of
from tailor.recipes.spec import ModelSpec

logger = logging.getLogger(__name__)

Stamps = tuple[tuple[str, int, int], ...]
"""Name, size and time of change of each file that is loaded."""

NOTE_SUFFIX = ".shelf.json"


@record
class ShelfNote:
    """`<id>.shelf.json`: where a model stands and what it was when it was looked over."""

    schema: int = 1
    id: str
    name: str
    path: str
    words: str = ""
    stamps: Stamps = ()
    spec: ModelSpec | None = None
    findings: tuple[Finding, ...] = ()


class ModelShelf:
    """All models under one home folder."""

    def __init__(self, home: Path) -> None:
        """Nothing is read before it is asked for."""
        self._folder = home / "models"
        self._lock = threading.Lock()

    def list(self) -> tuple[ModelRecord, ...]:
        """The starter model first, here or not; then the others by name."""
        found = {note.id: to_record(note) for note in self._notes()}
        first = found.pop(starter.ID, None) or starter.offer()
        return (first, *sorted(found.values(), key=lambda model: model.name.casefold()))

    def get(self, model_id: str) -> ModelRecord:
        """One model."""
        for model in self.list():
            if model.id == model_id:
                return model
        raise UserError(
            title="This model is not on this computer",
            detail=f"There is no model called {model_id}.",
            fix="Choose one on the Model page.",
            status=404,
        )

    def _notes(self) -> tuple[ShelfNote, ...]:
        """Notes of what is there now; new and changed folders are looked over first."""
        with self._lock:
            noted = {note.path: note for note in read_notes(self._folder)}
            for path in _folders(self._folder):
                fresh = ShelfNote(id=path.name, name=_name(path), path=str(path))
                noted.setdefault(fresh.path, fresh)
            here = [note for note in noted.values() if Path(note.path).is_dir()]
            return tuple(self._refresh(note) for note in here)

    def _refresh(self, note: ShelfNote) -> ShelfNote:
        stamps = _stamps(Path(note.path))
        if stamps == note.stamps and (note.spec or note.findings):
            return note
        fresh = look_over(note)
        write_note(self._folder, fresh)
        return fresh


def look_over(note: ShelfNote) -> ShelfNote:
    """Scan and read a folder; a "stop" leaves the note without a spec."""
    path = Path(note.path)
    stamps: Stamps = ()
    spec: ModelSpec | None = None
    try:
        stamps = _stamps(path)
        findings = scan_folder(path)
        if not any(finding.level == "stop" for finding in findings):
            spec = read_model(path, model_id=note.id, name=note.name)
    except PermissionError as closed:
        findings = (_closed(path, closed),)
    words = note.words or (starter.WORDS if note.id == starter.ID else "")
    return replace(note, words=words, stamps=stamps, spec=spec, findings=findings)


def moved(note: ShelfNote, place: Path) -> ShelfNote:
    """The same note for the same files under another path."""
    spec = None if note.spec is None else replace(note.spec, path=str(place))
    return replace(note, path=str(place), spec=spec)


def read_notes(models_folder: Path) -> tuple[ShelfNote, ...]:
    """All notes on the shelf."""
    found = []
    for path in sorted(models_folder.glob(f"*{NOTE_SUFFIX}")):
        try:
            found.append(read_json(path, ShelfNote))
        except ValidationError:
            # Another version of Tailor wrote it. A folder in the home gets a fresh note; one that
            # stands elsewhere has to be added again.
            logger.warning("%s cannot be read and is left out", path.name)
    return tuple(found)


def write_note(models_folder: Path, note: ShelfNote) -> None:
    """Put a note on the shelf, over an older one of the same model."""
    models_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_json(models_folder / f"{note.id}{NOTE_SUFFIX}", note)


def to_record(note: ShelfNote) -> ModelRecord:
    """What the wizard shows."""
    stops = [finding for finding in note.findings if finding.level == "stop"]
    quirks = family_of(note.spec.family).quirks if note.spec else ()
    return ModelRecord(
        id=note.id,
        spec=note.spec,
        name=note.name,
        is_ready=note.spec is not None,
        words=stops[0].title if stops else note.words or " ".join(quirks),
        findings=note.findings,
    )


def elsewhere_id(path: Path) -> str:
    """Id of a folder outside of Tailor's home: its name is not unique, its place is."""
    return f"{path.name}-{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"


def _closed(path: Path, closed: PermissionError) -> Finding:
    return Finding(
        level="stop",
        title="This folder may not be read",
        detail=f"The system refuses to open {Path(closed.filename or path).name} to you.",
        fix="Ask its owner for access, or copy the model into a folder of your own.",
    )


def _folders(models_folder: Path) -> tuple[Path, ...]:
    """Folders in the home with a config; the ones that begin with a dot are being made."""
    return tuple(
        sorted(
            config.parent
            for config in models_folder.glob("*/config.json")
            if not config.parent.name.startswith(".")
        )
    )


def _name(path: Path) -> str:
    return starter.NAME if path.name == starter.ID else path.name


def _stamps(path: Path) -> Stamps:
    return tuple((f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in loaded_files(path))
