"""Child: makes something to take along out of a finished run. `python -m ... FOLDER`

An adapter is small but needs its base; a merged model works wherever safetensors are read. The
engine's export job starts it; `exports/<kind>/` appears by rename, and the download packs it.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.errors import UserError
from tailor.engine.exports import WORDS, Kind
from tailor.engine.json_file import flush_folder
from tailor.engine.run_dir import RunDir
from tailor.engine.types import ExportRecord
from tailor.engine.worker.finished import open_finished
from tailor.engine.worker.seal import flush_tree


def export(request: Any, report: Report) -> Any:
    """An `ExportRecord` as plain data."""
    run_dir, run = open_finished(Path(request["run_dir"]))
    kind = request["kind"]
    if kind not in WORDS:
        raise UserError(
            title="This cannot be made",
            detail=f"Tailor does not know the form {kind!r}.",
            fix="Choose the adapter or the complete model.",
        )
    run_dir.exports.mkdir(exist_ok=True)
    staging = run_dir.exports / f".tmp-{kind}"
    shutil.rmtree(staging, ignore_errors=True)
    if kind == "adapter" and run.plan.technique == "full":
        raise UserError(
            title="This run has no adapter",
            detail="It changed the whole model, so there is only the complete one.",
            fix="Take the complete model.",
        )
    if kind == "adapter":
        report(0.1, "Copying the adapter.")
        shutil.copytree(run_dir.final, staging)
    elif run.plan.technique == "full":
        report(0.1, "Copying the model.")
        shutil.copytree(run_dir.final, staging)
    else:
        # Here and not above: an adapter needs no torch, and a person waits for it.
        from tailor.engine.worker.merge import merge

        merge(run_dir, run, staging, report)
    report(0.95, "Putting it in its place.")
    record = _put_in_place(run_dir, kind, staging)
    return TypeAdapter(ExportRecord).dump_python(record, mode="json")


def _put_in_place(run_dir: RunDir, kind: Kind, staging: Path) -> ExportRecord:
    """The folder by rename; what lay there before is replaced."""
    folder = run_dir.exports / kind
    flush_tree(staging)
    shutil.rmtree(folder, ignore_errors=True)
    staging.rename(folder)
    flush_folder(run_dir.exports)
    return ExportRecord(
        run_id=run_dir.id,
        kind=kind,
        path=str(folder),
        bytes=sum(path.stat().st_size for path in folder.iterdir()),
        words=WORDS[kind],
    )


if __name__ == "__main__":
    os.environ["HF_HUB_OFFLINE"] = "1"
    serve_child(export)
