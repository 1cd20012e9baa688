"""Every write happens once: a repeated request gets the answer of the first one.

A client that lost the connection cannot know whether its write was done, so it sends it again under
the same id. Routes wrap each effect in `Write.once`; the answers are kept in the store.
"""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Response
from fastapi import Request as HttpRequest

from tailor.engine.errors import UserError
from tailor.engine.http.answer import render_json
from tailor.engine.http.caller import parts_of, read_owner
from tailor.engine.parts import Parts
from tailor.engine.runs.change import Request

_LOCKS = tuple(threading.Lock() for _ in range(64))
"""Of two requests with one id the second waits. Ids share locks, so nothing grows."""


@dataclass(frozen=True)
class Write:
    """One write request of one owner."""

    parts: Parts
    owner: str
    id: str
    verb: str
    body_hash: str

    def once(self, kind: Any, effect: Callable[[], Any]) -> Response:
        """Do it and keep the answer, or give the kept answer of the same request."""
        store = self.parts.store
        with _LOCKS[hash(self.id) % len(_LOCKS)]:
            answer = store.lookup_answer(self.owner, self.id, self.verb, self.body_hash)
            if answer is None:
                answer = render_json(kind, effect()).decode()
                store.remember_answer(
                    Request(
                        owner=self.owner,
                        id=self.id,
                        verb=self.verb,
                        body_hash=self.body_hash,
                        answer=answer,
                    )
                )
        return Response(answer, media_type="application/json")


async def read_write(request: HttpRequest) -> Write:
    """The write that a request asks for."""
    request_id = request.headers.get("Idempotency-Id", "")
    if not 1 <= len(request_id) <= 128:
        raise UserError(
            title="This request has no id",
            detail="Every change carries a header Idempotency-Id of 1 to 128 characters.",
            fix="Send a fresh random id with each change, and the same one when you repeat it.",
            status=400,
        )
    return Write(
        parts=parts_of(request),
        owner=read_owner(request),
        id=request_id,
        verb=f"{request.method} {request.url.path}",
        body_hash=hashlib.sha256(await request.body()).hexdigest(),
    )


WriteOnce = Annotated[Write, Depends(read_write)]
