"""Lets the engine's tests use the small real runs of the fault tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "faults"))


@pytest.fixture
def run_home(tmp_path: Path) -> Iterator[Path]:
    """A home folder for small runs; workers that a failed test left behind are ended."""
    from small_runs import end_everything

    folder = tmp_path / "home"
    folder.mkdir()
    yield folder
    end_everything(folder)
