"""Calls to the engine: one pooled connection, an engine that is away is waited for.

The verbs of the client are one line each because everything about the wire is here: where the
engine listens (`engine.json`), how nouns become JSON, how an error becomes the `UserError` it was.
`client` and `data_verbs` build on it.
"""

import json
import time
import uuid
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.http.unix_transport import UnixTransport

T = TypeVar("T")

RESTART_WAIT_SECONDS = 10.0
"""How long a call waits for an engine that is being restarted."""


class Calls:
    """Requests in the name of one owner."""

    def __init__(self, home: Path, *, owner: str = "") -> None:
        """`owner` empty means the UNIX user; the wizard passes its signed-in user."""
        self.home = home
        self.owner = owner
        self._http: httpx.Client | None = None

    def close(self) -> None:
        """Let go of the connection."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def read(self, kind: type[T], verb: str, path: str, body: Any = None) -> T:
        """Ask for something."""
        told: T = _adapter(kind).validate_python(self.call(verb, path, body))
        return told

    def write(
        self, kind: type[T], verb: str, path: str, body: dict[str, Any], idempotency_id: str = ""
    ) -> T:
        """Change something, once only however often the request is repeated."""
        answer = self.call(verb, path, body, idempotency_id or uuid.uuid4().hex)
        told: T = _adapter(kind).validate_python(answer)
        return told

    def call(self, verb: str, path: str, body: Any = None, idempotency_id: str = "") -> Any:
        """One request; waits for an engine that is away, raises the engine's own `UserError`."""
        headers = {"X-Tailor-Owner": self.owner} if self.owner else {}
        if idempotency_id:
            headers["Idempotency-Id"] = idempotency_id
        deadline = time.monotonic() + RESTART_WAIT_SECONDS
        pause_seconds = 0.05
        while True:
            try:
                answer = self._connection().request(verb, path, json=body, headers=headers)
                return _checked(answer)
            except (httpx.TransportError, FileNotFoundError) as gone:
                self.close()
                if time.monotonic() > deadline:
                    raise UserError(
                        title="Tailor's engine does not answer",
                        detail=f"It was asked for {RESTART_WAIT_SECONDS:.0f} seconds.",
                        fix="Start it again with: python app.py. Your runs go on without it.",
                        status=503,
                    ) from gone
                time.sleep(pause_seconds)
                pause_seconds = min(1.0, pause_seconds * 2)

    def _connection(self) -> httpx.Client:
        """The pooled connection to the address in `engine.json`, read anew after each failure."""
        if self._http is None:
            address = json.loads((self.home / "engine" / "engine.json").read_text("utf-8"))
            self._http = httpx.Client(
                transport=UnixTransport(Path(address["socket"])),
                base_url="http://engine",
                timeout=30.0,
            )
        return self._http


def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Made once a kind: one for a large noun takes longer to make than a call (16 ms measured)."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def url_part(name: str) -> str:
    """An id as one part of a path: nothing in it, dots included, can lead to another place."""
    return quote(name, safe="").replace(".", "%2E")


def plain(noun: Any) -> Any:
    """A noun as plain JSON data."""
    return _adapter(type(noun)).dump_python(noun, mode="json")


def _checked(answer: httpx.Response) -> Any:
    if answer.is_success:
        return answer.json() if answer.content else None
    problem = answer.json()
    raise UserError(
        title=problem["title"],
        detail=problem["detail"],
        fix=problem["fix"],
        status=answer.status_code,
    )
