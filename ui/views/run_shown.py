"""What a viewer of the Run screen has already been sent, so that a tick sends only what is new.

It stands in the browser tab's state. Losing it costs nothing: everything is then sent once more.
"""

import hashlib

from tailor.engine.events import Phase
from tailor.estimator.record import record


@record
class Shown:
    """Cursors and fingerprints of one viewer."""

    run_id: str = ""
    events_seq: int = 0
    phases: tuple[Phase, ...] = ()
    series_cursor: int = 0
    chart: str = ""
    """Fingerprint of what the chart's marks and sentence depend on beside its points."""
    head: str = ""
    strip: str = ""
    diary: str = ""
    controls: str = ""


def fingerprint(*shown: object) -> str:
    """Short, and the same for the same values."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
