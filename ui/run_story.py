"""What the Run and Results screens read from a run's events: answers, phases and the last news.

The engine keeps the story; the wizard reads it again instead of remembering it, so a reload, a
second viewer and a new UI process see the same. A tick asks only for what is newer than its cursor.
"""

from tailor.engine.client import EngineClient
from tailor.engine.events import Checkpoint, Milestone, Phase, Sample, Warned
from tailor.estimator.record import record

PAGE_EVENTS = 500
"""As many as the engine gives in one answer."""
TOLD = (Phase, Milestone, Warned, Checkpoint)
"""Events that may add a line to the diary."""


@record
class Story:
    """The part of a run's events that is shown whole."""

    samples: tuple[Sample, ...] = ()
    phases: tuple[Phase, ...] = ()
    has_told: bool = False
    """Whether there is an event that may stand in the diary."""
    last_seq: int = 0


def read_story(client: EngineClient, run_id: str, *, after: int = 0) -> Story:
    """Everything with a `seq` above `after`, page by page."""
    samples: list[Sample] = []
    phases: list[Phase] = []
    has_told = False
    while events := client.events(run_id, after=after, limit=PAGE_EVENTS):
        samples += [event for event in events if isinstance(event, Sample)]
        phases += [event for event in events if isinstance(event, Phase)]
        has_told = has_told or any(isinstance(event, TOLD) for event in events)
        after = events[-1].stamp.seq
        if len(events) < PAGE_EVENTS:
            break
    return Story(samples=tuple(samples), phases=tuple(phases), has_told=has_told, last_seq=after)
