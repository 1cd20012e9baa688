"""A piece of a worker's log for a page: from an offset, whole characters, secrets masked.

A log may hold anything a library prints. The API's log verb asks here.
"""

import codecs
import os

from tailor.engine.run_dir import RunDir
from tailor.engine.secrets import mask_secrets
from tailor.engine.types import LogPage

PAGE_BYTES = 64 << 10


def read_log_page(run_dir: RunDir, attempt: int, offset: int) -> LogPage:
    """At most 64 KiB from `offset`; an empty page before anything was printed."""
    try:
        with run_dir.attempt(attempt).log.open("rb") as file:
            length = os.fstat(file.fileno()).st_size
            # A log that was shortened meanwhile is shown from its beginning again.
            offset = offset if offset <= length else 0
            file.seek(offset)
            data = file.read(PAGE_BYTES)
    except FileNotFoundError:
        return LogPage(text="", next_offset=0)
    if len(data) == PAGE_BYTES and b"\n" in data:
        # Whole lines where there is more to come: a secret must not be cut in two.
        data = data[: data.rfind(b"\n") + 1]
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(data)
    unfinished = len(decoder.getstate()[0])
    return LogPage(text=mask_secrets(text), next_offset=offset + len(data) - unfinished)
