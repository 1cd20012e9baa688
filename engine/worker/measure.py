"""What this machine's cards really do: `python -m tailor.engine.worker.measure FOLDER`.

Makers' figures hide a slot that is wired with half its lanes, a card that is held back by its power
limit, a slow processor around fast cards; each doubles the time of a run. So they are measured
once, in a process of its own that needs a card for a few seconds. Started by
`engine/machine/probe.py` through `engine/child.py`; the links between cards are `measure_bus.py`'s.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import torch

from tailor.engine.child import Report, serve_child
from tailor.engine.machine.measured import MeasuredCard, MeasuredMachine
from tailor.engine.machine.nvml import read_nvidia_cards
from tailor.engine.worker.measure_bus import measure_bus
from tailor.engine.worker.tiny_layers import TINY_LAYERS, build_tiny_layers

COPY_BYTES = 256 * 2**20
STREAM_BYTES = 512 * 2**20
PRODUCT = 8192
"""Rows and columns of the large product; smaller ones do not fill a large card."""
PRODUCTS_MOST = 20
COPIES = 5
LAUNCH_PASSES = 5
PART_SECONDS = 0.5
"""Of each measurement on a card; a slow card makes fewer rounds instead of taking longer."""
DISK_BYTES = 256 * 2**20
DISK_SHARE = 0.02
"""Of the free disk that the disk's measurement may take."""


def work(request: Any, report: Report) -> Any:
    """Measure `request["device"]` ("cuda", or "cpu" to try the code) with `request["cards"]`."""
    device, cards = request["device"], int(request["cards"])
    scale = float(request.get("scale", 1.0))
    found = []
    for number in range(cards):
        report(number / (cards + 1), "Measuring how fast this computer's graphics cards are.")
        found.append(_measure_card(torch.device(device, number), scale))
    bus = None
    if cards > 1:
        bus = measure_bus(Path.cwd(), device=device, cards=cards, scale=scale)
    return MeasuredMachine(
        cards=tuple(found),
        bus_bytes_per_second=bus,
        disk_bytes_per_second=measure_disk(Path.cwd(), scale),
        launch_seconds=measure_launch(torch.device(device, 0)),
    ).to_json()


def _measure_card(device: torch.device, scale: float) -> MeasuredCard:
    context = _measure_context(device)
    return MeasuredCard(
        uuid=_uuid(device),
        context_bytes=context,
        bandwidth_bytes_per_second=measure_bandwidth(device, int(STREAM_BYTES * scale)),
        host_to_card_bytes_per_second=measure_copy(device, int(COPY_BYTES * scale)),
        product_flops_per_second=measure_product(device, max(64, int(PRODUCT * scale))),
    )


def _measure_context(device: torch.device) -> int | None:
    """What the context of this process takes: free memory before it and after it."""
    if device.type != "cuda":
        return 0
    # Not through torch: asking it for free memory makes the very context that is to be measured.
    before = {card.uuid: card.free_bytes for card in read_nvidia_cards()}.get(_uuid(device))
    ones = torch.ones(64, 64, device=device)
    ones @ ones
    torch.cuda.synchronize(device)
    after, _ = torch.cuda.mem_get_info(device)
    if before is None:
        return None
    return max(0, before - after - torch.cuda.memory_reserved(device))


def _uuid(device: torch.device) -> str:
    if device.type != "cuda":
        return ""
    return f"GPU-{torch.cuda.get_device_properties(device).uuid}"


def measure_copy(device: torch.device, count: int) -> float:
    """Bytes a second from pinned memory to the card."""
    is_card = device.type == "cuda"
    source = torch.empty(count, dtype=torch.uint8, pin_memory=is_card)
    target = torch.empty(count, dtype=torch.uint8, device=device)
    seconds = _best_seconds(lambda: target.copy_(source, non_blocking=is_card), device, COPIES)
    return count / seconds


def measure_bandwidth(device: torch.device, count: int) -> float:
    """Bytes a second that the card's memory reads and writes in a plain copy."""
    source = torch.zeros(count, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    seconds = _best_seconds(lambda: target.copy_(source), device, COPIES)
    return 2 * count / seconds


def measure_product(device: torch.device, size: int) -> float:
    """FLOP/s of the best of some large products in 16 bits."""
    dtype = torch.float32
    if device.type == "cuda":
        has_bf16 = torch.cuda.get_device_capability(device)[0] >= 8
        dtype = torch.bfloat16 if has_bf16 else torch.float16
    left = torch.ones(size, size, dtype=dtype, device=device)
    right = torch.ones(size, size, dtype=dtype, device=device)
    out = torch.empty(size, size, dtype=dtype, device=device)
    best = _best_seconds(lambda: torch.mm(left, right, out=out), device, PRODUCTS_MOST)
    return 2.0 * size**3 / best


def measure_launch(device: torch.device) -> float:
    """Seconds to start the kernels of one layer, forward and backward."""
    layers, rows = build_tiny_layers(device)
    times = []
    for _ in range(LAUNCH_PASSES + 1):
        _settle(device)
        started = time.perf_counter()
        layers(rows).sum().backward()
        _settle(device)
        times.append(time.perf_counter() - started)
    # The first pass also loads kernels.
    return median(times[1:]) / TINY_LAYERS


def measure_disk(folder: Path, scale: float) -> float | None:
    """Bytes a second that are written and flushed; None where there is no room to try."""
    told = os.statvfs(folder)
    count = int(min(DISK_BYTES * scale, DISK_SHARE * told.f_bavail * told.f_frsize))
    if count < 2**20:
        return None
    path = folder / "disk.part"
    # Random bytes: some disks and file systems make zeros disappear.
    data = os.urandom(2**20)
    started = time.perf_counter()
    try:
        with path.open("wb") as file:
            for _ in range(count // len(data)):
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        seconds = time.perf_counter() - started
    finally:
        path.unlink(missing_ok=True)
    return count // len(data) * len(data) / seconds


def _best_seconds(act: Callable[[], object], device: torch.device, rounds: int) -> float:
    """The shortest of some rounds: other programs make one longer, nothing makes one shorter."""
    act()
    _settle(device)
    best, began = float("inf"), time.perf_counter()
    for _ in range(rounds):
        started = time.perf_counter()
        act()
        _settle(device)
        best = min(best, time.perf_counter() - started)
        if time.perf_counter() - began > PART_SECONDS:
            break
    return best


def _settle(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


if __name__ == "__main__":
    serve_child(work)
