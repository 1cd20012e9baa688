"""The story of a run goes on, whoever died while writing it."""

import resource
import threading

import pytest

from tailor.engine.events import EVENT, Metric, Milestone, Sample
from tailor.engine.worker.event_log import EventLog, read_events
from tailor.engine.worker.heartbeat import Pulse


def read(path):
    return [EVENT.validate_json(line) for line in path.read_bytes().splitlines()]


def test_numbers_go_on_over_attempts(tmp_path):
    path = tmp_path / "events.jsonl"
    for attempt in (1, 2):
        log = EventLog(path, attempt)
        log.tell(Milestone, name="a", words="First.")
        log.tell(Milestone, name="b", words="Second.")
        log.close()
    told = [(event.stamp.attempt, event.stamp.seq) for event in read(path)]
    assert told == [(1, 1), (1, 2), (2, 3), (2, 4)]


def test_a_torn_line_is_closed_and_passed_over(tmp_path):
    path = tmp_path / "events.jsonl"
    log = EventLog(path, 1)
    log.tell(Milestone, name="a", words="First.")
    log.close()
    with path.open("ab") as file:
        file.write(b'{"kind":"milestone","sta')
    log = EventLog(path, 2)
    log.tell(Milestone, name="b", words="Second.")
    log.close()
    lines = path.read_bytes().splitlines()
    assert len(lines) == 3
    assert EVENT.validate_json(lines[2]).stamp.seq == 2
    assert EventLog(path, 3).before == (
        EVENT.validate_json(lines[0]),
        EVENT.validate_json(lines[2]),
    )


def test_many_threads_write_whole_lines(tmp_path):
    path = tmp_path / "events.jsonl"
    log = EventLog(path, 1)

    def write():
        for _ in range(50):
            log.tell(Milestone, name="a", words="x" * 200)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    assert [event.stamp.seq for event in read(path)] == list(range(1, 201))


def test_a_very_long_answer_is_shortened_to_a_line_that_readers_take(tmp_path):
    path = tmp_path / "events.jsonl"
    log = EventLog(path, 1)
    log.tell(Sample, step=1, question="q", text="ü" * 100_000, tokens=1, ended=True, score=0.0)
    log.close()
    assert path.stat().st_size <= 64 * 1024
    (sample,) = read(path)
    assert set(sample.text) == {"ü"}


def test_a_full_disk_drops_points_but_not_the_run(tmp_path):
    path = tmp_path / "events.jsonl"
    log = EventLog(path, 1)
    log.tell(Metric, step=1, epoch=0.1, values=(("loss/train", 1.0),))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A limit on the file's size: the next line is torn in its middle, as on a full disk.
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, hard))
    try:
        log.tell(Metric, step=2, epoch=0.2, values=(("loss/train", 0.9),))
        log.tell(Metric, step=3, epoch=0.3, values=(("loss/train", 0.8),))
        with pytest.raises(OSError, match="No space|too large"):
            log.tell(Milestone, name="a", words="Must not be lost.")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    log.tell(Milestone, name="b", words="There is room again.")
    log.close()
    told = read_events(path.read_bytes())
    assert [event.kind for event in told] == ["metric", "warning", "milestone"]
    assert [event.stamp.seq for event in told] == [1, 2, 3]
    assert "2 lines" in told[1].detail


def test_the_heart_beats_with_phase_and_step_and_is_silent_after_its_end(tmp_path):
    path = tmp_path / "events.jsonl"
    log = EventLog(path, 1)
    pulse = Pulse(log, "cpu", every_seconds=0.01)
    pulse.enter("train", "Training.")
    pulse.progress(7)
    pulse.start()
    while len(read(path)) < 3:
        pass
    pulse.stop()
    told = read(path)
    beat = told[-1]
    assert (beat.kind, beat.phase, beat.step) == ("heartbeat", "train", 7)
    assert beat.resident_bytes > 0
    assert beat.stamp.mono >= beat.progress_mono
    log.close()
    assert read(path) == told
