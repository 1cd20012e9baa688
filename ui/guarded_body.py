"""Bodies that pass the guard: bounded, readable, and watched for what they hand out.

Gradio takes bodies of any size and shape. A message is read whole here, within a limit, and handed
on byte for byte; an upload is counted while it flows; an answer that hands out names is read on its
way.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

MOST_MESSAGE_BYTES: Final = 4 * 1024**2
MOST_WATCHED_BYTES: Final = 1024**2
FORM_BYTES: Final = 1024**2
"""What a form adds around the files it carries."""

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class RefusedError(Exception):
    """A request that is answered by the guard itself."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class _TooLongError(Exception):
    """More bytes than allowed have come in."""


async def read_message(receive: Receive) -> tuple[dict[str, Any], Receive]:
    """A JSON body as an object, and a `receive` that hands the same bytes on."""
    body = b""
    while True:
        event = await receive()
        if event["type"] != "http.request":
            raise RefusedError(400, "The message was cut off.")
        body += event.get("body", b"")
        if len(body) > MOST_MESSAGE_BYTES:
            raise RefusedError(413, "This message is too long.")
        if not event.get("more_body", False):
            break
    given = False

    async def again() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return _parse_object(body), again


def _parse_object(body: bytes) -> dict[str, Any]:
    try:
        told = json.loads(body.decode("utf-8"), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as odd:
        raise RefusedError(400, "This message cannot be read.") from odd
    if not isinstance(told, dict):
        raise RefusedError(400, "This message cannot be read.")
    return told


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key told twice could mean one thing here and another one behind us."""
    told = dict(pairs)
    if len(told) != len(pairs):
        raise ValueError("a key is there twice")
    return told


async def limit_body(
    app: Any, scope: Any, receive: Receive, send: Send, most_file_bytes: int
) -> None:
    """Run `app` with at most so many bytes of upload; raises `RefusedError` when there are more."""
    limit = most_file_bytes + FORM_BYTES
    for name, value in scope["headers"]:
        if name.lower() == b"content-length" and (not value.isdigit() or int(value) > limit):
            raise _too_big()
    seen, is_over, is_begun = 0, False, False

    async def counted() -> Any:
        nonlocal seen, is_over
        event = await receive()
        seen += len(event.get("body", b""))
        if seen > limit:
            is_over = True
            raise _TooLongError
        return event

    async def passing(event: Any) -> None:
        nonlocal is_begun
        # What the app answers to the broken stream is about the break, not about the size.
        if not is_over:
            is_begun = True
            await send(event)

    try:
        await app(scope, counted, passing)
    except _TooLongError as over:
        if is_begun:
            raise
        raise _too_big() from over
    if is_over and not is_begun:
        raise _too_big()


def watch_answer(send: Send, on_answer: Callable[[Any], None]) -> Send:
    """A `send` that shows a good JSON answer to `on_answer` just before its last byte leaves."""
    body, is_good = b"", False

    async def watching(event: Any) -> None:
        nonlocal body, is_good
        if event["type"] == "http.response.start":
            is_good = event["status"] == 200
        elif event["type"] == "http.response.body" and is_good:
            body += event.get("body", b"")[:MOST_WATCHED_BYTES]
            if not event.get("more_body", False):
                on_answer(_parse(body))
        await send(event)

    return watching


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        # Not the answer we know; then nothing is handed out, and nothing becomes owned.
        return None


def _too_big() -> RefusedError:
    return RefusedError(413, "This file is too big to be sent through the browser.")
