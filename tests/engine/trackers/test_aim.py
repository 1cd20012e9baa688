"""What Aim keeps equals `events.jsonl` point by point, whatever was killed in between."""

import json
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.events import EVENT, Metric
from tailor.engine.series import SeriesReader
from tailor.engine.store import Store
from tailor.engine.trackers.feed import TrackerFeed, load_tracker
from tailor.engine.trackers.tracker import NullTracker

READ_WITH_SDK = """
import json, sys, warnings
warnings.simplefilter("ignore")
from aim import Repo
repo = Repo.from_path(sys.argv[1])
curves = {}
for aim_run in repo.iter_runs():
    for metric in aim_run.metrics():
        steps, (values, *_) = metric.data.numpy()
        subset = metric.context.to_dict().get("subset")
        name = f"{metric.name}/{subset}" if subset else metric.name
        curves.setdefault(aim_run.name, {})[name] = sorted(zip(steps.tolist(), values.tolist()))
print(json.dumps(curves))
"""

FEED_UNTIL_KILLED = """
import os, random, signal, sys, threading, time
from pathlib import Path
from tailor.engine.series import SeriesReader
from tailor.engine.store import Store
from tailor.engine.trackers.feed import TrackerFeed, load_tracker
from tailor.engine.trackers.tracker import NullTracker
home = Path(sys.argv[1])
store = Store(home / "engine.db")

def applied():
    place = store.tracker_run("run_a", "aim")
    return 0 if place is None else place.seq

def die_once_it_has_begun():
    before = applied()
    while applied() == before:
        time.sleep(0.001)
    time.sleep(random.uniform(0.0, 0.05))
    os.kill(os.getpid(), signal.SIGKILL)

# From inside: whoever watches from outside may be kept waiting until all is written.
threading.Thread(target=die_once_it_has_begun, daemon=True).start()
feed = TrackerFeed(home / "runs", store, lambda: load_tracker(home / "aim"))
feed.start()
while True:
    for folder in (home / "runs").iterdir():
        feed.notice(folder.name, [None])
    time.sleep(0.02)
"""


def read_events_file(path: Path) -> dict[str, list[list[float]]]:
    """The last value of each step of each metric, straight from the lines."""
    curves: dict[str, dict[int, float]] = defaultdict(dict)
    for line in path.read_bytes().splitlines():
        event = EVENT.validate_json(line)
        if isinstance(event, Metric):
            for name, value in event.values:
                curves[name][event.step] = value
    return {
        name: [list(pair) for pair in sorted(points.items())] for name, points in curves.items()
    }


def read_with_sdk(home: Path) -> dict[str, Any]:
    """Aim's own reading of its repository, in a process that has none of our code."""
    told = subprocess.run(
        [sys.executable, "-P", "-c", READ_WITH_SDK, str(home / "aim")],
        capture_output=True,
        check=True,
        text=True,
    )
    curves: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return curves


def wait_until(is_met: Callable[[], bool], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not is_met():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def applied(store: Store) -> int:
    """Last event of the run that Aim is known to have."""
    place = store.tracker_run("run_a", "aim")
    return 0 if place is None else place.seq


def open_feed(home: Path, store: Store) -> TrackerFeed:
    feed = TrackerFeed(home / "runs", store, lambda: load_tracker(home / "aim"))
    feed.start()
    return feed


def test_aim_and_the_event_log_agree_point_by_point(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    writers = {name: add_run(name) for name in ("run_a", "run_b")}
    writers["run_a"].train(1, 40)
    feed = open_feed(tmp_path, store)
    wait_until(lambda: feed.cursor("run_a") == writers["run_a"].seq)

    # Live: the second run begins, the first one stops, is resumed at step 30 and ends.
    writers["run_b"].train(1, 25)
    writers["run_a"].attempt = 2
    writers["run_a"].train(31, 60)
    writers["run_a"].end()
    for name, writer in writers.items():
        feed.notice(name, [None])
        wait_until(lambda name=name, writer=writer: feed.cursor(name) == writer.seq)
    in_process = feed.read("run_a", ("loss/train", "loss/held_out", "tokens_per_second", "none"))
    still_open = feed.read("run_b", ("loss/train",))
    feed.close()

    expected = {name: read_events_file(writer.path) for name, writer in writers.items()}
    assert read_with_sdk(tmp_path) == expected
    assert in_process is not None
    assert still_open is not None
    for name, reading in (("run_a", in_process), ("run_b", still_open)):
        for trace in reading.traces:
            pairs = [list(pair) for pair in zip(trace.steps, trace.values, strict=True)]
            assert pairs == expected[name][trace.name]
    assert [trace.name for trace in in_process.traces] == [
        "loss/train",
        "loss/held_out",
        "tokens_per_second",
    ]


def test_charts_are_the_same_from_aim_and_from_the_event_log(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    writer = add_run("run_a")
    writer.train(1, 1500)
    writer.attempt = 2
    writer.train(1400, 1700)
    without = TrackerFeed(tmp_path / "runs", store, lambda: NullTracker("never started"))
    from_events = SeriesReader(tmp_path / "runs", without).read("run_a")
    feed = open_feed(tmp_path, store)
    wait_until(lambda: feed.cursor("run_a") == writer.seq)
    from_aim = SeriesReader(tmp_path / "runs", feed).read("run_a")
    feed.close()

    assert (from_events.source, from_aim.source) == ("events", "aim")
    assert replace(from_events, source="aim") == from_aim
    assert {len(trace.steps) for trace in from_aim.traces} == {340, 1000}


def test_kill_minus_nine_in_the_middle_loses_and_doubles_nothing(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    writer = add_run("run_a")
    for first in (1, 1501, 3001):
        writer.train(first, first + 1499)
        before = applied(store)
        command = [sys.executable, "-P", "-c", FEED_UNTIL_KILLED, str(tmp_path)]
        assert subprocess.run(command, timeout=180).returncode == -signal.SIGKILL
        assert applied(store) > before

    writer.end()
    feed = open_feed(tmp_path, store)
    wait_until(lambda: feed.cursor("run_a") == writer.seq)
    feed.close()

    assert read_with_sdk(tmp_path) == {"run_a": read_events_file(writer.path)}


def test_a_damaged_repository_is_moved_aside_and_filled_again(
    tmp_path: Path, store: Store, add_run: Callable
) -> None:
    writer = add_run("run_a")
    writer.train(1, 30)
    writer.end()
    feed = open_feed(tmp_path, store)
    wait_until(lambda: feed.cursor("run_a") == writer.seq)
    feed.close()
    for path in (tmp_path / "aim").rglob("*"):
        if path.is_file():
            path.write_bytes(b"damaged")

    feed = open_feed(tmp_path, store)
    wait_until(lambda: feed.cursor("run_a") == writer.seq)
    feed.close()

    assert read_with_sdk(tmp_path) == {"run_a": read_events_file(writer.path)}
    assert list(tmp_path.glob("aim.damaged-*"))


def test_a_deleted_run_leaves_aim_too(tmp_path: Path, store: Store, add_run: Callable) -> None:
    writers = [add_run("run_a"), add_run("run_b")]
    for writer in writers:
        writer.train(1, 10)
    feed = open_feed(tmp_path, store)
    wait_until(lambda: feed.cursor("run_a") is not None and feed.cursor("run_b") is not None)

    tracker_id = feed.find("run_a")
    store.delete_run("run_a")
    feed.remove("run_a", tracker_id)
    feed.close()

    assert set(read_with_sdk(tmp_path)) == {"run_b"}


@pytest.mark.parametrize("name", ["torch", "transformers", "gradio"])
def test_loading_aim_does_not_load_what_the_engine_must_not_have(name: str) -> None:
    code = f"import sys, tailor.engine.trackers.aim; sys.exit({name!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-W", "ignore", "-c", code]).returncode == 0
