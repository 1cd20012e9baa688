"""Port and token: kept over restarts, never taken from somebody else, never open to the network."""

import os
import socket
import stat
from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.ui.environment import prepare_environment, refuse_open_doors
from tailor.ui.start_link import StartLink, read_link, take_port


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_restart_keeps_port_and_token(tmp_path: Path) -> None:
    first, listening, _ = take_port(tmp_path, free_port())
    listening.close()
    again, listening, told = take_port(tmp_path, 0)
    listening.close()
    assert again == first
    assert told == ""


def test_a_taken_port_is_left_alone_and_the_next_one_is_told(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        wanted = holder.getsockname()[1]
        link, listening, told = take_port(tmp_path, wanted)
        listening.close()
    assert link.port > wanted
    assert str(wanted) in told
    assert str(link.port) in told


def test_the_token_file_is_for_this_user_alone(tmp_path: Path) -> None:
    _, listening, _ = take_port(tmp_path, free_port())
    listening.close()
    assert stat.S_IMODE((tmp_path / "ui.json").stat().st_mode) == 0o600


def test_a_damaged_file_gives_a_new_token(tmp_path: Path) -> None:
    (tmp_path / "ui.json").write_text("{")
    assert read_link(tmp_path) is None
    link, listening, _ = take_port(tmp_path, free_port())
    listening.close()
    assert len(link.token) >= 32


def test_the_link_opens_home_or_a_run() -> None:
    link = StartLink(port=7860, token="t")
    assert link.address() == "http://127.0.0.1:7860/?token=t"
    assert link.address(run_id="run_1") == "http://127.0.0.1:7860/project?token=t&run=run_1"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GRADIO_SHARE", "True"),
        ("GRADIO_SERVER_NAME", "0.0.0.0"),
        ("GRADIO_ALLOWED_PATHS", "/"),
    ],
)
def test_an_environment_that_opens_the_wizard_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UserError, match=name):
        refuse_open_doors()


def test_doors_that_are_shut_are_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADIO_SHARE", "False")
    refuse_open_doors()


def test_no_token_stays_and_loopback_needs_no_proxy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = ("GRADIO_TEMP_DIR", "GRADIO_ANALYTICS_ENABLED", "GRADIO_ANALYTICS_CACHE_FREQUENCY")
    more = ("GRADIO_ANALYTICS_MAX_EVENTS", "HF_HOME", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY")
    for name in (*kept, *more):
        monkeypatch.setenv(name, "before")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "example.org")
    monkeypatch.setenv("HF_TOKEN", "hf_canary")
    monkeypatch.setenv("HUGGING_FACE_HUB_TOKEN", "hf_canary")
    mask = os.umask(0o022)
    try:
        prepare_environment(tmp_path)
        assert "hf_canary" not in os.environ.values()
        assert os.environ["no_proxy"] == "example.org,127.0.0.1,localhost,::1"
        assert os.environ["GRADIO_TEMP_DIR"] == str(tmp_path / "ui-tmp")
        assert stat.S_IMODE((tmp_path / "ui-tmp").stat().st_mode) == 0o700
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(mask)
