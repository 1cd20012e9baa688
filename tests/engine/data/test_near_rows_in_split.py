"""Rows in which one word was changed, with the real doctor: never on both sides, and found if they are."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tailor.engine.data.mapped import write_mapped
from tailor.engine.data.report import MapReport
from tailor.engine.data.request import MapOrder
from tailor.engine.data_types import Mapping

Read = Callable[..., Any]
PAIR = Mapping(shape="question_answer", question="question", answer="answer")
WORDS = [
    "pump", "valve", "belt", "motor", "filter", "screw", "bearing", "gasket", "wheel", "chain", "lever", "spring", "cable", "switch", "lamp", "fuse", "tank", "hose", "clamp", "rail", "door", "hinge", "brake", "clutch", "piston", "rotor", "blade", "nozzle", "sensor", "meter", "gauge", "relay", "north", "south", "east", "west", "upper", "lower", "inner", "outer", "small", "large", "early", "late", "warm", "cold", "dry", "wet", "loud", "quiet",
]  # fmt: skip
PLANTED = 20


def sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words))


def one_word_changed(chance: random.Random, text: str) -> str:
    words = text.split()
    place = chance.randrange(len(words))
    words[place] = chance.choice([word for word in WORDS if word != words[place]])
    return " ".join(words)


def plant(seed: int) -> tuple[list[tuple[str, str]], list[tuple[int, int]]]:
    """Rows in a random order, and the places of the rows that are nearly the same."""
    chance = random.Random(seed)
    rows = [(sentence(chance, chance.randrange(8, 20)), sentence(chance, 12)) for _ in range(400)]
    twins = [(one_word_changed(chance, rows[n][0]), rows[n][1]) for n in range(PLANTED)]
    order = list(range(len(rows) + PLANTED))
    chance.shuffle(order)
    place = {number: index for index, number in enumerate(order)}
    everything = [*rows, *twins]
    return (
        [everything[number] for number in order],
        [(place[n] + 1, place[len(rows) + n] + 1) for n in range(PLANTED)],
    )


def map_rows(found: Any, mapping: Mapping = PAIR) -> tuple[MapReport, dict[int, str]]:
    path: Path = found.path.with_suffix(".mapped")
    report = write_mapped(
        found.path, found.report, MapOrder(mapping=mapping), path, lambda share, words: None
    )
    with pyarrow.memory_map(str(path)) as source:
        table = pyarrow.ipc.open_file(source).read_all()
        sides = zip(table["id"].to_pylist(), table["split"].to_pylist(), strict=True)
        return report, dict(sides)


@pytest.mark.parametrize("seed", range(10))
def test_rows_with_one_word_changed_are_on_one_side(read: Read, seed: int) -> None:
    rows, pairs = plant(seed)
    text = "question,answer\n" + "".join(f"{question},{answer}\n" for question, answer in rows)
    report, sides = map_rows(read(text))
    assert report.held_out_rows == 42
    assert [pair for pair in pairs if sides[pair[0]] != sides[pair[1]]] == []


def test_twenty_of_twenty_are_found_where_the_data_brings_its_own_split(read: Read) -> None:
    rows, pairs = plant(11)
    tested = {twin for _, twin in pairs}
    lines = (
        f"{question},{answer},{'test' if number in tested else 'train'}\n"
        for number, (question, answer) in enumerate(rows, start=1)
    )
    report, sides = map_rows(read("question,answer,split\n" + "".join(lines)))
    assert {number for number, side in sides.items() if side == "held_out"} == tested
    [leak] = [finding for finding in report.findings if finding.check == "leak"]
    assert leak.level == "stop"
    assert leak.count == PLANTED
    assert set(leak.row_ids) == {first for first, _ in pairs}


def test_rows_of_a_group_stay_on_one_side(read: Read) -> None:
    rows, _ = plant(12)
    lines = "".join(f"{question},{answer},G{n % 60}\n" for n, (question, answer) in enumerate(rows))
    grouped = Mapping(shape="question_answer", question="question", answer="answer", group="plant")
    report, sides = map_rows(read("question,answer,plant\n" + lines), grouped)
    assert report.held_out_rows >= 20
    for group in range(60):
        assert len({sides[n] for n in range(group + 1, len(rows) + 1, 60)}) == 1


def test_code_of_one_file_stays_on_one_side(read: Read) -> None:
    chance = random.Random(3)
    lines = "".join(
        f"{sentence(chance, 9)},{sentence(chance, 5)},{sentence(chance, 6)},src/file_{n % 40}.py\n"
        for n in range(400)
    )
    middle = Mapping(shape="middle", before="before", answer="middle", after="after")
    report, sides = map_rows(read("before,middle,after,path\n" + lines), middle)
    assert report.held_out_rows >= 20
    for file in range(40):
        assert len({sides[n] for n in range(file + 1, 401, 40)}) == 1


def test_turns_of_one_thread_stay_on_one_side(read: Read) -> None:
    chance = random.Random(4)
    lines = "".join(f"{sentence(chance, 9)},{sentence(chance, 8)},t{n // 5}\n" for n in range(400))
    threaded = Mapping(
        shape="question_answer", question="question", answer="answer", thread="conversation"
    )
    report, sides = map_rows(read("question,answer,conversation\n" + lines), threaded)
    assert report.held_out_rows >= 20
    for first in range(1, 401, 5):
        assert len({sides[n] for n in range(first, first + 5)}) == 1
