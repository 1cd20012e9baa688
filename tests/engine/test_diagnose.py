import pytest

from tailor.engine.diagnose import Signs, diagnose
from tailor.engine.run_dir import Crash


def crash(kind: str, text: str) -> Crash:
    return Crash(type=kind, text=text)


def signs(
    *, crash: Crash | None = None, code: int | None = 1, kills: int = 0, log: str = ""
) -> Signs:
    return Signs(crash=crash, code=code, memory_kills=kills, log_tail=log)


@pytest.mark.parametrize(
    ("left_behind", "failure"),
    [
        (signs(crash=crash("OutOfMemoryError", "CUDA out of memory. Tried to allocate 2 GiB")), "gpu_oom"),
        (signs(crash=crash("RuntimeError", "[enforce fail at alloc_cpu.cpp:118] DefaultCPUAllocator: "
               "can't allocate memory: you tried to allocate 68719476736 bytes.")), "host_oom"),
        (signs(crash=crash("MemoryError", "")), "host_oom"),
        (signs(crash=crash("OSError", "[Errno 28] No space left on device")), "disk_full"),
        (signs(crash=crash("SafetensorError", "Error while serializing: I/O error: File too large")),
         "disk_full"),
        (signs(crash=crash("RuntimeError", "PytorchStreamWriter failed writing file data/0")), "disk_full"),
        (signs(crash=crash("RuntimeError", "CUDA error: an illegal memory access was encountered")),
         "gpu_fault"),
        (signs(crash=crash("ModuleNotFoundError", "No module named 'trl'")), "code"),
        (signs(crash=crash("KeyError", "'messages'")), "crash"),
        (signs(code=-9, kills=1), "host_oom"),
        (signs(code=-9), "killed"),
        (signs(code=-15), "terminated"),
        (signs(code=-40), "terminated"),
        (signs(code=-7), "shared_memory"),
        (signs(code=-11), "native_crash"),
        (signs(code=-4), "native_crash"),
        (signs(code=-6), "native_crash"),
        (signs(code=-6, log="terminate called: torch.OutOfMemoryError"), "gpu_oom"),
        (signs(code=-11, log="ImportError: no flash attention, going on without"), "native_crash"),
        (signs(code=1, log="OSError: [Errno 28] No space left on device"), "disk_full"),
        (signs(code=1), "crash"),
        (signs(code=None), "vanished"),
    ],
)  # fmt: skip
def test_each_sign_has_its_words(left_behind: Signs, failure: str) -> None:
    found = diagnose(left_behind)
    assert found.failure == failure
    assert found.words.endswith((".", "'")) or found.failure == "crash"


def test_what_the_worker_says_about_itself_goes_before_the_log() -> None:
    told = Crash(
        type="UserError", text="", is_user_error=True, title="The rows changed",
        detail="Their hash is another one.", fix="Check the file.",
    )  # fmt: skip
    found = diagnose(signs(crash=told, log="CUDA out of memory"))
    assert found.words == "The rows changed. Their hash is another one."
    assert found.fix == "Check the file."


def test_the_last_error_of_a_log_decides() -> None:
    log = "ImportError: optional\n...\ntorch.OutOfMemoryError: CUDA out of memory"
    assert diagnose(signs(log=log)).failure == "gpu_oom"
