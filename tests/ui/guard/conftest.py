"""One guarded site for all the probes of this folder, and two users who are signed in to it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

sys.path.append(str(Path(__file__).parent))

from guard_probes import Site, serve_site  # noqa: E402


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An app with one of everything that Gradio does not protect, behind the guard."""
    yield from serve_site("small", tmp_path_factory.mktemp("home"))


@pytest.fixture
def ada(site: Site) -> Iterator[httpx.Client]:
    with site.signed_in("ada") as client:
        yield client


@pytest.fixture
def bob(site: Site) -> Iterator[httpx.Client]:
    with site.signed_in("bob") as client:
        yield client
