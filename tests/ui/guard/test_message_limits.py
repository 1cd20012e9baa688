"""Too big, too deep, too many, or nothing that a page would send."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from guard_probes import API, MOST_BYTES, Site, join


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
    with site.signed_in("cleo") as client:
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
