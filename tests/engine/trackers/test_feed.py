"""A tracker that fails is switched off with one warning; curves then come from the event log."""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tailor.engine.events import Event
from tailor.engine.series import SeriesReader
from tailor.engine.store import Store
from tailor.engine.trackers.feed import TrackerFeed
from tailor.engine.trackers.tracker import NullTracker, Tracker
from tailor.engine.types import Trace


class BrokenTracker(NullTracker):
    """A tracker whose disk is full."""

    is_on = True

    def __init__(self) -> None:
        super().__init__("broken 1.0")
        self.tries = 0

    def write(self, tracker_id: str, events: Sequence[Event]) -> None:
        self.tries += 1
        raise OSError(28, "No space left on device")


class KeepingTracker(NullTracker):
    """A tracker that keeps in memory which run has had events."""

    is_on = True

    def __init__(self) -> None:
        super().__init__("keeping 1.0")
        self.written: set[str] = set()

    def open(self, stored_id: str, name: str) -> str:
        return name

    def write(self, tracker_id: str, events: Sequence[Event]) -> None:
        self.written.add(tracker_id)


def wait_until(is_met: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_met():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_three_errors_switch_a_tracker_off_with_one_warning(
    tmp_path: Path, store: Store, add_run: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    writer = add_run("run_a")
    writer.train(1, 10)
    tracker = BrokenTracker()
    feed = TrackerFeed(tmp_path / "runs", store, lambda: tracker)
    with caplog.at_level(logging.WARNING):
        feed.start()
        wait_until(lambda: "failed 3 times" in feed.words)
        feed.notice("run_a", [])
        feed.close()

    assert tracker.tries == 3
    assert sum("failed 3 times" in line.message for line in caplog.records) == 1
    series = SeriesReader(tmp_path / "runs", feed).read("run_a")
    assert series.source == "events"
    assert {trace.name: len(trace.steps) for trace in series.traces}["loss/train"] == 10


def test_a_run_whose_events_cannot_be_read_costs_the_others_nothing(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    damaged, whole = add_run("run_a"), add_run("run_b")
    damaged.path.mkdir()
    whole.train(1, 3)
    tracker = KeepingTracker()
    feed = TrackerFeed(tmp_path / "runs", store, lambda: tracker)
    feed.start()
    for _ in range(5):
        feed.notice("run_a", [None])
        feed.notice("run_b", [None])
        wait_until(lambda: "run_b" in tracker.written)
        tracker.written.clear()
        whole.train(4, 5)
    feed.notice("run_b", [None])
    wait_until(lambda: "run_b" in tracker.written)
    feed.close()

    assert feed.words == "keeping 1.0"


def test_a_tracker_that_cannot_start_is_told_in_words(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    add_run("run_a").train(1, 3)

    def load() -> Tracker:
        raise RuntimeError("no wheel for this computer")

    feed = TrackerFeed(tmp_path / "runs", store, load)
    feed.start()
    wait_until(lambda: "no wheel" in feed.words)
    feed.close()

    assert SeriesReader(tmp_path / "runs", feed).read("run_a").source == "events"


def test_until_the_tracker_is_there_curves_come_from_the_event_log(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    add_run("run_a").train(1, 3)
    feed = TrackerFeed(tmp_path / "runs", store, lambda: NullTracker("never asked"))

    series = SeriesReader(tmp_path / "runs", feed).read("run_a", names=("loss/train",))

    assert series.source == "events"
    assert [trace.name for trace in series.traces] == ["loss/train"]
    assert isinstance(series.traces[0], Trace)
