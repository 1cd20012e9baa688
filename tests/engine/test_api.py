"""The API over a real engine process: every verb, its owner, its errors; nothing for strangers."""

import contextlib
import os
import socket
import stat
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tailor.engine.client import EngineClient
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.http.address import read_address
from tailor.engine.start import is_answering
from tailor.engine.types import Draft, RunRecord
from tailor.recipes.spec import Message

SCRIPT = Path(__file__).with_name("api_engine.py")
TOKEN = "hf_" + "Zz9" * 11


def wait_until(is_met: Callable[[], Any], seconds: float = 90) -> Any:
    deadline = time.monotonic() + seconds
    while not (answer := is_met()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return answer


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home whose engine answers."""
    from small_runs import end_everything

    folder = tmp_path_factory.mktemp("api") / "home"
    folder.mkdir()
    with (folder / "engine.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", str(SCRIPT), str(folder)], stdout=log, stderr=log
        )
    try:
        wait_until(lambda: is_answering(folder) or process.poll() is not None)
        assert process.poll() is None, (folder / "engine.log").read_text()
        yield folder
    finally:
        process.terminate()
        code = process.wait(timeout=60)
        end_everything(folder)
    assert code == 0, (folder / "engine.log").read_text()


@pytest.fixture
def client(home: Path) -> Iterator[EngineClient]:
    opened = EngineClient(home, owner="ada")
    yield opened
    opened.close()


@pytest.fixture
def raw(home: Path) -> Iterator[httpx.Client]:
    address = read_address(home)
    assert address is not None
    with httpx.Client(
        transport=httpx.HTTPTransport(uds=address.socket), base_url="http://engine"
    ) as opened:
        yield opened


def submit(client: EngineClient, **knobs: object) -> RunRecord:
    from small_runs import make_spec

    return client.submit(make_spec(**knobs), idempotency_id=uuid.uuid4().hex)


def wait_for_status(client: EngineClient, run_id: str, *statuses: str) -> RunRecord:
    wait_until(lambda: client.run(run_id).status in statuses)
    return client.run(run_id)


# The socket


def test_socket_is_private(home: Path) -> None:
    address = read_address(home)
    assert address is not None

    assert stat.S_IMODE(os.stat(address.socket).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(home / "engine").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(home / "engine" / "engine.json").st_mode) == 0o600


def test_a_request_may_not_be_larger_than_a_megabyte(raw: httpx.Client) -> None:
    answer = raw.post("/v1/preflight", content=b"x" * ((1 << 20) + 1))

    assert answer.status_code == 413
    assert "1,024 KB" in answer.json()["detail"]


def test_a_hundred_megabytes_are_refused_without_being_kept(raw: httpx.Client) -> None:
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b"x" * (1 << 20)

    # The engine may close the connection while we still send; then there is no answer to read.
    with contextlib.suppress(httpx.TransportError):
        assert raw.post("/v1/preflight", content=pieces()).status_code == 413
    assert sent < 100


def test_a_nested_message_is_refused_in_words(raw: httpx.Client) -> None:
    answer = raw.post(
        "/v1/preflight", content=b"[" * 100_000, headers={"content-type": "application/json"}
    )

    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"title", "detail", "fix"}


def test_unknown_keys_are_refused_and_named(raw: httpx.Client) -> None:
    answer = raw.post(
        "/v1/runs/run_x/stop",
        json={"mode": "keep", "moode": 1},
        headers={"Idempotency-Id": "a"},
    )

    assert answer.status_code == 422
    assert "moode" in answer.json()["detail"]


def test_an_unknown_path_is_told_in_the_same_form(raw: httpx.Client) -> None:
    answer = raw.get("/v1/nonsense")

    assert answer.status_code == 404
    assert "/v1/docs" in answer.json()["fix"]


def test_a_change_without_an_id_is_refused(raw: httpx.Client) -> None:
    answer = raw.post("/v1/datasets/example", json={})

    assert answer.status_code == 400
    assert "Idempotency-Id" in answer.json()["detail"]


def test_an_owner_that_could_be_a_path_is_refused(raw: httpx.Client) -> None:
    for owner in ("../root", ".hidden", "a/b", "x" * 65):
        answer = raw.get("/v1/runs", headers={"X-Tailor-Owner": owner})
        assert answer.status_code == 400, owner


# The description


def test_the_description_lists_every_verb_of_the_client(raw: httpx.Client) -> None:
    described = raw.get("/v1/openapi.json").json()["paths"]
    verbs = {f"{verb.upper()} {path}" for path, found in described.items() for verb in found}

    assert verbs == {
        "POST /v1/runs",
        "GET /v1/runs",
        "POST /v1/preflight",
        "GET /v1/runs/{run_id}",
        "DELETE /v1/runs/{run_id}",
        "GET /v1/runs/{run_id}/events",
        "GET /v1/runs/{run_id}/diary",
        "GET /v1/runs/{run_id}/series",
        "GET /v1/runs/{run_id}/log",
        "POST /v1/runs/{run_id}/stop",
        "POST /v1/runs/{run_id}/resume",
        "POST /v1/runs/{run_id}/answer",
        "POST /v1/runs/{run_id}/export",
        "GET /v1/runs/{run_id}/exports",
        "GET /v1/drafts",
        "GET /v1/drafts/{draft_id}",
        "PUT /v1/drafts/{draft_id}",
        "DELETE /v1/drafts/{draft_id}",
        "POST /v1/files",
        "POST /v1/datasets",
        "POST /v1/datasets/example",
        "GET /v1/datasets/{dataset_id}",
        "GET /v1/datasets/{dataset_id}/rows",
        "POST /v1/datasets/{dataset_id}/preview",
        "POST /v1/datasets/{dataset_id}/mapping",
        "POST /v1/datasets/{dataset_id}/render",
        "GET /v1/models",
        "POST /v1/models",
        "GET /v1/jobs/{job_id}",
        "GET /v1/devices",
        "GET /v1/health",
        "POST /v1/engine/stop",
    }
    assert all(about["description"] for found in described.values() for about in found.values())


def test_the_docs_page_loads_nothing_from_elsewhere(raw: httpx.Client) -> None:
    page = raw.get("/v1/docs").text

    assert "/v1/runs/{run_id}/series" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<script" not in page


def test_health_tells_version_home_and_tracker(client: EngineClient, home: Path) -> None:
    health = client.health()

    assert health.home == str(home)
    assert wait_until(lambda: client.health().tracker == "aim 3.29.1")


def test_an_unknown_name_is_told_with_the_names_that_there_are(client: EngineClient) -> None:
    with pytest.raises(UserError, match="maintenance") as caught:
        client.add_example("nonsense")

    assert caught.value.status == 422


def test_devices_are_read(client: EngineClient) -> None:
    assert client.devices().cpu_cores >= 1


# Runs


def test_a_run_goes_from_submit_to_its_curves(client: EngineClient) -> None:
    run = submit(client, steps=12)
    assert run.owner == "ada"
    assert run.id in [found.id for found in client.runs()]

    done = wait_for_status(client, run.id, "succeeded")
    events = client.events(run.id)
    series = wait_until(lambda: find_curve(client, run.id))

    assert done.result is not None
    assert events[-1].kind == "ended"
    assert client.events(run.id, after=events[-2].stamp.seq) == events[-1:]
    assert len(client.events(run.id, limit=3)) == 3
    assert series.source == "aim"
    assert series.traces[0].steps == tuple(range(1, 13))
    assert client.series(run.id, after=series.cursor).unchanged
    assert client.diary(run.id)
    assert "worker of attempt 1" in client.log(run.id).text
    adapter = client.exports(run.id)[0]
    assert adapter.kind == "adapter"
    assert adapter.bytes > 0


def find_curve(client: EngineClient, run_id: str) -> Any:
    """The finished curve as the tracker has it, None while it is on its way."""
    series = client.series(run_id, names=("loss/train",))
    is_whole = series.cursor == client.events(run_id)[-1].stamp.seq
    return series if is_whole and series.source == "aim" else None


def test_a_point_is_in_the_chart_within_two_seconds(client: EngineClient, home: Path) -> None:
    wait_until(lambda: client.health().tracker == "aim 3.29.1")
    run = submit(client, steps=100, step_seconds=0.2)
    wait_for_status(client, run.id, "running")
    lags, seen, cursor = [], 0, 0
    while seen < 25:
        series = client.series(run.id, names=("loss/train",), after=cursor)
        now = time.time()
        if not series.unchanged and series.traces:
            written = {
                event.step: event.stamp.at
                for event in client.events(run.id)
                if event.kind == "metric"
            }
            fresh = [step for step in series.traces[0].steps if step > seen]
            lags += [now - written[step] for step in fresh]
            seen, cursor = max([seen, *fresh]), series.cursor
        time.sleep(0.05)
    client.stop(run.id, mode="discard")
    wait_for_status(client, run.id, "stopped")

    lags.sort()
    (home / "lag.txt").write_text(f"median {lags[len(lags) // 2]:.2f} s, most {lags[-1]:.2f} s")
    assert lags[-1] < 2.0, lags


def test_fifty_parallel_submits_with_one_id_make_one_run(client: EngineClient, home: Path) -> None:
    from small_runs import make_spec

    spec, request_id = make_spec(steps=3), uuid.uuid4().hex
    before = len(client.runs(limit=500))

    def ask(_: int) -> str:
        caller = EngineClient(home, owner="ada")
        try:
            return caller.submit(spec, idempotency_id=request_id).id
        finally:
            caller.close()

    with ThreadPoolExecutor(50) as pool:
        ids = set(pool.map(ask, range(50)))

    assert len(ids) == 1
    assert len(client.runs(limit=500)) == before + 1
    wait_for_status(client, ids.pop(), "succeeded")


def test_the_same_id_with_another_body_is_refused(client: EngineClient) -> None:
    from small_runs import make_spec

    client.submit(make_spec(steps=2), idempotency_id="same-id")
    with pytest.raises(UserError, match="other contents"):
        client.submit(make_spec(steps=3), idempotency_id="same-id")


def test_stop_resume_and_delete(client: EngineClient) -> None:
    run = submit(client, steps=400, step_seconds=0.05)
    wait_until(lambda: client.run(run.id).progress.step >= 6)

    with pytest.raises(UserError, match="still working"):
        client.delete(run.id)
    client.stop(run.id)
    stopped = wait_for_status(client, run.id, "stopped")
    assert stopped.is_resumable

    client.resume(run.id)
    wait_until(lambda: client.run(run.id).attempt == 2)
    wait_until(lambda: client.run(run.id).progress.step > stopped.progress.step)
    series = client.series(run.id, names=("loss/train",))
    assert list(series.traces[0].steps) == sorted(set(series.traces[0].steps))
    client.stop(run.id, mode="discard")
    wait_for_status(client, run.id, "stopped")

    client.delete(run.id)
    with pytest.raises(UserError) as caught:
        client.run(run.id)
    assert caught.value.status == 404
    assert not Path(stopped.folder).exists()


def test_a_repeated_delete_gets_the_first_answer(raw: httpx.Client, client: EngineClient) -> None:
    run = submit(client, steps=2)
    wait_for_status(client, run.id, "succeeded")
    headers = {"Idempotency-Id": uuid.uuid4().hex, "X-Tailor-Owner": "ada"}

    answers = [
        raw.request("DELETE", f"/v1/runs/{run.id}", json={}, headers=headers) for _ in range(3)
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 200]


def test_logs_never_show_a_token(client: EngineClient) -> None:
    run = submit(client, steps=2)
    done = wait_for_status(client, run.id, "succeeded")
    log = next(Path(done.folder).glob("attempts/001/worker.log"))
    with log.open("a") as file:
        file.write(f"downloading with {TOKEN}\nAuthorization: Bearer abcdefghijkl\n")

    text = client.log(run.id).text

    assert TOKEN not in text
    assert "abcdefghijkl" not in text
    assert "downloading with ***" in text


def test_what_belongs_to_somebody_else_is_as_unknown_as_nothing(
    home: Path, client: EngineClient
) -> None:
    run = submit(client, steps=2)
    wait_for_status(client, run.id, "succeeded")
    draft = client.save_draft(Draft(id="mine"))
    dataset = client.add_example()
    job = client.render(dataset.id, client.models()[0].id) if client.models()[0].spec else None
    other = EngineClient(home, owner="bob")
    calls: list[Callable[[str], Any]] = [
        other.run,
        other.events,
        other.diary,
        other.series,
        other.log,
        other.stop,
        other.resume,
        other.delete,
        other.exports,
        lambda name: other.export(name, kind="merged"),
        lambda name: other.chat(name, (Message(role="user", content="Hello"),)),
    ]
    pairs = [(call, run.id, "run_20200101-xxxx") for call in calls]
    pairs += [(other.draft, draft.id, "none")]
    pairs += [(call, dataset.id, "ds_20200101-xxxx") for call in (other.dataset, other.rows)]
    pairs += [
        (lambda name: other.preview(name, Mapping(shape="text")), dataset.id, "ds_20200101-xxxx"),
        (lambda name: other.map(name, Mapping(shape="text")), dataset.id, "ds_20200101-xxxx"),
    ]
    if job is not None:
        pairs.append((other.job, job.id, "job_none"))
    for call, theirs, nobodys in pairs:
        told = []
        for name in (theirs, nobodys):
            with pytest.raises(UserError) as caught:
                call(name)
            told.append((str(caught.value).replace(name, "ID"), caught.value.status))
        assert told[0] == told[1]
        assert told[0][1] == 404
    other.close()
    assert other.runs() == ()
    assert other.drafts() == ()
    other.close()


# Drafts


@pytest.mark.parametrize("way", ["../runs/{}", "..%2Fruns%2F{}", "{}?", "..", ""])
def test_an_id_cannot_lead_to_another_verb(client: EngineClient, way: str) -> None:
    run = submit(client, steps=1)
    wait_for_status(client, run.id, "succeeded")

    with pytest.raises(UserError):
        client.delete_draft(way.format(run.id))

    assert client.run(run.id).id == run.id


def test_a_draft_survives_and_a_second_tab_is_told(client: EngineClient) -> None:
    first = client.save_draft(Draft(id="d1", title="Notes"))
    second = client.save_draft(replace(first, title="Better notes"))

    assert second.revision == first.revision + 1
    assert client.draft("d1").title == "Better notes"
    assert client.drafts()[0].id == "d1"
    with pytest.raises(UserError) as caught:
        client.save_draft(replace(first, title="From the other tab"))
    assert caught.value.status == 409
    assert client.draft("d1").title == "Better notes"

    client.delete_draft("d1")
    with pytest.raises(UserError):
        client.draft("d1")


def test_saving_the_same_thing_again_after_a_lost_answer_is_no_conflict(
    client: EngineClient,
) -> None:
    draft = Draft(id="d2", title="Once")
    first = client.save_draft(draft)

    assert client.save_draft(draft) == first


# Errors that are ours


def test_an_error_of_ours_is_a_sentence_with_an_id_that_is_in_the_log(
    client: EngineClient, home: Path
) -> None:
    run = submit(client, steps=2)
    done = wait_for_status(client, run.id, "succeeded")
    (Path(done.folder) / "events.jsonl").unlink()
    (Path(done.folder) / "events.jsonl").mkdir()

    with pytest.raises(UserError) as caught:
        client.events(run.id)

    assert caught.value.status == 500
    assert "Traceback" not in str(caught.value)
    error_id = caught.value.detail.split("under ")[1].split(".")[0]
    assert error_id in (home / "engine.log").read_text()


def test_slow_callers_do_not_keep_others_waiting(home: Path, client: EngineClient) -> None:
    address = read_address(home)
    assert address is not None
    slow = [socket.socket(socket.AF_UNIX) for _ in range(50)]
    for caller in slow:
        caller.connect(address.socket)
        caller.send(b"GET /v1/health HTTP/1.1\r\nHost: eng")
    began = time.monotonic()
    client.health()
    lasted = time.monotonic() - began
    for caller in slow:
        caller.close()

    assert lasted < 2.0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as another user")
def test_another_uid_is_refused(tmp_path: Path) -> None:
    """Behind an open socket file, so that the kernel's word about the peer alone keeps it out."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-c", OPEN_SERVER, str(tmp_path / "open.sock")],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        path = server.stdout.readline().strip()
        told = {}
        for uid in (os.getuid(), 65534):
            asked = subprocess.run(
                [sys.executable, "-I", "-c", ASK, path, str(uid)],
                capture_output=True,
                text=True,
            )
            told[uid] = asked.stdout.strip()
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()

    assert told == {os.getuid(): "200", 65534: "refused"}


OPEN_SERVER = """
import asyncio, os, socket, sys, tempfile, uvicorn
from tailor.engine.http.peer import PeerProtocol

async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})

folder = tempfile.mkdtemp(dir="/tmp")
os.chmod(folder, 0o755)
path = folder + "/open.sock"
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
os.chmod(path, 0o666)
listener.listen(8)
config = uvicorn.Config(app, http=PeerProtocol, lifespan="off", log_config=None)
print(path, flush=True)
try:
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
finally:
    os.unlink(path)
    os.rmdir(folder)
"""

ASK = """
import os, socket, sys
os.setuid(int(sys.argv[2]))
caller = socket.socket(socket.AF_UNIX)
caller.connect(sys.argv[1])
try:
    caller.sendall(b"GET / HTTP/1.1\\r\\nHost: engine\\r\\nConnection: close\\r\\n\\r\\n")
    answer = caller.recv(100)
except OSError:
    answer = b""
print(answer.split()[1].decode() if answer else "refused")
"""
