"""Reading `events.jsonl` while it is being written: whole lines only, from a byte offset on.

A worker may be killed in the middle of a line and the next attempt goes on behind it, so a reader
takes what ends in a newline and leaves a broken line out. The tracker's feed and the charts read
through here.
"""

import logging
from pathlib import Path

from pydantic import ValidationError

from tailor.engine.events import EVENT, Event

logger = logging.getLogger(__name__)

CHUNK_BYTES = 1 << 18
"""Read at once; a line holds 64 KiB at most."""


def read_events(
    path: Path, offset: int, *, limit_bytes: int = CHUNK_BYTES
) -> tuple[list[Event], int]:
    """The events behind `offset` and the offset behind them; the same offset when none is whole."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.read(limit_bytes)
    except FileNotFoundError:
        return [], offset
    end = data.rfind(b"\n") + 1
    events = [event for line in data[:end].splitlines() if (event := _parse(path, line))]
    return events, offset + end


def _parse(path: Path, line: bytes) -> Event | None:
    if not line.strip():
        return None
    try:
        return EVENT.validate_json(line)
    except ValidationError:
        logger.warning("left out a broken line of %s: %.80r", path, line)
        return None
