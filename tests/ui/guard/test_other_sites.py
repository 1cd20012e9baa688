"""Another web site can neither read nor write, whatever it says about itself."""

import httpx
import pytest
from guard_probes import API, Site

from tailor.ui.guard import cookie_for


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
