"""Downloads: the caller's own exports and nothing else."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.engine.types import ExportRecord
from tailor.ui.download import find_export, zip_pieces
from tailor.ui.services import Services

RUN = "run_20261130-kfpa"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / RUN / "exports" / "merged"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(os.urandom(3_000_000))
    return folder


@pytest.fixture
def services(make_run, make_engine, made, tmp_path):
    engine = make_engine(make_run())
    engine.made.append(
        ExportRecord(run_id=RUN, kind="merged", path=str(made), bytes=3_000_002, words="")
    )
    return Services(tmp_path, lambda home, owner: engine)


def test_a_folder_arrives_whole_as_a_zip_file_in_small_pieces(made):
    pieces = [*zip_pieces(made, folder_name="mine")]
    assert max(map(len, pieces)) < 2_000_000
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["mine/config.json", "mine/model.safetensors"]
        assert archive.read("mine/model.safetensors") == (made / "model.safetensors").read_bytes()


def test_a_link_in_the_folder_does_not_lead_out_of_it(made, tmp_path):
    (tmp_path / "secret").write_text("token")
    (made / "link").symlink_to(tmp_path / "secret")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(zip_pieces(made, folder_name="mine"))))
    assert "mine/link" not in archive.namelist()


def test_what_the_engine_names_for_this_caller_is_found(services):
    assert find_export(services, "ada", RUN, "merged").kind == "merged"


def test_what_is_not_made_or_unknown_is_not_found(services):
    for kind in ("adapter", "../merged", ""):
        with pytest.raises(UserError) as refused:
            find_export(services, "ada", RUN, kind)
        assert refused.value.status == 404


def test_a_folder_outside_the_run_is_never_sent(services, tmp_path):
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    engine = services.engine("ada")
    engine.made[:] = [ExportRecord(run_id=RUN, kind="merged", path=str(outside), bytes=1, words="")]
    with pytest.raises(UserError):
        find_export(services, "ada", RUN, "merged")
