"""Other datasets and general questions beside one's own: counted, never twice, never held out."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tailor.engine.data.mixing import GENERAL
from tailor.engine.data_types import DatasetRecord, Mapping, Mixing, MixPart
from tailor.engine.errors import UserError

OWNER = "ada"
PAIR = Mapping(shape="question_answer", question="question", answer="answer")


def table(topic: str, rows: int) -> str:
    lines = (
        f"how is {topic} number {n * 37} {'kept ' * (n % 5)}?,{topic} {n}" for n in range(rows)
    )
    return "question,answer\n" + "\n".join(lines) + "\n"


def mapped(shelf: Any, content: str, name: str = "rows.csv") -> DatasetRecord:
    record: DatasetRecord = shelf.library.map(OWNER, shelf.place(content, name).id, PAIR)
    return record


def file_rows(shelf: Any, dataset_id: str) -> list[dict[str, Any]]:
    path = shelf.library.render_request(OWNER, dataset_id)["path"]
    with pyarrow.memory_map(path) as source:
        rows: list[dict[str, Any]] = pyarrow.ipc.open_file(source).read_all().to_pylist()
    return rows


def mix(shelf: Any, record: DatasetRecord, *parts: MixPart, general: float = 0.0) -> DatasetRecord:
    mixing = Mixing(parts=parts, general_share=general)
    made: DatasetRecord = shelf.library.mix(OWNER, record.id, mixing)
    return made


def test_weights_are_shares_and_every_row_comes_once(shelf: Any) -> None:
    own, other = mapped(shelf, table("bread", 100)), mapped(shelf, table("wine", 400), "wine.csv")
    mixed = mix(shelf, own, MixPart(dataset_id=other.id, weight=3.0))
    assert [(one.title, one.rows, one.used_rows) for one in mixed.sources] == [
        ("rows.csv", 100, 80),
        ("wine.csv", 360, 240),
    ]
    assert [one.share for one in mixed.sources] == [0.25, 0.75]
    rows = file_rows(shelf, own.id)
    assert Counter(row["source"] for row in rows) == {"": 100, other.id: 240}
    assert len({(row["source"], row["id"]) for row in rows}) == len(rows)
    assert {row["split"] for row in rows if row["source"]} == {"train"}
    request = shelf.library.render_request(OWNER, own.id)
    assert (request["train_rows"], request["held_out_rows"]) == (320, 20)
    assert (mixed.train_rows, mixed.held_out_rows, mixed.left_out_rows) == (80, 20, 0)


def test_held_out_rows_of_another_dataset_stay_out(shelf: Any) -> None:
    own, other = mapped(shelf, table("bread", 100)), mapped(shelf, table("wine", 100), "wine.csv")
    mix(shelf, own, MixPart(dataset_id=other.id, weight=100.0))
    held = {row["id"] for row in file_rows(shelf, other.id) if row["split"] == "held_out"}
    used = {row["id"] for row in file_rows(shelf, own.id) if row["source"] == other.id}
    assert held
    assert not held & used
    assert len(used) == 80


def test_what_is_held_out_or_learned_here_is_not_learned_from_elsewhere(shelf: Any) -> None:
    own, same = mapped(shelf, table("bread", 100)), mapped(shelf, table("BREAD", 130), "more.csv")
    mixed = mix(shelf, own, MixPart(dataset_id=same.id, weight=10.0))
    held = [
        json.loads(row["messages"])[0]["content"]
        for row in file_rows(shelf, own.id)
        if row["split"] == "held_out"
    ]
    used = [
        json.loads(row["messages"])[0]["content"]
        for row in file_rows(shelf, own.id)
        if row["source"]
    ]
    assert not {text.casefold() for text in held} & {text.casefold() for text in used}
    assert 0 < mixed.sources[1].used_rows <= 30


def test_the_same_data_gives_the_same_mix(shelf: Any) -> None:
    own, other = mapped(shelf, table("bread", 100)), mapped(shelf, table("wine", 400))
    part = MixPart(dataset_id=other.id, weight=0.5)
    first = mix(shelf, own, part, general=0.2)
    chosen = file_rows(shelf, own.id)
    mix(shelf, own)
    assert mix(shelf, own, part, general=0.2).sources == first.sources
    assert file_rows(shelf, own.id) == chosen


def test_general_questions_make_the_share_that_was_asked_for(shelf: Any) -> None:
    own = mapped(shelf, table("bread", 200))
    mixed = mix(shelf, own, general=0.25)
    assert mixed.sources[-1].title == "General questions"
    assert mixed.sources[-1].used_rows == 60
    assert mixed.sources[-1].share == 0.25
    assert sum(one.share for one in mixed.sources) == pytest.approx(1)
    general = [row for row in file_rows(shelf, own.id) if row["source"] == "general"]
    assert [row["id"] for row in general] == [0] * 60
    assert len({row["messages"] for row in general}) == 60


def test_too_few_general_questions_are_told(shelf: Any) -> None:
    mixed = mix(shelf, mapped(shelf, table("bread", 900)), general=0.5)
    [note] = [one for one in mixed.findings if "general questions" in one.title]
    assert "50%" in note.detail
    assert mixed.sources[-1].used_rows == mixed.sources[-1].rows < 100


def test_mixing_stays_through_fixes_and_can_be_taken_out(shelf: Any) -> None:
    own = mapped(shelf, table("bread", 100))
    mixed = mix(shelf, own, general=0.2)
    fixed = shelf.library.fix(OWNER, own.id, "lengths", "leave_out_rows", "1,2")
    assert fixed.mixing == mixed.mixing
    assert len(fixed.sources) == 2
    assert len(mix(shelf, own).sources) == 1
    assert {row["source"] for row in file_rows(shelf, own.id)} == {""}


def test_the_page_of_rows_shows_its_own_sides_only(shelf: Any) -> None:
    own, other = mapped(shelf, table("bread", 100)), mapped(shelf, table("wine", 400))
    before = shelf.library.rows(OWNER, own.id, limit=200)
    mix(shelf, own, MixPart(dataset_id=other.id), general=0.3)
    assert shelf.library.rows(OWNER, own.id, limit=200) == before


@pytest.mark.parametrize(
    ("mixing", "title"),
    [
        (Mixing(parts=(MixPart(dataset_id="ds_20260101-zzzz"),)), "This dataset is not here"),
        (Mixing(parts=(MixPart(dataset_id="../../x"),)), "This dataset is not here"),
        (Mixing(general_share=0.6), "This share cannot be used"),
        (Mixing(general_share=-0.1), "This share cannot be used"),
        (Mixing(general_share=float("nan")), "This share cannot be used"),
    ],
)
def test_a_mix_that_cannot_be_made_is_refused(shelf: Any, mixing: Mixing, title: str) -> None:
    own = mapped(shelf, table("bread", 40))
    with pytest.raises(UserError, match=title):
        shelf.library.mix(OWNER, own.id, mixing)
    assert shelf.library.dataset(OWNER, own.id) == own


def test_datasets_that_do_not_go_together_are_refused(shelf: Any) -> None:
    own = mapped(shelf, table("bread", 40))
    raw, text = shelf.place(table("wine", 40)), shelf.place(table("beer", 40))
    shelf.library.map(OWNER, text.id, Mapping(shape="text", text="answer"))
    for part, title in (
        (MixPart(dataset_id=own.id), "only once"),
        (MixPart(dataset_id=raw.id), "not ready"),
        (MixPart(dataset_id=text.id), "cannot be learned together"),
        (MixPart(dataset_id=text.id, weight=0.0), "weight cannot be used"),
    ):
        with pytest.raises(UserError, match=title):
            mix(shelf, own, part)
    assert shelf.library.dataset(OWNER, own.id) == own


def test_the_general_questions_are_many_different_and_short() -> None:
    with Path(GENERAL.path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 80
    assert len({row["question"].casefold() for row in rows}) == len(rows)
    assert all(row["question"].strip() and 0 < len(row["answer"]) <= 300 for row in rows)
