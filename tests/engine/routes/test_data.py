"""The verbs of data over a real engine: from an upload to a fix, its undo, and a mix."""

import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from api_calls import wait_until

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord, Mapping, Mixing, MixPart
from tailor.engine.errors import UserError

PAIR = Mapping(shape="question_answer", question="question", answer="answer")
ROWS = [
    f"what do i do with {word} {n}?,read page {n}" for n in range(30) for word in ("oil", "gas")
]
TABLE = "question,answer\n" + "\n".join([*ROWS, *ROWS[:3]]) + "\n"


def read(
    client: EngineClient, folder: Path, *tables: str, choices: tuple[tuple[str, str], ...] = ()
) -> DatasetRecord:
    ids = []
    for number, table in enumerate(tables):
        path = folder / f"{uuid.uuid4().hex}.csv"
        path.write_text(table)
        ids.append(client.upload(path, f"rows {number}.csv").id)
    return done(client, client.add_dataset(ids, choices=choices))


def done(client: EngineClient, record: DatasetRecord) -> DatasetRecord:
    wait_until(lambda: client.dataset(record.id).status != "reading")
    return client.dataset(record.id)


def checks(record: DatasetRecord) -> set[str]:
    return {finding.check for finding in record.findings if not finding.is_skipped}


def test_a_finding_is_fixed_undone_and_skipped(client: EngineClient, tmp_path: Path) -> None:
    record = client.map(read(client, tmp_path, TABLE).id, PAIR)
    assert "duplicates" in checks(record)
    [fix] = [
        fix
        for finding in record.findings
        if finding.check == "duplicates"
        for fix in finding.fixes
        if fix.is_suggested
    ]
    fixed = client.fix(record.id, "duplicates", fix.id)
    assert "duplicates" not in checks(fixed)
    assert fixed.operations[0].rows == 3
    undone = client.undo(record.id)
    assert "duplicates" in checks(undone)
    assert undone.operations == ()
    assert "duplicates" not in checks(client.skip(record.id, "duplicates"))
    assert "duplicates" in checks(client.skip(record.id, "duplicates", is_skipped=False))


def test_a_record_tells_everything_about_a_dataset(client: EngineClient, tmp_path: Path) -> None:
    record = client.map(read(client, tmp_path, TABLE, "question,answer\nwhy?,so\nwho?,\n").id, PAIR)
    assert record.kind == "CSV"
    assert record.files == ("rows 0.csv", "rows 1.csv")
    assert record.title == "rows 0.csv and 1 more"
    assert record.done == 1.0
    assert (record.rows, record.physical_rows) == (65, 67)
    assert record.left_out == (("the answer is empty", 1),)
    assert record.rows == record.train_rows + record.held_out_rows + record.left_out_rows
    assert [(one.title, one.rows) for one in record.sources] == [
        ("rows 0.csv", 63),
        ("rows 1.csv", 2),
    ]
    assert sum(one.used_rows for one in record.sources) == record.train_rows
    assert record.choices


def test_choices_are_kept_and_can_be_made_anew(client: EngineClient, tmp_path: Path) -> None:
    record = read(client, tmp_path, TABLE, choices=(("headings", "none"),))
    assert record.rows == 64
    assert dict((one.id, one.value) for one in record.choices)["headings"] == "none"
    again = done(client, client.reread(record.id, [("headings", "")]))
    assert again.rows == 63
    assert again.columns == ("question", "answer")


def test_a_check_is_run_on_request(client: EngineClient, tmp_path: Path) -> None:
    record = client.map(read(client, tmp_path, TABLE + "who knows?,ask jo@example.org\n").id, PAIR)
    asked = done(client, client.request_check(record.id, "personal_data"))
    assert asked.extra_checks == ("personal_data",)
    assert "personal_data" in checks(asked)


def test_another_dataset_and_general_questions_are_mixed_in(
    client: EngineClient, tmp_path: Path
) -> None:
    own = client.map(read(client, tmp_path, TABLE).id, PAIR)
    other = client.map(
        read(client, tmp_path, TABLE.replace("oil", "tea").replace("gas", "rum")).id, PAIR
    )
    mixed = client.mix(
        own.id, Mixing(parts=(MixPart(dataset_id=other.id, weight=0.5),), general_share=0.2)
    )
    assert [one.used_rows > 0 for one in mixed.sources] == [True, True, True]
    assert sum(one.share for one in mixed.sources) == pytest.approx(1)
    assert mixed.mixing.general_share == 0.2


def test_every_verb_refuses_what_it_does_not_know(client: EngineClient, tmp_path: Path) -> None:
    record = read(client, tmp_path, TABLE)
    calls: list[Any] = [
        lambda: client.fix(record.id, "", "leave_out"),
        lambda: client.fix(record.id, "duplicates", "keep_first"),
        lambda: client.undo(record.id),
        lambda: client.skip(record.id, "nothing"),
        lambda: client.request_check(record.id, "nothing"),
        lambda: client.mix(record.id, Mixing(general_share=2)),
        lambda: client.reread(record.id, [("", "x")]),
        lambda: client.add_dataset([]),
    ]
    for call in calls:
        with pytest.raises(UserError):
            call()
    assert client.dataset(record.id) == record


def test_a_repeated_fix_is_done_once(
    client: EngineClient, raw: httpx.Client, tmp_path: Path
) -> None:
    record = client.map(read(client, tmp_path, TABLE).id, PAIR)
    headers = {"Idempotency-Id": uuid.uuid4().hex, "X-Tailor-Owner": "ada"}
    body = {"check": "lengths", "fix": "leave_out_rows", "value": "1"}
    answers = [
        raw.post(f"/v1/datasets/{record.id}/fixes", json=body, headers=headers, timeout=120).json()
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert len(client.dataset(record.id).operations) == 1


def test_somebody_elses_dataset_is_unknown_to_every_verb(
    client: EngineClient, home: Path, tmp_path: Path
) -> None:
    record = client.map(read(client, tmp_path, TABLE).id, PAIR)
    other = EngineClient(home, owner="bob")
    own = other.map(read(other, tmp_path, TABLE).id, PAIR)
    for call in (
        lambda: other.fix(record.id, "duplicates", "keep_first"),
        lambda: other.undo(record.id),
        lambda: other.skip(record.id, "duplicates"),
        lambda: other.request_check(record.id, "personal_data"),
        lambda: other.reread(record.id, []),
        lambda: other.mix(record.id, Mixing()),
        lambda: other.mix(own.id, Mixing(parts=(MixPart(dataset_id=record.id),))),
    ):
        with pytest.raises(UserError) as caught:
            call()
        assert caught.value.status == 404
    other.close()
