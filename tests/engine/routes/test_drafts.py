"""A draft survives, and a second tab is told that it was changed."""

from dataclasses import replace

import pytest

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.types import Draft


def test_a_draft_survives_and_a_second_tab_is_told(client: EngineClient) -> None:
    first = client.save_draft(Draft(id="d1", title="Notes"))
    second = client.save_draft(replace(first, title="Better notes"))

    assert second.revision == first.revision + 1
    assert client.draft("d1").title == "Better notes"
    assert client.drafts()[0].id == "d1"
    with pytest.raises(UserError) as caught:
        client.save_draft(replace(first, title="From the other tab"))
    assert caught.value.status == 409
    assert client.draft("d1").title == "Better notes"

    client.delete_draft("d1")
    with pytest.raises(UserError):
        client.draft("d1")


def test_saving_the_same_thing_again_after_a_lost_answer_is_no_conflict(
    client: EngineClient,
) -> None:
    draft = Draft(id="d2", title="Once")
    first = client.save_draft(draft)

    assert client.save_draft(draft) == first
