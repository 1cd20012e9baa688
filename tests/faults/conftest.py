"""Makes `small_runs` importable and gives each test a home of its own, with nothing left alive in it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from small_runs import end_everything  # noqa: E402


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home folder; workers that a failed test left behind are ended."""
    folder = tmp_path / "a home"
    folder.mkdir()
    yield folder
    end_everything(folder)
