"""Aim as the keeper of the curves: the only file that imports it.

Aim is not thread-safe, takes seconds to import and offers a query language that runs code, so it
is used through its SDK alone, one call at a time, without any query. The feed imports this file in
its own thread, after the engine's socket answers.
"""

import logging
import math
import os
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tailor.engine.events import Event, Metric
from tailor.engine.types import Trace

with warnings.catch_warnings():
    # aim 3.29.1 calls sqlalchemy.ext.declarative.declarative_base, which 2.0 has moved.
    warnings.simplefilter("ignore")
    from aim.sdk.index_manager import RepoIndexManager
    from aim.sdk.repo import Repo
    from aim.sdk.run import Run
    from aim.sdk.sequence import Context
    from aim.storage.structured.db import DB

logger = logging.getLogger(__name__)


class AimTracker:
    """One Aim repository. Only one process may have it open."""

    is_on = True

    def __init__(self, folder: Path) -> None:
        """Open the repository in `folder`, made if it is not there."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.words = f"aim {version('aim')}"
        # Aim keeps databases by path for the life of the process. This one may be another than the
        # one that was opened under this path before, if that was damaged and moved aside.
        DB._pool.clear()
        self._repo = Repo(os.fspath(folder), init=True)
        # Opening reads nothing yet: these two raise when the index or the database is damaged.
        self._repo.list_all_runs()
        self._repo.structured_db.find_run("")
        self._open: dict[str, Any] = {}

    def holds(self, tracker_id: str) -> bool:
        """Whether Aim has a run of this hash."""
        return tracker_id in self._open or self._repo.run_exists(tracker_id)

    def open(self, stored_id: str, name: str) -> str:
        """Go on with the Aim run of this hash, or begin one."""
        if stored_id in self._open:
            return stored_id
        is_known = self.holds(stored_id)
        run = Run(
            stored_id if is_known else None,
            repo=self._repo,
            system_tracking_interval=None,
            log_system_params=False,
            capture_terminal_logs=False,
        )
        if not is_known:
            run.name = name
        self._open[run.hash] = run
        return str(run.hash)

    def write(self, tracker_id: str, events: Sequence[Event]) -> None:
        """Track every finite number of the metric events."""
        run = self._open[tracker_id]
        for event in events:
            if not isinstance(event, Metric):
                continue
            for name, value in event.values:
                if math.isfinite(value):
                    noun, context = split_name(name)
                    run.track(
                        float(value), name=noun, step=event.step, epoch=event.epoch, context=context
                    )

    def read(self, tracker_id: str, names: Sequence[str]) -> tuple[Trace, ...]:
        """The curves out of Aim."""
        run = self._open.get(tracker_id) or self._repo.get_run(tracker_id)
        if run is None:
            return ()
        traces = []
        for name in names:
            noun, context = split_name(name)
            metric = run.get_metric(noun, Context(context))
            if metric is not None:
                traces.append(_read_trace(name, metric))
        return tuple(traces)

    def finish(self, tracker_id: str) -> None:
        """Close the Aim run and index it, so that it can be read when it is not open."""
        run = self._open.pop(tracker_id, None)
        if run is not None:
            run.close()
            # Without .start(): its threads clear Aim's pool of files while runs are open.
            RepoIndexManager.get_index_manager(self._repo).index(tracker_id)

    def remove(self, tracker_id: str) -> None:
        """Delete the Aim run."""
        self.finish(tracker_id)
        if not self._repo.delete_run(tracker_id):
            logger.warning("Aim could not delete its run %s", tracker_id)

    def close(self) -> None:
        """Close every open run and the repository."""
        for tracker_id in tuple(self._open):
            self.finish(tracker_id)
        self._repo.close()


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """Aim's name and context of a metric: "loss/train" is ("loss", {"subset": "train"})."""
    noun, _, part = name.partition("/")
    return noun, {"subset": part} if part else {}


def _read_trace(name: str, metric: Any) -> Trace:
    steps, (values, *_) = metric.data.numpy()
    # A point is several writes: a reader may see one value more than steps, or the other way round.
    pairs = sorted(zip(steps.tolist(), values.tolist(), strict=False))
    return Trace(
        name=name,
        steps=tuple(int(step) for step, _ in pairs),
        values=tuple(value for _, value in pairs),
    )
