"""The verbs of drafts: projects that are being set up, saved at every change.

A second tab must not overwrite the first unseen, so each save names the revision it began from. The
store keeps them.
"""

from dataclasses import replace

from fastapi import APIRouter, Response

from tailor.engine.errors import UserError
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Id, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.parts import Parts
from tailor.engine.types import Draft
from tailor.estimator.record import record

ROUTER = APIRouter(prefix="/v1", tags=["drafts"])

CONFLICT = 409


@record
class DraftBody:
    """Body of a save."""

    draft: Draft


@ROUTER.get("/drafts", response_model=tuple[Draft, ...])
def list_drafts(parts: EngineParts, owner: Owner) -> Response:
    """The owner's drafts, last touched first."""
    return answer(tuple[Draft, ...], parts.store.list_drafts(owner))


@ROUTER.get("/drafts/{draft_id}", response_model=Draft)
def show_draft(draft_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """One draft."""
    return answer(Draft, parts.store.get_draft(owner, draft_id))


@ROUTER.put("/drafts/{draft_id}", response_model=Draft)
def save_draft(draft_id: Id, body: DraftBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Save; refused with status 409 when another tab saved a newer revision."""
    draft = replace(body.draft, id=draft_id, owner=write.owner)
    return write.once(Draft, lambda: _save(parts, draft))


@ROUTER.delete("/drafts/{draft_id}", response_model=None)
def delete_draft(draft_id: Id, write: WriteOnce, parts: EngineParts) -> Response:
    """Forget a draft; its runs stay."""
    return write.once(None, lambda: parts.store.delete_draft(write.owner, draft_id))


def _save(parts: Parts, draft: Draft) -> Draft:
    try:
        return parts.store.save_draft(draft)
    except UserError as error:
        if error.status != CONFLICT:
            raise
        # An engine killed between saving and answering is asked again; then this draft is there.
        stored = parts.store.get_draft(draft.owner, draft.id)
        if stored == replace(draft, revision=draft.revision + 1, updated_at=stored.updated_at):
            return stored
        raise
