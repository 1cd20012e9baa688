"""The verbs of settings: what a person told about costs, read and kept.

One noun an owner, so there is no id in the address. `tailor.engine.settings` checks and keeps it.
"""

from fastapi import APIRouter, Response

from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.settings import Settings, read_settings, save_settings
from tailor.estimator.record import record

ROUTER = APIRouter(prefix="/v1", tags=["settings"])


@record
class SettingsBody:
    """Body of a save."""

    settings: Settings


@ROUTER.get("/settings", response_model=Settings)
def show_settings(parts: EngineParts, owner: Owner) -> Response:
    """The owner's prices; empty where nothing was told."""
    return answer(Settings, read_settings(parts.home, owner))


@ROUTER.put("/settings", response_model=Settings)
def keep_settings(body: SettingsBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Keep the owner's prices; refused in words when one makes no sense."""
    return write.once(Settings, lambda: save_settings(parts.home, write.owner, body.settings))
