"""Jobs run elsewhere, tell how far they are, and say so when their engine was restarted."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.jobs import Jobs
from tailor.engine.types import Job

WORKER = """
import os, signal, sys, time
from tailor.engine.child import serve_child
from tailor.engine.errors import UserError

def work(request, report):
    if request == "refuse":
        raise UserError(title="No", detail="Because.", fix="Ask again.")
    if request == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    report(0.5, "Half of it.")
    while request == "hang":
        time.sleep(0.05)
    return {"echo": request}

serve_child(work)
"""


@pytest.fixture
def begin(tmp_path: Path) -> Callable[[str], Callable[[Path], Child]]:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "echo_worker.py").write_text(WORKER)

    def make(request: str) -> Callable[[Path], Child]:
        return lambda folder: Child(
            "echo_worker",
            folder,
            request,
            Limits(seconds=60),
            environment={"PYTHONPATH": str(tmp_path / "modules")},
            crash=UserError(title="It died", detail="Out of memory.", fix="Try again."),
        )

    return make


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    opened = Jobs(tmp_path / "jobs")
    yield opened
    opened.close()


def wait_for(jobs: Jobs, job: Job, is_met: Callable[[Job], bool]) -> Job:
    deadline = time.monotonic() + 60
    while not is_met(found := jobs.get(job.id, job.owner)):
        assert time.monotonic() < deadline, found
        time.sleep(0.02)
    return found


def wait_until(is_met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_met():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether it still works: what nobody has reaped yet, inside a container, does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_over(job: Job) -> bool:
    return job.status != "running"


def test_a_finished_job_has_its_answer(jobs: Jobs, begin: Callable) -> None:
    job = jobs.start("render", "ada", begin("hello"))

    done = wait_for(jobs, job, is_over)

    assert done.status == "done"
    assert json.loads(done.answer) == {"echo": "hello"}


def test_a_refusal_is_told_in_the_childs_words(jobs: Jobs, begin: Callable) -> None:
    failed = wait_for(jobs, jobs.start("render", "ada", begin("refuse")), is_over)

    assert failed.status == "failed"
    assert failed.problem is not None
    assert failed.problem.detail == "Because."


def test_a_child_that_dies_is_told_in_the_verbs_words(jobs: Jobs, begin: Callable) -> None:
    failed = wait_for(jobs, jobs.start("export", "ada", begin("die")), is_over)

    assert failed.problem is not None
    assert failed.problem.title == "It died"


def test_progress_is_seen_while_it_works(jobs: Jobs, begin: Callable) -> None:
    job = jobs.start("fetch_model", "ada", begin("hang"))

    seen = wait_for(jobs, job, lambda found: found.done == 0.5)

    assert seen.words == "Half of it."
    assert seen.status == "running"


def test_the_same_work_is_not_begun_twice_at_a_time(jobs: Jobs, begin: Callable) -> None:
    first = jobs.start("fetch_model", "ada", begin("hang"), key="hub x")

    assert jobs.start("fetch_model", "ada", begin("hang"), key="hub x").id == first.id
    assert jobs.start("fetch_model", "bob", begin("hello"), key="hub x").id != first.id


def test_what_is_under_way_can_be_found_again_by_its_owner(jobs: Jobs, begin: Callable) -> None:
    export = jobs.start("export", "ada", begin("hang"), key="run_x merged")
    over = jobs.start("render", "ada", begin("hello"))
    wait_for(jobs, over, is_over)
    wait_for(jobs, export, lambda found: found.done == 0.5)

    (found,) = jobs.running("ada")

    assert (found.id, found.key, found.words) == (export.id, "run_x merged", "Half of it.")
    assert jobs.running("bob") == ()


def test_a_job_of_somebody_else_is_as_unknown_as_none(jobs: Jobs, begin: Callable) -> None:
    job = jobs.start("render", "ada", begin("hello"))
    texts = []
    for job_id, owner in ((job.id, "bob"), ("job_none", "ada")):
        with pytest.raises(UserError) as caught:
            jobs.get(job_id, owner)
        texts.append((str(caught.value), caught.value.status))

    assert texts[0] == texts[1]
    assert texts[0][1] == 404
    wait_for(jobs, job, is_over)


def test_closing_the_engine_ends_its_children(tmp_path: Path, begin: Callable) -> None:
    jobs = Jobs(tmp_path / "jobs")
    children: list[Child] = []

    def begin_hanging(folder: Path) -> Child:
        children.append(begin("hang")(folder))
        return children[0]

    jobs.start("render", "ada", begin_hanging)
    jobs.close()

    assert not children[0].is_alive()


FIRST_ENGINE = """
import sys, time
from pathlib import Path
from tailor.engine.child import Child, Limits
from tailor.engine.jobs import Jobs

folder = Path(sys.argv[1])
environment = {"PYTHONPATH": sys.argv[2]}

def begin(job):
    return Child("echo_worker", job, "hang", Limits(seconds=60), environment=environment)

job = Jobs(folder).start("export", "ada", begin)
print(job.id, flush=True)
time.sleep(60)
"""


def test_after_a_kill_a_job_says_so_and_its_child_is_gone(tmp_path: Path, begin: Callable) -> None:
    first = subprocess.Popen(
        [sys.executable, "-P", "-c", FIRST_ENGINE, tmp_path / "jobs", tmp_path / "modules"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout is not None
    job_id = first.stdout.readline().strip()
    stored = json.loads((tmp_path / "jobs" / job_id / "job.json").read_text())
    first.kill()
    first.wait()
    first.stdout.close()

    second = Jobs(tmp_path / "jobs")
    told = second.get(job_id, "ada")
    second.close()

    assert told.status == "failed"
    assert told.problem is not None
    assert "restarted while the model was being packed" in told.problem.title
    child = stored["process"]["pid"]
    wait_until(lambda: not is_running(child))


def test_old_jobs_and_unreadable_folders_go_at_a_start(tmp_path: Path, begin: Callable) -> None:
    jobs = Jobs(tmp_path / "jobs")
    job = jobs.start("render", "ada", begin("hello"))
    wait_for(jobs, job, is_over)
    jobs.close()
    path = tmp_path / "jobs" / job.id / "job.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "ended_at": time.time() - 8 * 24 * 3600}))
    (tmp_path / "jobs" / "job_half").mkdir()

    Jobs(tmp_path / "jobs").close()

    assert os.listdir(tmp_path / "jobs") == []
