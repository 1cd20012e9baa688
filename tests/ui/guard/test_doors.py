"""Only the doors that the wizard needs are open, and every answer carries the headers."""

import json
import re

import httpx
from guard_probes import API, Site, upload

from tailor.ui.guard import cookie_for

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
