"""Every row is used or left out with a reason, and the file holds exactly what was shown."""

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tailor.engine.data.left_out import LeftOut
from tailor.engine.data.mapped import write_mapped
from tailor.engine.data.preview import make_preview
from tailor.engine.data.report import MapReport
from tailor.engine.data.request import MapOrder
from tailor.engine.data.rows_file import open_rows
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError

Read = Callable[..., Any]
PAIR = Mapping(shape="question_answer", question="question", answer="answer")


def map_rows(found: Any, mapping: Mapping = PAIR) -> tuple[MapReport, list[dict[str, Any]]]:
    path = found.path.with_suffix(".mapped")
    order = MapOrder(mapping=mapping, title="rows.csv")
    report = write_mapped(found.path, found.report, order, path, lambda share, words: None)
    assert report.content_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    with pyarrow.memory_map(str(path)) as source:
        rows: list[dict[str, Any]] = pyarrow.ipc.open_file(source).read_all().to_pylist()
    return report, rows


def titles(report: MapReport) -> list[str]:
    return [f"{finding.level}: {finding.title}" for finding in report.findings]


def random_cell(chance: random.Random) -> str:
    plain = ["", " ", "word", "two words", "a,b", 'say "hi"', "line\nbreak", "NA", "é", "x" * 50]
    return chance.choice(plain)


@pytest.mark.parametrize("seed", range(25))
def test_rows_read_are_rows_used_and_rows_left_out(read: Read, seed: int) -> None:
    chance = random.Random(seed)
    quoted = ['"' + random_cell(chance).replace('"', '""') + '"' for _ in range(4)]
    lines = ["question,answer"]
    for number in range(chance.randrange(20, 120)):
        cells = [
            chance.choice([random_cell(chance).replace("\n", " ").replace(",", ";"), *quoted])
            for _ in "qa"
        ]
        lines.append(f"{number} " + ",".join(cells) + ",extra" * (chance.random() < 0.05))
        lines += [""] * (chance.random() < 0.05)
    found = read("\n".join(lines))
    report, rows = map_rows(found)
    left_out = sum(number for _, number in report.left_out)
    assert found.report.rows == report.train_rows + report.held_out_rows + left_out
    assert len(rows) == report.train_rows + report.held_out_rows
    assert len({row["id"] for row in rows}) == len(rows)
    assert [row["split"] for row in rows].count("held_out") == report.held_out_rows
    for row in rows:
        question, answer = (turn["content"] for turn in json.loads(row["messages"]))
        assert [question, answer] == list(found.rows[row["id"] - 1].cells)


def test_the_preview_is_what_is_trained(read: Read) -> None:
    found = read("question,answer\n" + "".join(f"q{n},{' a' * n}\n" for n in range(80)))
    _, rows = map_rows(found)
    with open_rows(found.path) as source:
        shown = make_preview(source, found.report.columns, PAIR)
    assert len(shown) == 3
    trained = {row["id"]: json.loads(row["messages"]) for row in rows}
    for one in shown:
        assert trained[one.row_id] == [
            {"role": turn.role, "content": turn.content} for turn in one.messages
        ]


def test_a_preview_of_columns_without_text_says_why(read: Read) -> None:
    found = read("question,answer\n" + "q,\n" * 12)
    with (
        open_rows(found.path) as source,
        pytest.raises(UserError, match="in 12 the answer is empty"),
    ):
        make_preview(source, found.report.columns, PAIR)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (3, "stop: Too few examples"),
        (9, "stop: Too few examples"),
        (10, "warn: Few examples"),
        (49, "warn: Few examples"),
        (50, "note: Enough to try"),
        (500, ""),
    ],
)
def test_few_rows_are_told(read: Read, rows: int, told: str) -> None:
    found = read("question,answer\n" + "".join(f"what is {n}?,it is {n}\n" for n in range(rows)))
    report, _ = map_rows(found)
    sizes = {"stop: Too few examples", "warn: Few examples", "note: Enough to try"}
    assert [title for title in titles(report) if title in sizes] == ([told] if told else [])
    assert ("warn: No honest score is possible" in titles(report)) == (10 <= rows < 25)
    assert len(report.exam) == min(10, report.held_out_rows)


def test_what_the_doctor_found_is_told_with_its_lines(read: Read) -> None:
    lines = [f"q{n},a{n}" for n in range(60)] + ["Q3 ,a3"]
    report, _ = map_rows(read("question,answer\n" + "\n".join(lines)))
    [repeated] = [finding for finding in report.findings if "repeated" in finding.title]
    assert repeated.where == "line 62"
    assert repeated.row_ids == (61,)


def test_rows_left_out_are_counted_by_reason_with_their_places(read: Read) -> None:
    lines = [f"q{n},a{n}" for n in range(60)] + ["q,", ",a", "a,b,c", "x, "]
    report, _ = map_rows(read("question,answer\n" + "\n".join(lines)))
    assert dict(report.left_out) == {
        "the answer is empty": 2, "the question is empty": 1, "the row is damaged": 1,
    }  # fmt: skip
    told = [finding for finding in report.findings if "empty" in finding.title]
    assert [finding.count for finding in told] == [3]


def test_reasons_that_name_what_is_in_the_row_do_not_flood_the_report() -> None:
    left_out = LeftOut()
    for number in range(500):
        left_out.add(f"the speaker “{number}” is not known", number, f"line {number}")
    assert sum(number for _, number in left_out.counts()) == 500
    assert len(left_out.counts()) <= 21
    assert len(list(left_out.findings(set()))) <= 21


def test_no_usable_row_is_refused_and_leaves_no_file(read: Read) -> None:
    found = read("question,answer\nq,\nr,\n")
    path = found.path.with_suffix(".mapped")
    with pytest.raises(UserError, match="in 2 the answer is empty"):
        write_mapped(
            found.path, found.report, MapOrder(mapping=PAIR), path, lambda share, words: None
        )
    assert not path.exists()


def test_a_split_of_the_file_is_kept_and_a_leak_in_it_stops(read: Read) -> None:
    lines = [f"q{n},a{n},{'test' if n % 4 == 0 else 'train'}" for n in range(80)]
    lines.append("Q0,a0,train")
    report, rows = map_rows(read("question,answer,split\n" + "\n".join(lines)))
    assert (report.train_rows, report.held_out_rows) == (61, 20)
    assert "note: Your own split is used" in titles(report)
    assert [finding.check for finding in report.findings if finding.level == "stop"] == ["leak"]
    assert {row["id"] for row in rows if row["split"] == "held_out"} == set(range(1, 81, 4))


def test_running_text_has_rows_but_no_exam(read: Read) -> None:
    found = read("text\n" + "".join(f"a story about {n}\n" for n in range(60)))
    report, rows = map_rows(found, Mapping(shape="text", text="text"))
    assert report.exam == ()
    assert all(row["messages"] == "" and row["text"].startswith("a story") for row in rows)


def test_naughty_cells_reach_training_byte_for_byte(read: Read, tmp_path: Path) -> None:
    naughty = [
        "=cmd|' /C calc'!A0",
        "+1",
        "-1",
        "@SUM(1)",
        "<img src=x onerror=alert(1)>",
        "$$x$$",
        "\u202eabc",
        "💥",
        "' OR 1=1",
    ]
    text = "question,answer\n" + "".join(f'"{cell}","{cell}"\n' for cell in naughty * 2)
    _, rows = map_rows(read(text))
    assert [json.loads(row["messages"])[1]["content"] for row in rows] == naughty * 2
