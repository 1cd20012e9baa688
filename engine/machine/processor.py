"""The processor: its name, the cores that are ours, bf16 instructions, and its measured speed.

A container or a batch system gives a process fewer cores and less memory than the machine has, and
a promise made for the machine would be broken. Speed is measured once with numpy, not guessed from
the name: it decides how long every run on a processor takes. `devices.py` asks here.
"""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil

CGROUP = Path("/sys/fs/cgroup")
MATRIX = 1024
PROBE_SECONDS = 0.2
BF16_FLAGS = frozenset(("avx512_bf16", "amx_bf16", "bf16"))
"""Linux's names for bf16 products: Intel and AMD, Intel's tiles, ARM."""


def read_cpu_name() -> str:
    """The maker's name."""
    if sys.platform == "darwin":
        return _sysctl("machdep.cpu.brand_string") or platform.machine()
    for line in _cpuinfo():
        name, _, told = line.partition(":")
        if name.strip() in ("model name", "Model") and told.strip():
            return told.strip()
    return platform.processor() or platform.machine() or "unknown processor"


def read_cores(cgroup: Path = CGROUP) -> int:
    """Cores that this process may use: its affinity, and a container's share."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    quota = _words(cgroup / "cpu.max")
    if len(quota) > 1 and quota[0].isdigit():
        cores = min(cores, max(1, int(quota[0]) // int(quota[1])))
    return cores


def has_bf16() -> bool:
    """Whether the processor multiplies bf16 numbers itself."""
    for line in _cpuinfo():
        name, _, told = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return not BF16_FLAGS.isdisjoint(told.split())
    return False


def read_memory(cgroup: Path = CGROUP) -> tuple[int, int]:
    """Bytes of RAM, in all and free now, within a container's limit."""
    memory = psutil.virtual_memory()
    total, free = int(memory.total), int(memory.available)
    limit = _words(cgroup / "memory.max")
    used = _words(cgroup / "memory.current")
    if limit and limit[0].isdigit() and used:
        total = min(total, int(limit[0]))
        free = min(free, max(0, int(limit[0]) - int(used[0])))
    return total, free


def measure_flops_per_second() -> float:
    """fp32 FLOP/s of a large matrix product on all cores; takes about 0.3 s."""
    source = np.random.default_rng(0)
    left = source.random((MATRIX, MATRIX), dtype=np.float32)
    right = source.random((MATRIX, MATRIX), dtype=np.float32)
    # The first product also starts the library's threads.
    left @ right
    best, began = float("inf"), time.perf_counter()
    while time.perf_counter() - began < PROBE_SECONDS:
        started = time.perf_counter()
        left @ right
        best = min(best, time.perf_counter() - started)
    return float(2 * MATRIX**3 / best)


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text("utf-8", "replace").splitlines() if path.exists() else []


def _words(path: Path) -> list[str]:
    return path.read_text("utf-8").split() if path.exists() else []


def _sysctl(name: str) -> str:
    told = subprocess.run(
        ["/usr/sbin/sysctl", "-n", name], capture_output=True, text=True, check=False, timeout=5
    )
    return told.stdout.strip()
