"""A real wizard, a real engine, the real small model and a real Chromium."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.child import child_environment
from tailor.engine.client import EngineClient

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"http://127\.0\.0\.1:\d+/\S*")
STARTER = "smollm2-135m-instruct"


def copy_model(source: Path, target: Path) -> None:
    """Hard links where the disk allows: the weights are 270 MB."""
    target.mkdir(parents=True)
    for file in source.iterdir():
        try:
            os.link(file, target / file.name)
        except OSError:
            shutil.copyfile(file, target / file.name)


class App:
    """`python app.py` in a process of its own, which can be killed and started again."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.client = EngineClient(home)
        self.start_seconds = 0.0
        self.start()

    def start(self) -> None:
        begun = time.monotonic()
        self.log = self.home.parent / "app.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "app.py"), "--home", str(self.home), "--no-browser"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=child_environment(),
                start_new_session=True,
            )
        while not (found := LINK.search(self.log.read_text("utf-8"))):
            assert self.process.poll() is None, self.log.read_text("utf-8")
            assert time.monotonic() - begun < 300
            time.sleep(0.05)
        self.link = found.group()
        self.start_seconds = time.monotonic() - begun

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        self.kill()
        self.client.stop_engine(runs="stop")
        self.client.close()


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory, starter_model_folder: Path) -> Iterator[App]:
    home = tmp_path_factory.mktemp("tailor") / "home"
    home.mkdir(mode=0o700)
    copy_model(starter_model_folder, home / "models" / STARTER)
    running = App(home)
    yield running
    running.close()


@pytest.fixture(scope="session")
def axe() -> Any:
    """axe-core, shipped in its package."""
    api = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    return api.Axe()
