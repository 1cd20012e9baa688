"""What can be taken along from a finished run: the model itself, and what was packed since.

`final/` is an adapter, or a whole model after full training; `exports/<kind>/` is made on request
by the export child, by rename, so what is there is complete. The export verbs ask here.
"""

from typing import Literal

from tailor.engine.machine.folder_size import count_folder_bytes
from tailor.engine.run_dir import RunDir
from tailor.engine.types import ExportRecord, RunRecord

Kind = Literal["adapter", "merged"]

WORDS: dict[Kind, str] = {
    "adapter": "The adapter: small, and used together with its base model.",
    "merged": "The complete model, for every program that reads safetensors.",
}


def list_exports(run: RunRecord, run_dir: RunDir) -> tuple[ExportRecord, ...]:
    """Everything that lies ready. What the run itself left counts as long as no copy was made."""
    as_trained: Kind = "merged" if run.plan.technique == "full" else "adapter"
    found = []
    for kind, words in WORDS.items():
        folder = run_dir.exports / kind
        if kind == as_trained and not folder.is_dir():
            folder = run_dir.final
        if folder.is_dir():
            size = count_folder_bytes(folder)
            found.append(
                ExportRecord(run_id=run.id, kind=kind, path=str(folder), bytes=size, words=words)
            )
    return tuple(found)
