"""`python app.py doctor`: what this computer can do, what is missing, and how to mend it, in words.

The first thing to run when something does not work, so it needs neither engine nor network nor
torch, changes nothing, and tells every check even when an earlier one failed. The checks themselves
are in `health.py`; the index of runs is rebuilt from here because the engine must not run
meanwhile.
"""

import textwrap
from pathlib import Path

from tailor.engine.errors import UserError
from tailor.engine.home_lock import HomeLock, is_home_locked
from tailor.engine.http.address import engine_folder
from tailor.engine.runs import rebuild
from tailor.engine.store import Store
from tailor.ui.terminal.health import Health, check_health

SIGNS = {"good": "ok  ", "care": "care", "stop": "STOP"}
WIDTH = 96


def run_doctor(home: Path, *, rebuild_index: bool = False) -> int:
    """Print every check; 0 when nothing stands in the way."""
    if rebuild_index:
        return _rebuild(home)
    found = check_health(home)
    for health in found:
        print(_line(health))
    print(_last_word(found))
    return 1 if any(health.level == "stop" for health in found) else 0


def _line(health: Health) -> str:
    text = f"{health.title}: {health.words}"
    indent = " " * 6
    lines = textwrap.fill(
        text, WIDTH, initial_indent=f"{SIGNS[health.level]}  ", subsequent_indent=indent
    )
    if health.fix:
        lines += "\n" + textwrap.fill(
            f"-> {health.fix}",
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + "   ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _last_word(found: tuple[Health, ...]) -> str:
    stops = sum(health.level == "stop" for health in found)
    cares = sum(health.level == "care" for health in found)
    if stops:
        things = "One thing stands" if stops == 1 else f"{stops} things stand"
        return f"\n{things} in the way. Mend what is marked STOP, then run doctor again."
    if cares:
        things = "one thing" if cares == 1 else f"{cares} things"
        return f"\nTailor works here; {things} could be better."
    return "\nEverything is ready."


def _rebuild(home: Path) -> int:
    if is_home_locked(home):
        raise UserError(
            title="The engine is running",
            detail="The index of runs can only be rebuilt while nobody uses it.",
            fix="Stop it first with: python app.py stop --engine. Your runs go on without it.",
        )
    lock = HomeLock(home)
    try:
        store = Store(engine_folder(home) / "engine.db")
        try:
            unreadable = rebuild.rebuild_index(home, store)
            kept = len(store.runs())
        finally:
            store.close()
    finally:
        lock.release()
    print(f"The index was rebuilt from the run folders: {kept} runs.")
    for name in unreadable:
        print(f"care  {name} cannot be read as a run and was left out. Its folder is unchanged.")
    return 0
