"""`python app.py` for real: engine, port, link, guard, restart on the same address."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tailor.engine.client import EngineClient
from tailor.engine.home_lock import is_home_locked
from tailor.engine.start import ensure_engine
from tailor.ui.engine_keeper import LOOK_SECONDS, has_died

COMMAND = (
    "from pathlib import Path; import sys; from tailor.ui.serve import serve;"
    "serve(Path(sys.argv[1]), port=int(sys.argv[2]), open_browser=False)"
)
COLD_START_SECONDS = 180.0
"""On a machine that does nothing else it is under 10; test machines are busy."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    engine = ensure_engine(folder)
    yield folder
    engine.stop_engine(runs="stop")
    engine.close()


class Wizard:
    """A wizard in a process of its own."""

    def __init__(self, home: Path, port: int = 0) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", COMMAND, str(home), str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "http_proxy": "http://127.0.0.1:9", "PYTHONUNBUFFERED": "1"},
        )
        self.printed = ""
        self.link = self._wait_for_link()

    def _wait_for_link(self) -> str:
        assert self.process.stdout is not None
        deadline = time.monotonic() + COLD_START_SECONDS
        while time.monotonic() < deadline:
            line = self.process.stdout.readline()
            self.printed += line
            found = re.search(r"http://\S+", line)
            if found:
                return found.group(0)
            assert line or self.process.poll() is None, self.printed
        raise AssertionError(self.printed)

    def get(self, path: str, **headers: str) -> httpx.Response:
        base = self.link.split("/?")[0]
        return httpx.get(base + path, headers=headers, timeout=30.0, trust_env=False)

    def cookie(self) -> str:
        answer = httpx.get(self.link, timeout=30.0, trust_env=False)
        assert answer.status_code == 200
        return answer.headers["set-cookie"].split(";")[0]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def wizard(home: Path) -> Iterator[Wizard]:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        started = Wizard(home, holder.getsockname()[1])
    yield started
    started.stop()


def test_a_busy_port_is_said_and_the_next_one_answers(wizard: Wizard) -> None:
    assert "is held by another program" in wizard.printed
    assert wizard.get("/").status_code == 401
    assert wizard.get("/", Cookie=wizard.cookie()).status_code == 200


def test_only_the_link_lets_anybody_in(wizard: Wizard) -> None:
    for path in ("/project", "/config", "/assets/plotly.min.js", "/download/run_1/merged"):
        assert wizard.get(path).status_code == 401
    assert wizard.get("/", Host="evil.example").status_code == 421


def test_our_own_routes_are_not_swallowed_by_gradio(wizard: Wizard) -> None:
    cookie = wizard.cookie()
    script = wizard.get("/assets/plotly.min.js", Cookie=cookie)
    assert script.status_code == 200
    assert "plotly.js" in script.text[:400]
    assert wizard.get("/download/run_20261130-none/merged", Cookie=cookie).status_code == 404


def test_pages_carry_our_title_and_nothing_of_gradios_footer(wizard: Wizard) -> None:
    page = wizard.get("/project", Cookie=wizard.cookie())
    assert page.status_code == 200
    assert '"footer_links":[]' in page.text.replace(" ", "")
    assert "Tailor" in page.text


def test_a_killed_wizard_comes_back_at_the_same_address(home: Path) -> None:
    first = Wizard(home)
    cookie = first.cookie()
    first.process.kill()
    first.process.wait(timeout=30)
    assert first.process.stdout is not None
    first.process.stdout.close()
    again = Wizard(home)
    try:
        assert again.link == first.link
        assert again.get("/project", Cookie=cookie).status_code == 200
    finally:
        again.stop()


def test_a_killed_engine_is_started_again_and_a_stopped_one_is_not(tmp_path: Path) -> None:
    wizard = Wizard(tmp_path)
    client = EngineClient(tmp_path)
    try:
        first = client.health().pid
        os.kill(first, signal.SIGKILL)
        deadline = time.monotonic() + COLD_START_SECONDS
        while has_died(tmp_path):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert client.health().pid != first
        client.stop_engine(runs="stop")
        while is_home_locked(tmp_path):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        time.sleep(LOOK_SECONDS + 1)
        assert not has_died(tmp_path)
        assert not is_home_locked(tmp_path)
    finally:
        client.close()
        wizard.stop()
