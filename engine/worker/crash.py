"""Turns the end of a worker by an exception into words and into `error.json`.

The shim sees an exit code only. What broke, and whether a person can mend it, is known here and
nowhere else; the engine's diagnosis reads it first.
"""

import errno
import shutil
from pathlib import Path

from tailor.engine.errors import UserError
from tailor.engine.run_dir import Crash

DISK_SIGNS = (
    "No space left on device", "PytorchStreamWriter failed", "file write failed",
    "iostream error", "unexpected pos",
)  # fmt: skip
"""Texts under which safetensors 0.7 and torch 2.13 hide a full disk (measured)."""


def explain(error: BaseException, folder: Path) -> UserError | None:
    """The error in words where a person can mend it; None when it is a bug of ours."""
    if isinstance(error, UserError):
        return error
    if is_disk_full(error):
        free_bytes = shutil.disk_usage(folder).free
        return UserError(
            title="The disk is full",
            detail=f"A save could not be written; {free_bytes / 1e6:,.0f} MB are free. What was "
            "saved before is intact.",
            fix="Free some space on the disk with your runs, then press Resume.",
        )
    if is_out_of_memory(error):
        return UserError(
            title="The memory was used up",
            detail="The run needed more memory than this computer had free at that moment.",
            fix="Close other programs and press Resume, or choose smaller steps on the Plan page.",
        )
    return None


def describe_crash(error: BaseException, explained: UserError | None) -> Crash:
    """`error.json` for this end. The type is the first cause's: diagnosis goes by it."""
    cause = error.__cause__ if isinstance(error, UserError) and error.__cause__ else error
    return Crash(
        type=type(cause).__name__,
        text=str(cause)[:4000],
        is_user_error=explained is not None,
        title=explained.title if explained else "",
        detail=explained.detail if explained else "",
        fix=explained.fix if explained else "",
    )


def is_disk_full(error: BaseException) -> bool:
    """Whether a write failed for want of space."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return any(sign in str(error) for sign in DISK_SIGNS)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out: a card says so by class, a processor's allocator only by text."""
    # By name: this file is needed also when torch cannot be loaded.
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    signs = ("out of memory", "can't allocate memory")
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in signs)
