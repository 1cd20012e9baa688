"""The worker's pen: appends events to `events.jsonl`, one whole line at a time.

The file is the durable story of a run and outlives every process, so a new attempt goes on counting
where the last one ended, even when that one died in the middle of a line. Rank 0 of the worker is
its only writer; the engine reads only lines that end in a newline.
"""

import errno
import os
import threading
import time
from pathlib import Path
from typing import Any

from tailor.engine.events import EVENT, Event, Heartbeat, Metric, Sample, Stamp, Warned

LINE_LIMIT_BYTES = 64 * 1024
"""A reader may refuse longer lines; only a sample's text can come near it."""

DROPPABLE = (Metric, Sample, Heartbeat)
"""Events without which the story of a run is still true."""


class EventLog:
    """Open for the life of one attempt. Safe to use from the heartbeat's thread."""

    def __init__(self, path: Path, attempt: int) -> None:
        """Repair a torn last line, read what was told so far, and go on from there."""
        self._attempt = attempt
        self._lock = threading.Lock()
        self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        told = path.read_bytes()
        if told and not told.endswith(b"\n"):
            os.write(self._descriptor, b"\n")
        self.before: tuple[Event, ...] = read_events(told)
        """Events of earlier attempts."""
        self._is_torn = False
        self._dropped = 0
        self._seq = max((event.stamp.seq for event in self.before), default=0)

    def tell(self, kind: type[Any], **fields: Any) -> None:
        """Append one event of `kind`, stamped now.

        A full disk must not end a training that could go on: a point of a curve that cannot be
        written is dropped, and told as soon as there is room again.
        """
        with self._lock:
            try:
                if self._dropped and kind not in DROPPABLE:
                    self._tell_gap()
                self._append(kind, fields)
            except OSError:
                if kind not in DROPPABLE:
                    raise
                self._dropped += 1

    def _append(self, kind: type[Any], fields: dict[str, Any]) -> None:
        stamp = Stamp(
            seq=self._seq + 1, attempt=self._attempt, at=time.time(), mono=time.monotonic()
        )
        line = EVENT.dump_json(kind(stamp=stamp, **fields)) + b"\n"
        if len(line) > LINE_LIMIT_BYTES and "text" in fields:
            fields = {**fields, "text": fields["text"][: LINE_LIMIT_BYTES // 8]}
            line = EVENT.dump_json(kind(stamp=stamp, **fields)) + b"\n"
        if self._is_torn:
            line = b"\n" + line
        # One write of one line: O_APPEND makes it land whole behind whatever is there.
        written = os.write(self._descriptor, line)
        self._is_torn = written < len(line)
        if self._is_torn:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._seq += 1

    def _tell_gap(self) -> None:
        fields = {
            "title": "The curve has a gap",
            "detail": f"{self._dropped} lines could not be written because the disk was full.",
            "fix": "Free some space on the disk with your runs. The training itself went on.",
        }
        self._append(Warned, fields)
        self._dropped = 0

    def close(self) -> None:
        """Make the story durable and let go of the file."""
        with self._lock:
            os.fsync(self._descriptor)
            os.close(self._descriptor)


def read_events(told: bytes) -> tuple[Event, ...]:
    """The events of whole lines; a torn line, of this attempt or an older one, is passed over."""
    events = []
    for line in told.split(b"\n")[:-1]:
        try:
            events.append(EVENT.validate_json(line))
        except ValueError:
            continue
    return tuple(events)
