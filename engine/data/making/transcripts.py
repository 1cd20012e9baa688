"""A conversation written down as text: "Human: ..." and "Assistant: ..." under one another.

Preference sets, help desks and copies out of a chat window keep whole conversations in one cell,
with a mark in front of each turn. Which names are marks is decided by the first two of a cell, so
that a line such as "Answer: 42" inside a turn stays what it is. `turns` reads cells with it.
"""

import re
from collections.abc import Iterator
from itertools import islice

from tailor.engine.data.making.speakers import find_role

Said = tuple[str, str]
"""Who speaks, and what is said."""
TURNS_MOST = 10_000
"""More marks than any conversation has turns: a list of something else."""

# Every run is bounded: a line may be a megabyte of spaces, and is looked at in one go.
_TIME = r"(?:[\[(]?\d{1,4}[\d:./,\- T]{0,24}(?:[ap]\.?m\.?)?[\])]?[ \t]{0,3}[-–]?[ \t]{0,3})?"
_MARK = re.compile(
    rf"(?:^|(?=\#\#\# ))[ \t]{{0,20}}{_TIME}(?:\#{{1,4}}[ \t]{{0,3}}|\*\*|\[)?"
    r"(?P<name>[^\W\d_][\w '.-]{0,30}?)(?:\*\*|\])?[ \t]?[:：](?:\*\*)?[ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_SHORT = {"q": "question", "a": "answer", "问": "question", "答": "answer"}
# ChatML, Llama 3 and Zephyr: what a template made of a conversation once, and it can be undone.
_TEMPLATED = re.compile(
    r"<\|(?:im_start\|>|start_header_id\|>)?(?P<name>system|user|assistant|tool|ipython)"
    r"(?:<\|end_header_id\|>|\|>)?\s*(?P<said>.*?)"
    r"(?=<\|(?:im_start|start_header_id|system|user|assistant|tool|eot_id|im_end|end)\b|</s>|\Z)",
    re.DOTALL,
)
_TEMPLATE_START = re.compile(
    r"(?:<s>|<\|begin_of_text\|>)?\s{0,9}<\|(?:im_start|start_header_id|system|user)\b"
)
_INSTRUCTED_START = re.compile(r"(?:<s>)?\s{0,9}\[INST\]")
_INSTRUCTED = re.compile(
    r"\[INST\](?P<asked>.*?)\[/INST\](?P<said>.*?)(?=</s>|<s>|\[INST\]|\Z)", re.DOTALL
)
_STANDING = re.compile(r"<<SYS>>(?P<standing>.*?)<</SYS>>(?P<asked>.*)", re.DOTALL)


def split_transcript(text: str, answers_of: str = "") -> list[Said]:
    """The turns of a conversation that is written as text; none when it is no such text."""
    if _TEMPLATE_START.match(text.lstrip()):
        found = list(islice(_TEMPLATED.finditer(text), TURNS_MOST + 1))
        turns = [(turn["name"], turn["said"].strip()) for turn in found]
        return turns if len(turns) <= TURNS_MOST else []
    if _INSTRUCTED_START.match(text.lstrip()):
        return list(_instructed(text))
    marks = list(islice(_marks(text, answers_of), TURNS_MOST + 1))
    if not marks or len(marks) > TURNS_MOST or text[: marks[0][1]].strip():
        return []
    ends = [*(start for _, start, _ in marks[1:]), len(text)]
    said = [
        (name, text[after:end].strip()) for (name, _, after), end in zip(marks, ends, strict=True)
    ]
    roles = {find_role(name, answers_of) for name, _ in said}
    return said if {"user", "assistant"} <= roles else []


def _instructed(text: str) -> Iterator[Said]:
    """The turns of a text in the form of Llama 2 and Mistral."""
    for turn in islice(_INSTRUCTED.finditer(text), TURNS_MOST):
        asked = turn["asked"].strip()
        if standing := _STANDING.match(asked):
            yield "system", standing["standing"].strip()
            asked = standing["asked"].strip()
        yield "user", asked
        yield "assistant", turn["said"].strip()


def _marks(text: str, answers_of: str) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of each mark that begins a turn."""
    used: dict[str, str] = {}
    for match in _MARK.finditer(text):
        name = match["name"].strip()
        name = _SHORT.get(name.casefold(), name)
        role = find_role(name, answers_of if name.casefold() == answers_of.casefold() else "")
        if role is None or used.setdefault(role, name.casefold()) != name.casefold():
            continue
        yield name, match.start(), match.end()
