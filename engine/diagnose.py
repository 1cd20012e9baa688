"""Why a worker died, in words: what happened, and what to do about it.

"Exit code -9" helps nobody. The first sign that speaks decides: what the worker wrote about itself,
then the signal that ended it, then the last lines of its log. Pure; `outcome` gathers the signs.
"""

import re
import signal

from tailor.engine.run_dir import Crash
from tailor.estimator.record import record


@record
class Diagnosis:
    """A failure, told to a person."""

    failure: str
    """Kind, such as "host_oom"."""
    words: str
    """What happened: one sentence."""
    fix: str
    """What to do besides resuming: one sentence; empty when resuming is all."""


@record
class Signs:
    """What a dead worker left behind."""

    crash: Crash | None
    code: int | None
    """Exit code, minus the signal; None when nobody saw it end."""
    memory_kills: int
    log_tail: str


@record
class _Kind:
    pattern: re.Pattern[str]
    diagnosis: Diagnosis


def _kind(failure: str, pattern: str, words: str, fix: str) -> _Kind:
    return _Kind(
        pattern=re.compile(pattern, re.IGNORECASE),
        diagnosis=Diagnosis(failure=failure, words=words, fix=fix),
    )


_HOST_OOM = Diagnosis(
    failure="host_oom",
    words="The computer ran out of memory (RAM), so the system ended the training.",
    fix="Close other programs, or choose a smaller model or shorter rows on the Plan screen.",
)

# Sources of the texts: torch 2.13 (OutOfMemoryError, CUBLAS, storage), safetensors 0.6, errno(3),
# and the kernel's Xid messages.
_KINDS = (
    _kind(
        "gpu_oom",
        r"torch\.OutOfMemoryError|CUDA out of memory|MPS backend out of memory"
        r"|CUBLAS_STATUS_ALLOC_FAILED",
        "The graphics card ran out of memory.",
        "Choose a smaller model, shorter rows or the memory-saving recipe on the Plan screen.",
    ),
    _kind(
        "host_oom",
        r"\bMemoryError\b|DefaultCPUAllocator: can't allocate|Cannot allocate memory",
        _HOST_OOM.words,
        _HOST_OOM.fix,
    ),
    _kind(
        "disk_full",
        r"No space left on device|Disk quota exceeded|PytorchStreamWriter failed"
        r"|SafetensorError.*I/O error",
        "The disk is full, so the training could not save its work.",
        "Make some room, for instance by deleting old runs.",
    ),
    _kind(
        "gpu_fault",
        r"CUDA error: (an illegal|unspecified launch|device-side)|\bXid\b|uncorrectable ECC",
        "The graphics card reported a fault and stopped answering.",
        "Restart the computer if it happens again; a card that keeps failing may be worn out.",
    ),
    _kind(
        "code",
        r"\b(ModuleNotFoundError|ImportError)\b",
        "A part of Tailor's installation is missing or broken.",
        "Install Tailor again with: make app. Your data and runs stay.",
    ),
)

_SIGNALS: dict[int, Diagnosis] = {
    signal.SIGKILL: Diagnosis(
        failure="killed",
        words="The training was ended from outside: something on this computer killed its process.",
        fix="If you did not do it yourself, look whether the computer runs short of memory.",
    ),
    signal.SIGTERM: Diagnosis(
        failure="terminated",
        words="The training was asked to end from outside, by another program or a shutdown.",
        fix="",
    ),
    signal.SIGBUS: Diagnosis(
        failure="shared_memory",
        words="The training ran out of shared memory.",
        fix="Close other programs that use much memory. In a container, give it a larger /dev/shm.",
    ),
    signal.SIGSEGV: Diagnosis(
        failure="native_crash",
        words="A library inside the training crashed.",
        fix="If it happens again at the same step, please report it with the run's log.",
    ),
    signal.SIGILL: Diagnosis(
        failure="native_crash",
        words="A library used an instruction that this processor does not have.",
        fix="Please report it with the run's log: the installed build does not suit this computer.",
    ),
    signal.SIGABRT: Diagnosis(
        failure="native_crash",
        words="A library inside the training gave up and ended it.",
        fix="If it happens again at the same step, please report it with the run's log.",
    ),
}


def diagnose(signs: Signs) -> Diagnosis:
    """The most telling explanation of these signs."""
    if signs.crash is not None:
        return _by_crash(signs.crash)
    if signs.code == -signal.SIGKILL and signs.memory_kills > 0:
        return _HOST_OOM
    by_log = _by_text(signs.log_tail)
    has_signal = signs.code is not None and signs.code < 0
    # An import that failed and was caught does not explain a signal that came later.
    if by_log is not None and not (has_signal and by_log.failure == "code"):
        return by_log
    return _by_code(signs.code)


def _by_code(code: int | None) -> Diagnosis:
    if code is None:
        return Diagnosis(
            failure="vanished",
            words="The training ended without a word, as when the computer was switched off.",
            fix="",
        )
    if code < 0:
        return _by_signal(-code)
    return Diagnosis(
        failure="crash",
        words=f"The training ended with an error that Tailor does not know (code {code}).",
        fix="The run's log has the details; please report it if it happens again.",
    )


def _by_crash(crash: Crash) -> Diagnosis:
    """A `UserError` is shown as it is; another exception is looked up by its class and text."""
    if crash.is_user_error:
        words = " ".join(part for part in (_sentence(crash.title), crash.detail) if part)
        return Diagnosis(failure="told", words=words, fix=crash.fix)
    known = _by_text(f"{crash.type}: {crash.text}")
    if known is not None:
        return known
    first_line = crash.text.strip().partition("\n")[0][:200]
    return Diagnosis(
        failure="crash",
        words=f"The training met an error that Tailor does not know: {crash.type}: {first_line}",
        fix="The run's log has the details; please report it if it happens again.",
    )


def _by_signal(number: int) -> Diagnosis:
    known = _SIGNALS.get(number)
    if known is not None:
        return known
    return Diagnosis(
        failure="terminated",
        words=f"The training was ended by the system (signal {number}).",
        fix="",
    )


def _by_text(text: str) -> Diagnosis | None:
    """The kind whose pattern stands last in `text`: the last error is the one that ended it."""
    found = [
        (matches[-1].start(), kind)
        for kind in _KINDS
        if (matches := list(kind.pattern.finditer(text)))
    ]
    if not found:
        return None
    return min(found, key=lambda pair: -pair[0])[1].diagnosis


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "?")) else f"{text}."
