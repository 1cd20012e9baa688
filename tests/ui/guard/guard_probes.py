"""A guarded site in a process of its own, and the few requests that the probes are made of.

Every file of this folder attacks the same site, so starting it and speaking Gradio's own language
are written once, here.
"""

import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from guarded_site import MOST_BYTES, TOKENS

from tailor.ui.guard import cookie_for

API = "/gradio_api"
__all__ = ["API", "MOST_BYTES", "TOKENS", "Site", "join", "result", "serve_site", "upload"]


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
