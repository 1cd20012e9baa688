"""Services over an engine that is kept in memory, for the screens before a run."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from setup_engine import FakeEngine  # noqa: E402
from setup_nouns import report_of  # noqa: E402

from tailor.engine.data_types import RenderReport  # noqa: E402
from tailor.ui.services import Services  # noqa: E402


@pytest.fixture
def engine(tmp_path: Path) -> FakeEngine:
    """The engine in memory."""
    return FakeEngine(tmp_path)


@pytest.fixture
def services(tmp_path: Path, engine: FakeEngine) -> Services:
    """Services that speak to it."""
    return Services(tmp_path, connect=lambda _home, _owner: engine)


@pytest.fixture
def report() -> Callable[[], RenderReport]:
    """Builds a report."""
    return report_of
