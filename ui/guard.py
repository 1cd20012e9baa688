"""The guard in front of every byte of the wizard: who may ask for what, default deny.

Gradio keeps users apart in no way and answers requests that other web sites make a browser send
(measured on 6.31). So each request passes twelve checks, in this order, before Gradio or any route
of ours sees it; the first that fails answers one plain sentence that repeats nothing of the
request. `serve` wraps the whole site in it.
"""

import hmac
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from tailor.ui.guard_answers import answer_refused, answer_sign_in, with_headers
from tailor.ui.guarded_body import RefusedError, limit_body, read_message, watch_answer
from tailor.ui.ownership import Claims, Uploads, strings_in

OWNER_KEY: Final = "tailor.owner"
"""Where the caller stands in the ASGI scope."""

MOST_STREAMS: Final = 8
"""Open streams a user; a browser itself opens six connections to one host."""

COOKIE_SECONDS: Final = 30 * 24 * 3600
"""A browser that was closed over a long run finds its way back without the link."""

API: Final = "/gradio_api/"
# app_id: a page that finds the server again asks whether it is still the one that made it.
READ_EXACT: Final = frozenset(
    ("/", "/config", "/theme.css", "/favicon.ico", "/manifest.json",
     API + "startup-events", API + "app_id", API + "queue/data", API + "upload_progress")
)  # fmt: skip
READ_UNDER: Final = ("/assets/", "/static/", "/download/", API + "heartbeat/", API + "file=")
WRITE_EXACT: Final = frozenset(API + name for name in ("queue/join", "cancel", "reset", "upload"))
STREAMS: Final = (API + "queue/data", API + "upload_progress", API + "heartbeat/")


class Guard:
    """An ASGI app around another one."""

    def __init__(
        self,
        app: Any,
        *,
        hosts: Collection[str],
        scheme: str,
        tokens: Mapping[str, str],
        upload_folder: Path,
        max_upload_bytes: int,
        pages: Collection[str],
    ) -> None:
        """`hosts` are `name:port` as a browser says them; `tokens` maps start tokens to users."""
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(f"{scheme}://{host}" for host in self._hosts)
        self._is_secure = scheme == "https"
        self._tokens = dict(tokens)
        self._cookies = {cookie_for(token): user for token, user in tokens.items()}
        self._pages = frozenset(pages) | {"/"}
        self._max_upload_bytes = max_upload_bytes
        self._uploads = Uploads(upload_folder)
        self._sessions = Claims()
        self._events = Claims()
        self._streams: Counter[str] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"]
        try:
            asked = _headers(scope)
            host = self._check_host(asked)
            self._check_origin(scope["method"], asked)
            token = _given_token(scope) if self._is_page(scope) else ""
            if token and self._user_of(token, self._tokens) is not None:
                await answer_sign_in(send, self._cookie(host, cookie_for(token)))
                return
            user = self._check_identity(asked, host)
            self._check_route(scope["method"], path)
            self._check_names(scope, user)
            with self._open_stream(path, user):
                scope[OWNER_KEY] = user
                await self._pass(scope, receive, send, user)
        except RefusedError as refused:
            await answer_refused(send, refused)

    async def _pass(self, scope: Any, receive: Any, send: Any, user: str) -> None:
        path = scope["path"]
        is_file = path.startswith(API + "file=")
        send = with_headers(send, is_kept=not is_file)
        if path == API + "upload":

            def own_all(paths: Any) -> None:
                for one in paths if isinstance(paths, list) else ():
                    self._uploads.add(str(one), user)

            send = watch_answer(send, own_all)
            await limit_body(self._app, scope, receive, send, self._max_upload_bytes)
        elif scope["method"] == "POST":
            message, receive = await read_message(receive)
            self._check_message(message, user)
            if path == API + "queue/join":
                send = watch_answer(send, lambda told: self._own_event(told, user))
            await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check_host(self, asked: Mapping[str, list[str]]) -> str:
        hosts = asked.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise RefusedError(421, "This is not an address of Tailor.")
        return hosts[0].lower()

    def _check_origin(self, method: str, asked: Mapping[str, list[str]]) -> None:
        origins, sites = asked.get("origin", []), asked.get("sec-fetch-site", [])
        if any(origin.lower() not in self._origins for origin in origins):
            raise RefusedError(403, "Another web site may not use Tailor.")
        if any(site not in ("same-origin", "none") for site in sites):
            modes, places = asked.get("sec-fetch-mode"), asked.get("sec-fetch-dest", ["document"])
            if method != "GET" or modes != ["navigate"] or places != ["document"]:
                raise RefusedError(403, "Another web site may not use Tailor.")
        if method == "OPTIONS":
            raise RefusedError(403, "This is never answered.")
        if method not in ("GET", "HEAD") and not (origins or sites or asked.get("x-tailor-client")):
            raise RefusedError(403, "A program that is no browser must say so: X-Tailor-Client.")

    def _check_identity(self, asked: Mapping[str, list[str]], host: str) -> str:
        for cookies in asked.get("cookie", []):
            for cookie in cookies.split(";"):
                name, _, value = cookie.strip().partition("=")
                if name != _cookie_name(host):
                    continue
                user = self._user_of(value, self._cookies)
                if user is not None:
                    return user
        raise RefusedError(401, "Open the link that Tailor printed when it was started.")

    def _check_route(self, method: str, path: str) -> None:
        is_plain = not any(part in ("..", ".") for part in path.split("/")) and "\\" not in path
        if method in ("GET", "HEAD") and is_plain:
            if path in self._pages or path in READ_EXACT or path.startswith(READ_UNDER):
                return
        elif method == "POST" and path in WRITE_EXACT:
            return
        raise RefusedError(404, "There is nothing here.")

    def _check_names(self, scope: Any, user: str) -> None:
        """Tabs, events and files that the address itself names."""
        path = scope["path"]
        for name, value in _query(scope):
            if name in ("session_hash", "upload_id"):
                self._claim_session(value, user)
            elif name == "event_id" and not self._events.owns(value, user):
                raise _not_yours()
        if path.startswith(API + "heartbeat/"):
            self._claim_session(path.removeprefix(API + "heartbeat/"), user)
        if path.startswith(API + "file=") and not self._uploads.owns(
            path.removeprefix(API + "file="), user
        ):
            raise _not_yours()

    def _check_message(self, message: dict[str, Any], user: str) -> None:
        """Tabs, events and files that a JSON body names, wherever they stand in it."""
        try:
            for text, is_file in strings_in(message):
                if not self._uploads.may_say(text, user, is_file=is_file):
                    raise _not_yours()
        except ValueError as odd:
            raise RefusedError(400, "This message cannot be read.") from odd
        for name, check in (("session_hash", self._claim_session), ("event_id", self._need_event)):
            told = message.get(name)
            if told is not None:
                if not isinstance(told, str):
                    raise RefusedError(400, "This message cannot be read.")
                check(told, user)

    def _claim_session(self, name: str, user: str) -> None:
        if not self._sessions.claim(name, user):
            raise _not_yours()

    def _need_event(self, name: str, user: str) -> None:
        if not self._events.owns(name, user):
            raise _not_yours()

    def _own_event(self, told: Any, user: str) -> None:
        if isinstance(told, dict) and isinstance(told.get("event_id"), str):
            self._events.claim(told["event_id"], user)

    def _is_page(self, scope: Any) -> bool:
        return scope["method"] == "GET" and scope["path"] in self._pages

    @contextmanager
    def _open_stream(self, path: str, user: str) -> Iterator[None]:
        if not path.startswith(STREAMS):
            yield
            return
        if self._streams[user] >= MOST_STREAMS:
            raise RefusedError(
                429, "Too many pages of Tailor are open. Close one and reload this one."
            )
        self._streams[user] += 1
        try:
            yield
        finally:
            self._streams[user] -= 1

    def _user_of(self, secret: str, users: Mapping[str, str]) -> str | None:
        """The user of a token or cookie, in the same time whether it is nearly right or not."""
        found = None
        for known, user in users.items():
            if hmac.compare_digest(known.encode(), secret.encode("utf-8", "replace")):
                found = user
        return found

    def _cookie(self, host: str, value: str) -> str:
        secure = "; Secure" if self._is_secure else ""
        return (
            f"{_cookie_name(host)}={value}; Path=/; HttpOnly; SameSite=Strict; "
            f"Max-Age={COOKIE_SECONDS}{secure}"
        )


def cookie_for(token: str) -> str:
    """The cookie of a start token: the same after a restart, and no way back to the link."""
    return hmac.new(token.encode(), b"tailor cookie", sha256).hexdigest()


def _headers(scope: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _query(scope: Any) -> list[tuple[str, str]]:
    text = scope.get("query_string", b"").decode("latin-1")
    try:
        return parse_qsl(text, keep_blank_values=True, max_num_fields=50)
    except ValueError as odd:
        raise RefusedError(400, "This address cannot be read.") from odd


def _given_token(scope: Any) -> str:
    return next((value for name, value in _query(scope) if name == "token"), "")


def _cookie_name(host: str) -> str:
    """One for each port: browsers share the cookies of all ports of a host."""
    return f"tailor-{host.rpartition(':')[2]}"


def _not_yours() -> RefusedError:
    return RefusedError(403, "This is not yours.")
