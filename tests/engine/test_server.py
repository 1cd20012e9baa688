"""The engine process: quick to answer, one a home, light, and it leaves runs alone when it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.home_lock import HomeLock, is_home_locked
from tailor.engine.http.address import read_address
from tailor.engine.start import ensure_engine, is_answering

ALLOWED_WORK_SECONDS = 9.0
"""About 1.5 are usual; an old processor, or one whose cores are shared, counts several times that."""

HEAVY = ("torch", "transformers", "gradio", "plotly", "trl", "peft", "datasets", "aim")


def wait_until(is_met: Callable[[], Any], seconds: float = 180) -> Any:
    deadline = time.monotonic() + seconds
    while not (answer := is_met()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return answer


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home whose engine, if a test started one, is ended."""
    folder = tmp_path / "home"
    yield folder
    if is_answering(folder):
        client = EngineClient(folder)
        client.stop_engine()
        client.close()
    wait_until(lambda: not is_home_locked(folder))


def test_an_engine_is_started_once_and_found_afterwards(home: Path) -> None:
    first = ensure_engine(home)
    second = ensure_engine(home)

    assert first.health().pid == second.health().pid
    assert psutil.Process(first.health().pid).terminal() is None
    first.close()
    second.close()


def test_ten_starters_at_once_get_one_engine(home: Path) -> None:
    def start(_: int) -> int:
        client = ensure_engine(home)
        pid = client.health().pid
        client.close()
        return pid

    with ThreadPoolExecutor(10) as pool:
        assert len(set(pool.map(start, range(10)))) == 1


def test_a_second_engine_names_the_first_and_exits_with_three(home: Path) -> None:
    client = ensure_engine(home)
    second = subprocess.run(
        [sys.executable, "-P", "-m", "tailor.engine", "--home", str(home)],
        capture_output=True,
        text=True,
    )

    assert second.returncode == 3
    assert f"Process {client.health().pid}" in second.stderr
    assert client.health()
    client.close()


def test_an_engine_that_is_killed_is_replaced_and_the_client_goes_on(home: Path) -> None:
    client = ensure_engine(home)
    first = client.health().pid
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not is_home_locked(home))

    ensure_engine(home).close()

    assert client.health().pid != first
    client.close()


def test_sigterm_takes_the_socket_and_the_address_along(home: Path) -> None:
    client = ensure_engine(home)
    address = read_address(home)
    assert address is not None
    os.kill(address.pid, signal.SIGTERM)
    wait_until(lambda: not is_home_locked(home))

    assert not Path(address.socket).exists()
    assert read_address(home) is None
    assert "engine ended" in (home / "engine" / "engine.log").read_text()
    client.close()


def test_the_stop_verb_answers_and_then_ends_the_engine(home: Path) -> None:
    client = ensure_engine(home)
    client.stop_engine()
    wait_until(lambda: not is_home_locked(home))
    client.close()


def test_a_long_home_path_works(tmp_path: Path) -> None:
    home = tmp_path / ("a very long folder name " * 5).strip() / "ünï 🙂"
    client = ensure_engine(home)

    assert client.health().home == str(home)
    client.stop_engine()
    client.close()
    wait_until(lambda: not is_home_locked(home))


def test_an_engine_that_cannot_start_is_told_with_its_last_line(home: Path) -> None:
    (home / "engine").mkdir(parents=True)
    (home / "engine" / "engine.db").mkdir()

    with pytest.raises(UserError, match="did not start") as caught:
        ensure_engine(home)

    assert "Its last line:" in caught.value.detail
    assert "engine.log" in caught.value.fix


def test_a_lock_held_by_something_that_does_not_answer_is_waited_for(home: Path) -> None:
    lock = HomeLock(home)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ensure_engine, home)
        time.sleep(0.3)
        assert not waiting.done()
        lock.release()
        client = waiting.result(timeout=90)

    assert client.health()
    client.close()


def test_the_log_is_private_and_a_long_one_is_put_aside(home: Path) -> None:
    folder = home / "engine"
    folder.mkdir(parents=True)
    (folder / "engine.log").write_bytes(b"x" * (9 << 20))

    ensure_engine(home).close()

    assert (folder / "engine.log").stat().st_size < 1 << 20
    assert (folder / "engine.log").stat().st_mode & 0o077 == 0
    assert (folder / "engine.log.old").exists()


def test_the_engine_loads_nothing_heavy_before_it_answers() -> None:
    code = (
        "import sys, tailor.engine.server, tailor.engine.start; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)

    assert told.stdout.strip() == "[]", told.stderr


def test_a_working_engine_never_loads_what_trains_or_draws(run_home: Path) -> None:
    from small_runs import make_spec

    script = Path(__file__).with_name("api_engine.py")
    with subprocess.Popen([sys.executable, "-P", str(script), str(run_home)]) as engine:
        wait_until(lambda: is_answering(run_home) or engine.poll() is not None)
        client = EngineClient(run_home)
        wait_until(lambda: client.health().tracker.startswith("aim"))
        client.models()
        client.devices()
        client.add_example()
        run = client.submit(make_spec(steps=2), idempotency_id="one")
        wait_until(lambda: client.run(run.id).status == "succeeded")
        wait_until(lambda: client.series(run.id).source == "aim")
        client.stop_engine()
        client.close()
        assert engine.wait(timeout=60) == 0
    loaded = (run_home / "modules.txt").read_text().split()

    assert "aim" in loaded
    assert [name for name in HEAVY if name in loaded and name != "aim"] == []


def test_the_socket_answers_after_seconds_of_work_not_tens(home: Path) -> None:
    # Processor time, not the clock: what else keeps this computer busy is not ours to count.
    client = ensure_engine(home)
    spent = psutil.Process(client.health().pid).cpu_times()
    client.close()

    assert spent.user + spent.system < ALLOWED_WORK_SECONDS
