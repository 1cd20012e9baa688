"""What one user has sent, asked or is being told stays unknown to every other."""

import os
from pathlib import Path
from typing import Any

import httpx
from guard_probes import API, Site, join, result, upload

from tailor.ui.guard import cookie_for


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
