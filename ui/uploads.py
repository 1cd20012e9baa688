"""From the browser's upload to the engine: into the inbox by a fresh id, out of Gradio's folder.

Gradio keeps uploads under a guessable name until it tidies up; ours live in the data folder only.
The person's file name is a label and never becomes a path.
"""

import os
import uuid
from pathlib import Path

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.ui.text_data import DataText

FILE_TYPES = [".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson"]
MOST_UPLOAD_BYTES = 512 * 1024**2
"""Above this a browser upload without resume is the wrong way in."""


def take_upload(engine: EngineClient, inbox: Path, uploaded: str) -> DatasetRecord:
    """Hand an uploaded file over and let the engine begin to read it."""
    source = Path(uploaded)
    inbox_id = uuid.uuid4().hex
    try:
        os.replace(source, inbox / inbox_id)
    except OSError as lost:
        raise UserError(
            title=DataText.UPLOAD_LOST_TITLE,
            detail=DataText.UPLOAD_LOST_DETAIL,
            fix=DataText.UPLOAD_LOST_FIX,
        ) from lost
    return engine.add_dataset([engine.add_file(inbox_id, source.name).id])
