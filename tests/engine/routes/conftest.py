"""One engine for all the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from api_calls import serve_api


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose engine answers."""
    yield from serve_api(tmp_path_factory.mktemp("api") / "home")
