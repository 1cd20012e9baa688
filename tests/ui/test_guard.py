"""The guard in front of a real Gradio app on a real server: every measured hole, and the way in."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tailor.ui.guard import cookie_for

TOKENS = {"token-of-ada": "ada", "token-of-bob": "bob"}
MOST_BYTES = 2 * 1024**2
API = "/gradio_api"


class Site:
    """A guarded app on loopback."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.folder = home / "ui-tmp"
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"

    def is_up(self) -> bool:
        try:
            with self.stranger() as client:
                return client.get("/").status_code == 401
        except httpx.TransportError:
            return False

    def signed_in(self, user: str) -> httpx.Client:
        token = next(token for token, name in TOKENS.items() if name == user)
        cookie = f"tailor-{self.port}={cookie_for(token)}"
        return self.stranger(origin=self.origin, cookie=cookie)

    def stranger(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.origin, headers=headers, timeout=30, trust_env=False)

    def raw(self, head: str) -> int:
        """Status of a request that no proper client would send."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            line.sendall(head.replace("\n", "\r\n").encode())
            answer = http.client.HTTPResponse(line)
            answer.begin()
            return answer.status


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("home")
    yield from serve_site("small", home)


def serve_site(kind: str, home: Path) -> Iterator[Site]:
    """A guarded site in its own process, ready to answer."""
    script = Path(__file__).with_name("guarded_site.py")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        descriptor, port = listening.fileno(), listening.getsockname()[1]
        log = (home / "site.log").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-P", str(script), kind, str(descriptor), str(home)],
            pass_fds=(descriptor,),
            stdout=log,
            stderr=log,
        )
    site = Site(home, port)
    try:
        deadline = time.monotonic() + 120
        while not site.is_up():
            assert process.poll() is None, (home / "site.log").read_text()
            assert time.monotonic() < deadline, (home / "site.log").read_text()
            time.sleep(0.1)
        yield site
    finally:
        process.terminate()
        process.wait(30)
        log.close()


@pytest.fixture
def ada(site: Site) -> Iterator[httpx.Client]:
    with site.signed_in("ada") as client:
        yield client


@pytest.fixture
def bob(site: Site) -> Iterator[httpx.Client]:
    with site.signed_in("bob") as client:
        yield client


def upload(client: httpx.Client, name: str = "a.txt", data: bytes = b"of ada") -> str:
    answer = client.post(f"{API}/upload", files={"files": (name, data)})
    assert answer.status_code == 200, answer.text
    return str(answer.json()[0])


def join(client: httpx.Client, tab: str, data: list[Any], fn_index: int = 0) -> httpx.Response:
    body = {"data": data, "fn_index": fn_index, "session_hash": tab, "trigger_id": None}
    return client.post(f"{API}/queue/join", json=body)


def result(client: httpx.Client, tab: str) -> Any:
    with client.stream("GET", f"{API}/queue/data", params={"session_hash": tab}) as stream:
        assert stream.status_code == 200
        for line in stream.iter_lines():
            if line.startswith("data:"):
                told = json.loads(line[5:])
                if told["msg"] == "process_completed":
                    return told
    raise AssertionError("no answer came")


# The way in


def test_the_printed_link_sets_a_strict_cookie_and_opens_the_page(site: Site) -> None:
    with site.stranger() as browser:
        page = browser.get("/?token=token-of-ada")
        assert page.status_code == 200
        cookie = page.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "token-of-ada" not in page.text + cookie
        assert "token-of-ada" not in str(browser.cookies)
        assert browser.get("/").status_code == 200
        assert "gradio" in browser.get("/").text


def test_a_link_to_a_run_keeps_its_cookie_too(site: Site) -> None:
    with site.stranger() as browser:
        assert browser.get("/project?token=token-of-bob&run=run_1").status_code == 200
        assert browser.get("/config").status_code == 200


@pytest.mark.parametrize("token", ["", "wrong", "token-of-ad", "token-of-adaa", "tökén"])
def test_a_wrong_token_opens_nothing(site: Site, token: str) -> None:
    with site.stranger() as browser:
        answer = browser.get("/", params={"token": token})
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        assert "link" in answer.text


def test_a_wrong_cookie_opens_nothing(site: Site) -> None:
    cookies = (
        f"tailor-{site.port}=",
        f"tailor-{site.port}=token-of-ada",
        f"tailor-1={cookie_for('token-of-ada')}",
        cookie_for("token-of-ada"),
    )
    for cookie in cookies:
        with site.stranger(cookie=cookie) as browser:
            assert browser.get("/config").status_code == 401


def test_nothing_is_told_without_signing_in(site: Site) -> None:
    names = ("startup-events", "app_id", "user", "token", "heartbeat/x", "info", "nonsense")
    with site.stranger() as browser:
        for path in ("/", "/config", "/theme.css", *(f"{API}/{name}" for name in names)):
            assert browser.get(path).status_code == 401, path
        for name in ("cancel", "reset", "queue/join", "upload"):
            answer = browser.post(f"{API}/{name}", json={}, headers={"origin": site.origin})
            assert answer.status_code == 401, name


def test_a_handler_learns_who_calls(ada: httpx.Client, bob: httpx.Client) -> None:
    assert join(ada, "who-a", ["hi"]).status_code == 200
    assert join(bob, "who-b", ["hi"]).status_code == 200
    assert result(ada, "who-a")["output"]["data"] == ["ada says hi"]
    assert result(bob, "who-b")["output"]["data"] == ["bob says hi"]


def test_uploading_reading_and_looking_at_an_own_file_work(ada: httpx.Client) -> None:
    path = upload(ada, data=b"words of ada")
    file = {"path": path, "meta": {"_type": "gradio.FileData"}}
    assert join(ada, "own-file", [file], fn_index=1).status_code == 200
    assert result(ada, "own-file")["output"]["data"] == ["words of ada"]
    shown = ada.get(f"{API}/file={path}")
    assert shown.status_code == 200
    assert shown.content == b"words of ada"
    assert shown.headers["cache-control"] == "no-store"


# Other web sites


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "127.0.0.1:1", "lab",
     "[::1]:{port}", "127.0.0.1"],
)  # fmt: skip
def test_a_foreign_host_is_refused(site: Site, ada: httpx.Client, host: str) -> None:
    told = {"host": host.format(port=site.port)}
    for path in ("/config", "/?token=token-of-ada", "/nonsense"):
        answer = ada.get(path, headers=told)
        assert answer.status_code == 421, path
        assert "evil" not in answer.text
        assert "set-cookie" not in answer.headers


def test_a_missing_empty_or_doubled_host_is_refused(site: Site) -> None:
    cookie = f"cookie: tailor-{site.port}={cookie_for('token-of-ada')}"
    assert site.raw(f"GET /config HTTP/1.1\nhost:\n{cookie}\n\n") in (400, 421)
    assert site.raw(f"GET /config HTTP/1.0\n{cookie}\n\n") == 421
    doubled = f"host: {site.host}\nhost: {site.host}"
    assert site.raw(f"GET /config HTTP/1.1\n{doubled}\n{cookie}\n\n") in (400, 421)
    absolute = f"GET http://{site.host}/config HTTP/1.1\nhost: {site.host}\n{cookie}\n\n"
    assert site.raw(absolute) in (400, 404)


def test_a_websocket_is_never_opened(site: Site) -> None:
    for host, expected in (("evil.example", {403, 421}), (site.host, {401, 403, 404})):
        ask = "upgrade: websocket\nconnection: upgrade\nsec-websocket-version: 13\n"
        key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\n"
        assert site.raw(f"GET /x HTTP/1.1\nhost: {host}\n{ask}{key}\n") in expected


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://{host}", "http://127.0.0.1:1", "http://localhost",
     "http://{host}.evil.example", "", "http://user@{host}", "file://"],
)  # fmt: skip
def test_a_foreign_origin_is_refused(site: Site, ada: httpx.Client, origin: str) -> None:
    told = {"origin": origin.format(host=site.host)}
    assert ada.get("/config", headers=told).status_code == 403
    answer = ada.post(f"{API}/upload", files={"files": ("evil.txt", b"evil")}, headers=told)
    assert answer.status_code == 403
    assert "evil" not in answer.text
    assert not list(site.folder.rglob("evil.txt"))


def test_nobody_elses_page_may_read_an_answer(site: Site, ada: httpx.Client) -> None:
    for origin in (site.origin, f"http://localhost:{site.port}"):
        answer = ada.get("/config", headers={"origin": origin})
        assert answer.status_code == 200
        assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("origin", ["http://evil.example", "{origin}"])
def test_a_preflight_is_never_answered(site: Site, ada: httpx.Client, origin: str) -> None:
    told = {
        "origin": origin.format(origin=site.origin),
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    answer = ada.options(f"{API}/queue/join", headers=told)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_a_request_from_another_site_is_refused_unless_it_opens_a_page(ada: httpx.Client) -> None:
    for site_kind in ("cross-site", "same-site"):
        fetch = {"sec-fetch-site": site_kind, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
        opened = {
            "sec-fetch-site": site_kind, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document",
        }  # fmt: skip
        framed = opened | {"sec-fetch-dest": "iframe"}
        assert ada.get("/config", headers=fetch).status_code == 403
        assert ada.get("/", headers=framed).status_code == 403
        assert ada.get("/", headers=opened).status_code == 200
        sent = ada.post(f"{API}/queue/join", json={}, headers=opened)
        assert sent.status_code == 403
    for site_kind in ("same-origin", "none"):
        assert ada.get("/config", headers={"sec-fetch-site": site_kind}).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json"],
)
def test_a_write_that_names_no_origin_is_refused(site: Site, kind: str) -> None:
    cookie = f"tailor-{site.port}={cookie_for('token-of-ada')}"
    with site.stranger(cookie=cookie) as browser:
        for name in ("upload", "queue/join", "cancel", "reset"):
            answer = browser.post(f"{API}/{name}", content=b"{}", headers={"content-type": kind})
            assert answer.status_code == 403, name
        program = {"x-tailor-client": "test", "content-type": "application/json"}
        body = {"data": ["x"], "fn_index": 0, "session_hash": "program"}
        answer = browser.post(f"{API}/queue/join", json=body, headers=program)
        assert answer.status_code == 200


# Another user


def spellings(path: str) -> list[str]:
    return [
        f"{API}/file={path}",
        f"{API}/file=/{path}",
        f"{API}/file=/.{path}",
        f"{API}/file={path.replace('/', '%2F')}",
        f"{API}/file={path.replace('a.txt', '%61.txt')}",
        f"{API}/file={path.replace('a.txt', './a.txt')}",
        f"{API}/file={path}/../{path.rpartition('/')[2]}",
        f"{API}/file%3D{path}",
        f"{API}/file=http://127.0.0.1:1{path}",
        f"{API}/file={path}%00",
        f"{API}//file={path}",
        f"{API}/file/{path}",
        f"{API}/file//{path}",
        f"/file={path}",
    ]


def test_another_cannot_fetch_a_file_under_any_spelling(
    site: Site, ada: httpx.Client, bob: httpx.Client
) -> None:
    path = upload(ada, data=b"fetch me")
    for address in spellings(path):
        answer = bob.get(address)
        assert answer.status_code in (403, 404), address
        assert b"fetch me" not in answer.content
    assert bob.head(f"{API}/file={path}").status_code == 403
    raw = f"GET {API}/file=/.{path} HTTP/1.1\nhost: {site.host}\n"
    cookie = f"cookie: tailor-{site.port}={cookie_for('token-of-bob')}\n\n"
    assert site.raw(raw + cookie) in (403, 404)


def test_nobody_can_fetch_what_is_no_upload(site: Site, ada: httpx.Client) -> None:
    beside = site.folder.parent / "ui.json"
    beside.write_text("{}")
    for path in ("/etc/passwd", str(beside), str(site.folder), "C:/windows/win.ini", ""):
        assert ada.get(f"{API}/file={path}").status_code == 403, path


def bodies(path: str, folder: Path) -> list[Any]:
    link = folder.parent / "link"
    if not link.exists():
        link.symlink_to(folder)
    return [
        path,
        f"/{path}",
        path.replace("/a.txt", "/./a.txt"),
        path.replace("/", "%2F"),
        path.replace(str(folder), str(link)),
        os.path.relpath(path),
        f"/proc/self/root{path}",
        f"http://127.0.0.1/gradio_api/file={path}",
        {"path": path, "meta": {"_type": "gradio.FileData"}},
        {"path": "x", "url": path},
        {"a": [{"b": [{"c": path}]}]},
        {path: 1},
        str(folder),
    ]


def test_another_cannot_send_a_path_however_it_is_wrapped(
    site: Site, ada: httpx.Client, bob: httpx.Client
) -> None:
    path = upload(ada, data=b"wrap me")
    for number, body in enumerate(bodies(path, site.folder)):
        answer = join(bob, f"wrapped-{number}", [body], fn_index=1)
        assert answer.status_code == 403, body
        assert path not in answer.text


def test_the_owner_may_send_the_address_of_an_own_file(site: Site, ada: httpx.Client) -> None:
    path = upload(ada, data=b"mine")
    file = {
        "path": path,
        "url": f"{site.origin}{API}/file={path}",
        "orig_name": "a.txt",
        "meta": {"_type": "gradio.FileData"},
    }
    assert join(ada, "own-address", [file], fn_index=1).status_code == 200
    assert result(ada, "own-address")["output"]["data"] == ["mine"]


def test_a_file_that_was_not_uploaded_is_never_opened(ada: httpx.Client) -> None:
    for path in ("/etc/passwd", "etc/passwd", "http://127.0.0.1:1/x", "//etc/passwd", "~/x"):
        file = {"path": path, "meta": {"_type": "gradio.FileData"}}
        for body in (file, [file], {"a": {"b": file}}, {"value": file}):
            assert join(ada, "system-file", [body], fn_index=1).status_code == 403, body


def test_old_side_doors_are_closed(ada: httpx.Client, bob: httpx.Client) -> None:
    path = upload(ada, data=b"side door")
    body = {"data": [{"path": path, "meta": {"_type": "gradio.FileData"}}], "session_hash": "x"}
    huge = {"data": ["x" * 5_000_000]}
    for door in ("run/read", "api/read", "call/read", "call/v2/read", "run/predict"):
        for prefix in (API, ""):
            assert bob.post(f"{prefix}/{door}", json=body).status_code == 404, door
            assert bob.post(f"{prefix}/{door}", json=huge).status_code == 404, door
            assert bob.post(f"{prefix}/{door}/", json=body).status_code == 404, door


def test_another_cannot_listen_to_a_tab(ada: httpx.Client, bob: httpx.Client) -> None:
    event = join(ada, "tab-of-ada", ["private words"]).json()["event_id"]
    for params in (
        {"session_hash": "tab-of-ada"},
        [("session_hash", "own-tab"), ("session_hash", "tab-of-ada")],
        [("session_hash", "tab-of-ada"), ("session_hash", "own-tab")],
        {"session_hash": "own-tab", "event_id": event},
    ):
        assert bob.get(f"{API}/queue/data", params=params).status_code == 403, params
    assert bob.get(f"{API}/heartbeat/tab-of-ada").status_code == 403
    assert bob.get(f"{API}/heartbeat/tab%2Dof%2Dada").status_code == 403
    assert bob.get(f"{API}/call/hello/{event}").status_code == 404
    assert join(bob, "tab-of-ada", ["x"]).status_code == 403
    assert result(ada, "tab-of-ada")["output"]["data"] == ["ada says private words"]


def test_another_cannot_end_an_event(ada: httpx.Client, bob: httpx.Client) -> None:
    event = join(ada, "event-of-ada", ["x"]).json()["event_id"]
    cancel = {"session_hash": "tab-of-bob", "fn_index": 0, "event_id": event}
    assert bob.post(f"{API}/cancel", json=cancel).status_code == 403
    assert bob.post(f"{API}/reset", json={"event_id": event}).status_code == 403
    unknown = {"session_hash": "tab-of-bob", "fn_index": 0, "event_id": "unknown"}
    assert bob.post(f"{API}/cancel", json=unknown).status_code == 403
    own = {"session_hash": "event-of-ada", "fn_index": 0, "event_id": event}
    assert ada.post(f"{API}/cancel", json=own).status_code == 200
    assert ada.post(f"{API}/reset", json={"event_id": event}).status_code == 200


def test_another_cannot_watch_an_upload(ada: httpx.Client, bob: httpx.Client) -> None:
    answer = ada.post(
        f"{API}/upload", params={"upload_id": "watch"}, files={"files": ("w.txt", b"w")}
    )
    assert answer.status_code == 200
    watched = bob.get(f"{API}/upload_progress", params={"upload_id": "watch"})
    assert watched.status_code == 403


def test_two_users_with_the_same_file_both_keep_it(ada: httpx.Client, bob: httpx.Client) -> None:
    first, second = upload(ada, "same.txt", b"same"), upload(bob, "same.txt", b"same")
    assert first == second
    assert ada.get(f"{API}/file={first}").status_code == 200
    assert bob.get(f"{API}/file={first}").status_code == 200


def test_a_private_function_still_runs_so_handlers_must_check(ada: httpx.Client) -> None:
    assert join(ada, "private-function", ["x"], fn_index=3).status_code == 200
    assert result(ada, "private-function")["output"]["data"] == ["secret x"]


def test_a_choice_that_is_not_offered_is_refused(ada: httpx.Client) -> None:
    assert join(ada, "choice", ["three"], fn_index=2).status_code == 200
    assert not result(ada, "choice")["success"]


# Sizes and shapes


def test_a_too_big_upload_is_refused(site: Site, ada: httpx.Client) -> None:
    told = ada.post(f"{API}/upload", files={"files": ("big.txt", b"x" * (MOST_BYTES + 1))})
    assert told.status_code == 413
    long = ada.post(f"{API}/upload", files={"files": ("big.txt", b"x" * (2 * MOST_BYTES))})
    assert long.status_code == 413
    assert "too big" in long.text
    assert not list(site.folder.rglob("big.txt"))


def test_a_too_big_upload_without_a_length_is_cut(site: Site, ada: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'--b\r\ncontent-disposition: form-data; name="files"; filename="cut.txt"\r\n\r\n'
        for _ in range(64):
            yield b"x" * 65536
        yield b"\r\n--b--\r\n"

    kind = {"content-type": "multipart/form-data; boundary=b"}
    answer = ada.post(f"{API}/upload", content=pieces(), headers=kind)
    assert answer.status_code == 413
    assert not list(site.folder.rglob("cut.txt"))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"[]", 400),
        (b"[{}]", 400),
        (b"", 400),
        (b"{", 400),
        (b'"text"', 400),
        (b"\xff\xfe{\x00}\x00", 400),
        (b"[" * 100_000 + b"]" * 100_000, 400),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 400),
        (b'{"session_hash": "x", "session_hash": "y", "data": []}', 400),
        (b'{"session_hash": 7, "data": []}', 400),
        (b'{"session_hash": "' + b"x" * 300 + b'", "data": []}', 403),
        (b'{"data": ["/\\u0000"]}', 400),
        (b'{"data": ["/\\ud800"]}', 400),
        (b'{"data": [' + b'"",' * 30_000 + b'""]}', 400),
        (b'{"data": ["' + b"x" * (4 * 1024**2) + b'"]}', 413),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_message_that_no_page_sends_is_refused(
    ada: httpx.Client, body: bytes, status: int
) -> None:
    kind = {"content-type": "application/json"}
    for name in ("queue/join", "cancel", "reset"):
        answer = ada.post(f"{API}/{name}", content=body, headers=kind)
        assert answer.status_code == status, name


def test_a_deep_but_small_message_is_walked_without_harm(ada: httpx.Client) -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = [deep]
    assert join(ada, "deep", [deep]).status_code in (200, 422)


def test_a_user_has_at_most_eight_open_streams(site: Site, ada: httpx.Client) -> None:
    # A fresh user of its own, so that no other test's stream counts.
    held = []
    with site.signed_in("bob") as client:
        limits = httpx.Limits(max_connections=20)
        for number in range(8):
            one = httpx.Client(
                base_url=site.origin, headers=client.headers, limits=limits, trust_env=False
            )
            stream = one.stream("GET", f"{API}/heartbeat/held-{number}")
            assert stream.__enter__().status_code == 200
            held.append((one, stream))
        try:
            assert client.get(f"{API}/heartbeat/one-more").status_code == 429
            with ada.stream("GET", f"{API}/heartbeat/of-ada") as stream:
                assert stream.status_code == 200
        finally:
            for one, stream in held:
                stream.__exit__(None, None, None)
                one.close()


# Doors and headers


ALLOWED_GET = {
    "/", "/config", "/theme.css", "/favicon.ico", "/manifest.json",
    "/assets/{path:path}", "/static/{path:path}",
    "/gradio_api/startup-events", "/gradio_api/app_id", "/gradio_api/queue/data", "/gradio_api/upload_progress",
    "/gradio_api/heartbeat/{session_hash}", "/gradio_api/file={path_or_url:path}",
}  # fmt: skip
ALLOWED_POST = {f"{API}/{name}" for name in ("queue/join", "cancel", "reset", "upload")}


def test_every_route_of_gradio_that_is_not_on_the_list_is_closed(
    site: Site, ada: httpx.Client
) -> None:
    routes = json.loads((site.home / "routes.json").read_text())
    assert len(routes) > 60
    for verb, path in routes:
        is_allowed = path in (ALLOWED_POST if verb == "POST" else ALLOWED_GET)
        if is_allowed:
            continue
        address = re.sub(r"\{[^}]*\}", "x", path)
        answer = ada.request(verb, address)
        expected = 403 if verb == "OPTIONS" else 404
        assert answer.status_code == expected, (verb, path)


def test_dangerous_routes_are_closed(ada: httpx.Client) -> None:
    names = (
        "info", "openapi.json", "dev/reload", "monitoring", "process_recording",
        "component_server", "vibe-edit", "vibe-code", "token", "user", "run-history/buckets",
        "proxy=http://127.0.0.1:1", "queue/status", "stream/x", "custom_component/x/y/z/w",
    )  # fmt: skip
    for name in names:
        for prefix in (API, ""):
            assert ada.get(f"{prefix}/{name}").status_code == 404, name
            assert ada.post(f"{prefix}/{name}", json={}).status_code == 404, name
    for verb in ("PUT", "DELETE", "PATCH", "TRACE"):
        assert ada.request(verb, "/config").status_code == 404


def test_paths_do_not_climb_out_of_an_open_folder(site: Site) -> None:
    cookie = f"cookie: tailor-{site.port}={cookie_for('token-of-ada')}"
    for path in (
        "/assets/../config",
        "/static/../../gradio_api/info",
        "/assets/..%2f..%2fgradio_api/info",
        "/assets/..\\..\\x",
        "/assets/%2e%2e/x",
    ):
        assert site.raw(f"GET {path} HTTP/1.1\nhost: {site.host}\n{cookie}\n\n") == 404, path


def test_every_answer_carries_the_headers(site: Site, ada: httpx.Client) -> None:
    path = upload(ada)
    answers = [ada.get(one) for one in ("/", "/config", "/theme.css", "/none")]
    answers += [ada.get(f"{API}/file={path}"), ada.get("/config", headers={"host": "evil"})]
    with site.stranger() as browser:
        answers += [browser.get("/"), browser.get("/?token=token-of-ada")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'self'" in policy
        assert "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        assert len(answer.headers.get_list("x-content-type-options")) == 1


def test_a_refusal_repeats_nothing_and_closes_the_line(ada: httpx.Client) -> None:
    answer = ada.get("/<script>alert(1)</script>", params={"q": "<b>echo</b>"})
    assert answer.status_code == 404
    assert "script" not in answer.text
    assert "echo" not in answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["connection"] == "close"


def test_every_asset_of_the_page_is_let_through(ada: httpx.Client) -> None:
    page = ada.get("/").text
    assets = set(re.findall(r'(?:src|href)="\.?(/(?:assets|static)/[^"]+)"', page))
    assert assets
    for asset in assets:
        assert ada.get(asset).status_code == 200, asset
