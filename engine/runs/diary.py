"""The diary of a run: its story in sentences, for a person who was away.

Most of what a run writes is numbers; what happened to it fits on a page. The supervisor asks here
for the sentence of each event and each decision and stores them in their order; "" means not worth
a line.
"""

from collections.abc import Iterable

from tailor.engine.events import Checkpoint, Event, Milestone, Phase, Warned
from tailor.engine.lifecycle import (
    Fact,
    Failed,
    FolderLost,
    Noted,
    ResumeAsked,
    RetryPlanned,
    SentBack,
    StopAsked,
    Stopped,
    Submitted,
    Succeeded,
    TurnCame,
)
from tailor.engine.types import DiaryLine, RunRecord

CHECKPOINT_WORDS = {
    "periodic": "Everything up to step {step} is saved.",
    "best": "Saved the best version so far, from step {step}.",
    "stop": "Saved at step {step} before stopping.",
    "asked": "Saved at step {step}, as asked.",
    "last": "Saved the last step, {step}.",
}


def describe_events(events: Iterable[Event]) -> tuple[DiaryLine, ...]:
    """One line for each event that is worth one."""
    described = (_describe_event(event) for event in events)
    return tuple(line for line in described if line is not None)


def describe_fact(fact: Fact, record: RunRecord) -> DiaryLine | None:
    """The line of a decision; `record` is the run after it."""
    match fact:
        case Submitted():
            words, level = "It was handed in and waits for its turn.", "note"
        case TurnCame():
            is_resumed = bool(fact.resume_from)
            words, level = ("It goes on." if is_resumed else "Its turn has come."), "note"
        case StopAsked():
            how = "after saving" if fact.mode == "keep" else "at once, without saving"
            words, level = f"{fact.who} asked it to stop {how}.", "note"
        case Succeeded() | Stopped() | SentBack() | ResumeAsked():
            words, level = record.reason, "note"
        case Failed():
            words, level = f"{record.reason} {record.fix}".strip(), "care"
        case FolderLost() | RetryPlanned():
            words, level = record.reason, "care"
        case Noted():
            words, level = fact.words, fact.level
        case _:
            return None
    return DiaryLine(at=fact.at, words=words, level="care" if level == "care" else "note")


def _describe_event(event: Event) -> DiaryLine | None:
    at = event.stamp.at
    match event:
        case Phase() | Milestone():
            return DiaryLine(at=at, words=event.words, level="note")
        case Checkpoint():
            words = CHECKPOINT_WORDS[event.why].format(step=event.step)
            return DiaryLine(at=at, words=words, level="note")
        case Warned():
            title = event.title if event.title.endswith((".", "?")) else f"{event.title}."
            words = " ".join(part for part in (title, event.detail, event.fix) if part)
            return DiaryLine(at=at, words=words, level="care")
        case _:
            return None
