"""Readers of `events.jsonl` take whole lines only and survive broken ones."""

from pathlib import Path

from tailor.engine.events import EVENT, Metric, Stamp
from tailor.engine.runs.event_log import read_events


def line(seq: int) -> bytes:
    stamp = Stamp(seq=seq, attempt=1, at=0.0, mono=0.0)
    return EVENT.dump_json(Metric(stamp=stamp, step=seq, epoch=0.0, values=(("a", 1.0),))) + b"\n"


def test_a_half_written_line_is_left_for_later(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(line(1) + line(2)[:-10])

    events, offset = read_events(path, 0)
    assert [event.stamp.seq for event in events] == [1]

    path.write_bytes(line(1) + line(2))
    events, offset = read_events(path, offset)
    assert [event.stamp.seq for event in events] == [2]
    assert read_events(path, offset) == ([], offset)


def test_a_torn_line_of_a_killed_worker_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(line(1) + line(2)[:20] + b"\n" + line(3))

    events, _ = read_events(path, 0)

    assert [event.stamp.seq for event in events] == [1, 3]


def test_a_long_log_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"".join(line(seq) for seq in range(1, 51)))
    seen, offset, pieces = [], 0, 0
    while True:
        events, after = read_events(path, offset, limit_bytes=500)
        if after == offset:
            break
        seen += [event.stamp.seq for event in events]
        offset, pieces = after, pieces + 1

    assert seen == list(range(1, 51))
    assert pieces > 5


def test_a_run_that_has_not_spoken_yet_has_no_events(tmp_path: Path) -> None:
    assert read_events(tmp_path / "events.jsonl", 0) == ([], 0)
