"""How often the kernel has killed a process for want of memory.

A worker that dies of SIGKILL may have been killed by a person or by the kernel; the difference
decides what the person is told. The shim counts before and after. Standard library only.
"""

from pathlib import Path

_OWN_GROUP = Path("/proc/self/cgroup")
_GROUPS = Path("/sys/fs/cgroup")
_MACHINE = Path("/proc/vmstat")


def count_memory_kills() -> int:
    """Kills in our own control group where it says so, else on the whole machine; 0 off Linux."""
    for path in (_group_events(), _MACHINE):
        if path is None or not path.exists():
            continue
        for line in path.read_text("ascii", "replace").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0


def _group_events() -> Path | None:
    """`memory.events` of our control group (version 2: the line that begins with "0::")."""
    if not _OWN_GROUP.exists():
        return None
    for line in _OWN_GROUP.read_text("ascii", "replace").splitlines():
        if line.startswith("0::"):
            return _GROUPS / line[3:].strip().lstrip("/") / "memory.events"
    return None
