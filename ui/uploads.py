"""From the browser's upload to the engine: into the inbox by a fresh id, out of Gradio's folder.

Gradio keeps uploads under a guessable name until it tidies up; ours live in the data folder only.
The person's file name is a label and never becomes a path.
"""

import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord, FileRecord
from tailor.engine.errors import UserError
from tailor.ui.text_data import DataText

MOST_UPLOAD_BYTES = 512 * 1024**2
"""Above this a browser upload without resume is the wrong way in."""
MOST_FILES = 20
"""As many as the engine reads as one table."""


def take_uploads(engine: EngineClient, inbox: Path, uploaded: Sequence[str]) -> DatasetRecord:
    """Hand uploaded files over, in the order of their names, and let the engine begin to read."""
    if len(uploaded) > MOST_FILES:
        raise UserError(
            title=DataText.UPLOAD_MANY_TITLE,
            detail=DataText.UPLOAD_MANY_DETAIL.format(count=len(uploaded), most=MOST_FILES),
            fix=DataText.UPLOAD_MANY_FIX,
        )
    # A browser gives them in the order of clicks; the same files should make the same table.
    ordered = sorted((Path(one) for one in uploaded), key=lambda path: path.name)
    return engine.add_dataset([_take(engine, inbox, source).id for source in ordered])


def _take(engine: EngineClient, inbox: Path, source: Path) -> FileRecord:
    inbox_id = uuid.uuid4().hex
    try:
        os.replace(source, inbox / inbox_id)
    except OSError as lost:
        raise UserError(
            title=DataText.UPLOAD_LOST_TITLE,
            detail=DataText.UPLOAD_LOST_DETAIL,
            fix=DataText.UPLOAD_LOST_FIX,
        ) from lost
    return engine.add_file(inbox_id, source.name)
