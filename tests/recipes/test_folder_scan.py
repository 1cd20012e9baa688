"""A folder's files are found by themselves, and a file that is wrong is named."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tailor.recipes.folder_scan import scan_folder


@dataclass(frozen=True)
class Thing:
    id: str


@pytest.fixture
def write_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Writes a package of the given modules; answers its name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made = []

    def write(**modules: str) -> str:
        name = f"scanned_{tmp_path.name}"
        folder = tmp_path / name
        (folder / "inner").mkdir(parents=True)
        for path in (folder / "__init__.py", folder / "inner" / "__init__.py"):
            path.write_text("THING = 1\n")
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        made.append(name)
        return name

    yield write
    for loaded in [one for one in sys.modules if one.split(".")[0] in made]:
        del sys.modules[loaded]


def test_every_file_with_the_constant_is_found_and_others_are_passed_over(write_package) -> None:
    make = f"from {__name__} import Thing\nTHING = Thing({{!r}})\n"
    package = write_package(one=make.format("one"), two=make.format("two"), helper="WORD = 1\n")
    assert scan_folder(package, "THING", Thing) == {"one": Thing("one"), "two": Thing("two")}


def test_a_file_that_calls_its_thing_otherwise_is_named(write_package) -> None:
    package = write_package(one=f"from {__name__} import Thing\nTHING = Thing('other')\n")
    with pytest.raises(RuntimeError, match=r"\.one calls its THING 'other'"):
        scan_folder(package, "THING", Thing)


def test_a_constant_of_another_kind_is_named(write_package) -> None:
    package = write_package(one="THING = 'a word'\n")
    with pytest.raises(RuntimeError, match=r"\.one is no Thing"):
        scan_folder(package, "THING", Thing)
