"""The guard in front of the wizard itself: the pages open, and the measured holes are closed here too."""

import json
from collections.abc import Iterator

import httpx
import pytest
from guard_probes import API, Site, join, serve_site, upload


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    yield from serve_site("wizard", home)


def functions(client: httpx.Client, page: str) -> list[int]:
    """The number of each function of a page."""
    config = client.get("/config", params={"page": page} if page else {}).json()
    return [dependency["id"] for dependency in config["dependencies"]]


def test_the_pages_open_for_who_has_the_link_and_for_nobody_else(
    site: Site, ada: httpx.Client
) -> None:
    for path in ("/", "/project"):
        assert ada.get(path).status_code == 200
        with site.stranger() as stranger:
            assert stranger.get(path).status_code == 401
            assert stranger.get(path, params={"token": "token-of-bob"}).status_code == 200
            assert stranger.get(path).status_code == 200


def test_another_web_site_can_do_nothing(site: Site, ada: httpx.Client) -> None:
    evil = {"origin": "http://evil.example"}
    file = {"files": ("evil.csv", b"a,b")}
    assert ada.post(f"{API}/upload", files=file, headers=evil).status_code == 403
    assert ada.get("/config", headers=evil | {"host": "lab.example"}).status_code == 421
    assert ada.options(f"{API}/queue/join", headers=evil).status_code == 403
    assert ada.get("/config", headers={"origin": "null"}).status_code == 403
    assert not list(site.folder.rglob("evil.csv"))


def test_files_tabs_and_events_are_kept_apart(ada: httpx.Client, bob: httpx.Client) -> None:
    path = upload(ada, "rows.csv", b"question,answer\n")
    assert ada.get(f"{API}/file={path}").status_code == 200
    for address in (f"{API}/file={path}", f"{API}/file=/.{path}"):
        assert bob.get(address).status_code == 403
    assert bob.get(f"{API}/file/{path}").status_code == 404
    number = functions(ada, "")[0]
    event = join(ada, "tab-of-ada", [], fn_index=number).json()["event_id"]
    assert bob.get(f"{API}/queue/data", params={"session_hash": "tab-of-ada"}).status_code == 403
    assert bob.get(f"{API}/heartbeat/tab-of-ada").status_code == 403
    assert bob.post(f"{API}/reset", json={"event_id": event}).status_code == 403
    assert join(bob, "tab-of-ada", [], fn_index=number).status_code == 403
    assert bob.get(f"{API}/call/x/{event}").status_code == 404


def test_no_function_of_the_wizard_opens_a_file_that_was_not_uploaded(
    site: Site, ada: httpx.Client, bob: httpx.Client
) -> None:
    of_ada = upload(ada, "mine.csv", b"question,answer\n")
    meta = {"_type": "gradio.FileData"}
    for page in ("", "project"):
        numbers = functions(bob, page)
        assert numbers
        for number in numbers:
            for path in (of_ada, "/etc/passwd", str(site.home / "ui.json")):
                file = {"path": path, "meta": meta}
                answer = join(bob, f"tab-{number}", [file, [file]], fn_index=number)
                assert answer.status_code == 403, (page, number, path)


def test_the_homes_own_files_are_never_served(site: Site, ada: httpx.Client) -> None:
    secret = site.home / "ui.json"
    secret.write_text(json.dumps({"token": "not for the web"}))
    for address in (f"{API}/file={secret}", "/static/../../ui.json", f"/download/{secret}/x"):
        answer = ada.get(address)
        assert answer.status_code in (403, 404, 422, 503), address
        assert "not for the web" not in answer.text


def test_a_download_of_an_unknown_run_is_not_found(site: Site, ada: httpx.Client) -> None:
    with site.stranger() as stranger:
        assert stranger.get("/download/run_20260101-aaaa/adapter").status_code == 401


def test_a_too_big_message_or_odd_message_is_refused(ada: httpx.Client) -> None:
    long = {"data": ["x" * 5_000_000], "fn_index": 0, "session_hash": "long"}
    assert ada.post(f"{API}/queue/join", json=long).status_code == 413
    assert ada.post(f"{API}/queue/join", json=[]).status_code == 400


def test_side_doors_are_closed(ada: httpx.Client) -> None:
    for name in ("info", "openapi.json", "run/x", "api/x", "call/x", "token", "user", "runs"):
        for prefix in (API, ""):
            assert ada.get(f"{prefix}/{name}").status_code == 404, name
            assert ada.post(f"{prefix}/{name}", json={}).status_code == 404, name
    for path in ("/docs", "/redoc", "/login", "/logout", "/robots.txt", "/monitoring"):
        assert ada.get(path).status_code == 404, path


def test_every_answer_carries_the_policy(ada: httpx.Client) -> None:
    for path in ("/", "/project", "/config", "/assets/plotly.min.js", "/nothing"):
        answer = ada.get(path)
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"


def test_no_token_is_told_by_any_page(ada: httpx.Client) -> None:
    for path in ("/", "/project", "/config", "/theme.css"):
        text = ada.get(path).text
        assert "token-of-" not in text
        assert "hf_" not in text.replace("hf_hub", "")
