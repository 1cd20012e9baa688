"""What the guard itself says, and the headers that it puts on every answer.

A refusal is one plain sentence that repeats nothing of the request. Gradio's own headers of the
same names are replaced, and those that would let another site read an answer are taken away.
`guard.py` sends through here.
"""

from typing import Any, Final

from tailor.ui.guarded_body import RefusedError

POLICY: Final = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
    # gr.HTML builds its templates with Function(); drop 'unsafe-eval' with the last one of ours.
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'; connect-src 'self'; "
    "frame-ancestors 'self'; object-src 'none'; base-uri 'self'; form-action 'self'"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
)
SIGN_IN_PAGE: Final = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>Tailor</title>"
    b"<script>const to=new URL(location.href);to.searchParams.delete('token');"
    b"location.replace(to)</script><p>Tailor opens. If it does not, allow scripts for this page."
)
"""A page and no redirect: browsers leave a Strict cookie out of a redirect from another site."""


async def answer_refused(send: Any, refused: RefusedError) -> None:
    """One plain sentence; the connection is closed."""
    await _answer(send, refused.status, refused.words.encode() + b"\n", b"text/plain")


async def answer_sign_in(send: Any, cookie: str) -> None:
    """The page that a start link opens: it keeps the cookie and goes on without the token."""
    kept = ((b"set-cookie", cookie.encode()),)
    await _answer(send, 200, SIGN_IN_PAGE, b"text/html", kept)


async def _answer(
    send: Any, status: int, body: bytes, kind: bytes, more: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    headers = [
        (b"content-type", kind + b"; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
        *HEADERS,
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def with_headers(send: Any, *, is_kept: bool) -> Any:
    """A `send` that puts our headers in place of the app's own of the same name."""
    ours = HEADERS if is_kept else (*HEADERS, (b"cache-control", b"no-store"))
    names = {name for name, _ in ours}

    async def sending(event: Any) -> None:
        if event["type"] == "http.response.start":
            theirs = [
                (name, value)
                for name, value in event.get("headers", ())
                # Nobody else's page may read an answer, whatever Gradio thinks of its origin.
                if name.lower() not in names and not name.lower().startswith(b"access-control-")
            ]
            event = {**event, "headers": [*theirs, *ours]}
        await send(event)

    return sending
