"""Starts the engine again when it died while the wizard is open.

An engine that was killed leaves its address behind; one that was asked to stop takes it away and
stays stopped. Runs do not notice either: the new engine takes them over from their folders.
"""

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from tailor.engine.errors import UserError
from tailor.engine.home_lock import is_home_locked
from tailor.engine.http.address import read_address
from tailor.engine.start import ensure_engine

LOOK_SECONDS = 2.0
"""Well under the time that a call waits for an engine that is away."""
AFTER_FAILURE_SECONDS = 60.0

logger = logging.getLogger(__name__)


def keep_engine(home: Path, environment: Mapping[str, str]) -> None:
    """Watch over the engine of `home` for as long as this process lives.

    `environment` is the shell's: the wizard's own would keep a new engine off the model hub.
    """
    threading.Thread(
        target=_watch, args=(home, environment), name="engine-keeper", daemon=True
    ).start()


def has_died(home: Path) -> bool:
    """Whether the last engine of this home ended without saying so."""
    return read_address(home) is not None and not is_home_locked(home)


def _watch(home: Path, environment: Mapping[str, str]) -> None:
    pause = threading.Event()
    while True:
        pause.wait(LOOK_SECONDS)
        if not has_died(home):
            continue
        try:
            ensure_engine(home, environment=environment).close()
        except UserError as error:
            logger.warning("%s: %s", error.title, error.detail)
            pause.wait(AFTER_FAILURE_SECONDS)
