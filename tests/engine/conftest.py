"""Lets the engine's tests use the small real runs of the fault tests, and an engine that serves them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tailor.engine.client import EngineClient
from tailor.engine.http.address import read_address

sys.path += [str(Path(__file__).parent.parent / "faults"), str(Path(__file__).parent)]


@pytest.fixture
def run_home(tmp_path: Path) -> Iterator[Path]:
    """A home folder for small runs; workers that a failed test left behind are ended."""
    from small_runs import end_everything

    folder = tmp_path / "home"
    folder.mkdir()
    yield folder
    end_everything(folder)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose engine answers."""
    from api_calls import serve_api

    yield from serve_api(tmp_path_factory.mktemp("api") / "home")


@pytest.fixture
def client(home: Path) -> Iterator[EngineClient]:
    """One caller of the engine of `home`."""
    opened = EngineClient(home, owner="ada")
    yield opened
    opened.close()


@pytest.fixture
def raw(home: Path) -> Iterator[httpx.Client]:
    """The socket itself, for messages that no client of ours would send."""
    address = read_address(home)
    assert address is not None
    with httpx.Client(
        transport=httpx.HTTPTransport(uds=address.socket), base_url="http://engine"
    ) as opened:
        yield opened
