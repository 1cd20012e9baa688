"""The socket: private, patient with slow callers, and short with messages that are none."""

import contextlib
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from api_calls import submit, wait_for_status

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.http.address import read_address


def test_socket_is_private(home: Path) -> None:
    address = read_address(home)
    assert address is not None

    assert stat.S_IMODE(os.stat(address.socket).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(home / "engine").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(home / "engine" / "engine.json").st_mode) == 0o600


def test_a_request_may_not_be_larger_than_a_megabyte(raw: httpx.Client) -> None:
    answer = raw.post("/v1/preflight", content=b"x" * ((1 << 20) + 1))

    assert answer.status_code == 413
    assert "1,024 KB" in answer.json()["detail"]


def test_a_hundred_megabytes_are_refused_without_being_kept(raw: httpx.Client) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b"x" * (1 << 20)

    # The engine may close the connection while we still send; then there is no answer to read.
    with contextlib.suppress(httpx.TransportError):
        assert raw.post("/v1/preflight", content=pieces()).status_code == 413
    assert sent < 100


def test_a_nested_message_is_refused_in_words(raw: httpx.Client) -> None:
    answer = raw.post(
        "/v1/preflight", content=b"[" * 100_000, headers={"content-type": "application/json"}
    )

    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"title", "detail", "fix"}


def test_unknown_keys_are_refused_and_named(raw: httpx.Client) -> None:
    answer = raw.post(
        "/v1/runs/run_x/stop",
        json={"mode": "keep", "moode": 1},
        headers={"Idempotency-Id": "a"},
    )

    assert answer.status_code == 422
    assert "moode" in answer.json()["detail"]


def test_an_unknown_path_is_told_in_the_same_form(raw: httpx.Client) -> None:
    answer = raw.get("/v1/nonsense")

    assert answer.status_code == 404
    assert "/v1/docs" in answer.json()["fix"]


def test_a_change_without_an_id_is_refused(raw: httpx.Client) -> None:
    answer = raw.post("/v1/datasets/example", json={})

    assert answer.status_code == 400
    assert "Idempotency-Id" in answer.json()["detail"]


def test_an_owner_that_could_be_a_path_is_refused(raw: httpx.Client) -> None:
    for owner in ("../root", ".hidden", "a/b", "x" * 65):
        answer = raw.get("/v1/runs", headers={"X-Tailor-Owner": owner})
        assert answer.status_code == 400, owner


def test_an_error_of_ours_is_a_sentence_with_an_id_that_is_in_the_log(
    client: EngineClient, home: Path
) -> None:
    run = submit(client, steps=2)
    done = wait_for_status(client, run.id, "succeeded")
    (Path(done.folder) / "events.jsonl").unlink()
    (Path(done.folder) / "events.jsonl").mkdir()

    with pytest.raises(UserError) as caught:
        client.events(run.id)

    assert caught.value.status == 500
    assert "Traceback" not in str(caught.value)
    error_id = caught.value.detail.split("under ")[1].split(".")[0]
    assert error_id in (home / "engine.log").read_text()


def test_slow_callers_do_not_keep_others_waiting(home: Path, client: EngineClient) -> None:
    address = read_address(home)
    assert address is not None
    slow = [socket.socket(socket.AF_UNIX) for _ in range(50)]
    for caller in slow:
        caller.connect(address.socket)
        caller.send(b"GET /v1/health HTTP/1.1\r\nHost: eng")
    began = time.monotonic()
    client.health()
    lasted = time.monotonic() - began
    for caller in slow:
        caller.close()

    # They never finish; a server that waited for them would not answer at all.
    assert lasted < 20.0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as another user")
def test_another_uid_is_refused(tmp_path: Path) -> None:
    """Behind an open socket file, so that the kernel's word about the peer alone keeps it out."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-c", OPEN_SERVER, str(tmp_path / "open.sock")],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        path = server.stdout.readline().strip()
        told = {}
        for uid in (os.getuid(), 65534):
            asked = subprocess.run(
                [sys.executable, "-I", "-c", ASK, path, str(uid)],
                capture_output=True,
                text=True,
            )
            told[uid] = asked.stdout.strip()
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()

    assert told == {os.getuid(): "200", 65534: "refused"}


OPEN_SERVER = """
import asyncio, os, socket, sys, tempfile, uvicorn
from tailor.engine.http.peer import PeerProtocol

async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})

folder = tempfile.mkdtemp(dir="/tmp")
os.chmod(folder, 0o755)
path = folder + "/open.sock"
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
os.chmod(path, 0o666)
listener.listen(8)
config = uvicorn.Config(app, http=PeerProtocol, lifespan="off", log_config=None)
print(path, flush=True)
try:
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
finally:
    os.unlink(path)
    os.rmdir(folder)
"""

ASK = """
import os, socket, sys
os.setuid(int(sys.argv[2]))
caller = socket.socket(socket.AF_UNIX)
caller.connect(sys.argv[1])
try:
    caller.sendall(b"GET / HTTP/1.1\\r\\nHost: engine\\r\\nConnection: close\\r\\n\\r\\n")
    answer = caller.recv(100)
except OSError:
    answer = b""
print(answer.split()[1].decode() if answer else "refused")
"""
