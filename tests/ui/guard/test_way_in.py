"""The link lets in, nothing else does, and a handler learns who calls."""

import httpx
import pytest
from guard_probes import API, Site, join, result, upload

from tailor.ui.guard import cookie_for


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
