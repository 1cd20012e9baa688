"""Curves and marks are folded out of the event log piece by piece."""

import math
from pathlib import Path

from tailor.engine.curves import Curves
from tailor.engine.events import EVENT, Checkpoint, Event, Metric, Stamp
from tailor.engine.types import Mark, Trace


class Story:
    """Events with rising numbers, appended to a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seq = 0

    def metric(self, step: int, attempt: int = 1, **values: float) -> None:
        named = tuple((name.replace("__", "/"), value) for name, value in values.items())
        self._tell(Metric(stamp=self._stamp(attempt), step=step, epoch=0.0, values=named))

    def checkpoint(self, step: int) -> None:
        stamp = self._stamp(1)
        self._tell(Checkpoint(stamp=stamp, step=step, why="periodic", bytes=1, seconds=0.1))

    def _stamp(self, attempt: int) -> Stamp:
        self.seq += 1
        return Stamp(seq=self.seq, attempt=attempt, at=0.0, mono=0.0)

    def _tell(self, event: Event) -> None:
        with self.path.open("ab") as file:
            file.write(EVENT.dump_json(event) + b"\n")


def test_each_poll_reads_what_was_appended(tmp_path: Path) -> None:
    story = Story(tmp_path / "events.jsonl")
    curves = Curves(story.path)
    curves.refresh()
    assert curves.traces(curves.names) == ()

    story.metric(1, loss__train=3.0)
    curves.refresh()
    story.metric(2, loss__train=2.0)
    curves.refresh()

    assert curves.traces(("loss/train",)) == (
        Trace(name="loss/train", steps=(1, 2), values=(3.0, 2.0)),
    )
    assert curves.seq == 2


def test_a_resumed_attempt_replaces_the_steps_that_it_repeats(tmp_path: Path) -> None:
    story = Story(tmp_path / "events.jsonl")
    for step in (1, 2, 3):
        story.metric(step, loss__train=float(step))
    story.metric(2, attempt=2, loss__train=20.0)

    curves = Curves(story.path)
    curves.refresh()

    assert curves.traces(("loss/train",))[0].values == (1.0, 20.0, 3.0)
    assert Mark(step=2, kind="attempt", words="Went on here (attempt 2)") in curves.marks()


def test_marks_point_at_saves_and_at_the_best_version(tmp_path: Path) -> None:
    story = Story(tmp_path / "events.jsonl")
    story.metric(5, loss__held_out=2.0)
    story.checkpoint(5)
    story.metric(10, loss__held_out=1.5)
    story.metric(15, loss__held_out=1.5)

    curves = Curves(story.path)
    curves.refresh()

    assert [(mark.step, mark.kind) for mark in curves.marks()] == [(5, "checkpoint"), (10, "best")]


def test_numbers_that_are_not_finite_are_left_out(tmp_path: Path) -> None:
    story = Story(tmp_path / "events.jsonl")
    curves = Curves(story.path)
    stamp = Stamp(seq=1, attempt=1, at=0.0, mono=0.0)
    curves.apply([Metric(stamp=stamp, step=1, epoch=0.0, values=(("loss/train", math.nan),))])

    assert curves.traces(("loss/train",)) == ()
