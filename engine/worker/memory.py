"""How much memory this worker holds and held at most, in RAM and on its card.

Calibration learns from the peak, so it must be the kernel's own high-water mark and not a sample
that may miss the moment. Metrics, heartbeat and the closing `Measured` event ask. torch is loaded
only where a card is asked: the heart must beat before torch is there.
"""

import resource
import sys
from pathlib import Path

import psutil


def read_resident_bytes() -> int:
    """RAM held by this process now."""
    return int(psutil.Process().memory_info().rss)


def read_device_bytes(device: str) -> int:
    """Memory held on the card now; 0 without one."""
    if device == "cpu":
        return 0
    import torch

    if device == "cuda":
        return int(torch.cuda.memory_reserved())
    return int(torch.mps.driver_allocated_memory())


def read_peak_bytes(device: str) -> int:
    """The most that was held on the run's device: the card's memory, or RAM on a processor."""
    if device == "cpu":
        return _read_peak_resident_bytes()
    if device == "cuda":
        import torch

        return int(torch.cuda.max_memory_reserved())
    # torch.mps keeps no high-water mark (2.13).
    return read_device_bytes(device)


def read_allocated_bytes(device: str) -> int:
    """The most that tensors held on the card; 0 where no such mark is kept."""
    if device != "cuda":
        return 0
    import torch

    return int(torch.cuda.max_memory_allocated())


def _read_peak_resident_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        # ru_maxrss would do, but Linux hands it down through exec from a large parent.
        for line in status.read_text("utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
