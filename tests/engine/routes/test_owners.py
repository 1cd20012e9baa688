"""What belongs to somebody else is as unknown as nothing, and no id leads to another verb."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from api_calls import submit, wait_for_status

from tailor.engine.client import EngineClient
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.recipes.spec import Message


def test_what_belongs_to_somebody_else_is_as_unknown_as_nothing(
    home: Path, client: EngineClient
) -> None:
    run = submit(client, steps=2)
    wait_for_status(client, run.id, "succeeded")
    draft = client.save_draft(Draft(id="mine"))
    dataset = client.add_example()
    job = client.render(dataset.id, client.models()[0].id) if client.models()[0].spec else None
    other = EngineClient(home, owner="bob")
    calls: list[Callable[[str], Any]] = [
        other.run,
        other.events,
        other.diary,
        other.series,
        other.log,
        other.stop,
        other.resume,
        other.delete,
        other.run_bytes,
        other.exports,
        lambda name: other.export(name, kind="merged"),
        lambda name: other.chat(name, (Message(role="user", content="Hello"),)),
    ]
    pairs = [(call, run.id, "run_20200101-xxxx") for call in calls]
    pairs += [(other.draft, draft.id, "none")]
    pairs += [(call, dataset.id, "ds_20200101-xxxx") for call in (other.dataset, other.rows)]
    pairs += [
        (lambda name: other.preview(name, Mapping(shape="text")), dataset.id, "ds_20200101-xxxx"),
        (lambda name: other.map(name, Mapping(shape="text")), dataset.id, "ds_20200101-xxxx"),
    ]
    if job is not None:
        pairs.append((other.job, job.id, "job_none"))
    for call, theirs, nobodys in pairs:
        told = []
        for name in (theirs, nobodys):
            with pytest.raises(UserError) as caught:
                call(name)
            told.append((str(caught.value).replace(name, "ID"), caught.value.status))
        assert told[0] == told[1]
        assert told[0][1] == 404
    other.close()
    assert other.runs() == ()
    assert other.drafts() == ()
    other.close()


@pytest.mark.parametrize("way", ["../runs/{}", "..%2Fruns%2F{}", "{}?", "..", ""])
def test_an_id_cannot_lead_to_another_verb(client: EngineClient, way: str) -> None:
    run = submit(client, steps=1)
    wait_for_status(client, run.id, "succeeded")

    with pytest.raises(UserError):
        client.delete_draft(way.format(run.id))

    assert client.run(run.id).id == run.id
