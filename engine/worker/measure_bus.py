"""How fast cards exchange numbers: an all-reduce between one process a card.

What links between cards sustain cannot be read anywhere: a board may join two slots through the
processor, a driver may forbid cards to talk to each other. `python -m
tailor.engine.worker.measure_bus FOLDER RANK CARDS DEVICE SCALE` is one of the processes;
`measure.py` starts them all.
"""

import json
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from statistics import median

import torch
from torch import distributed

from tailor.engine.child import child_environment

BUS_BYTES = 64 * 2**20
"""As large as a layer's weights: smaller ones measure the start of a transfer."""
ROUNDS = 10
LIMIT_SECONDS = 30.0
"""Cards that cannot reach each other directly sometimes wait for ever."""
WAYS: tuple[dict[str, str], ...] = ({}, {"NCCL_P2P_DISABLE": "1"})
"""As it is; then through the computer's memory, where the direct way hangs or fails."""


def measure_bus(folder: Path, *, device: str, cards: int, scale: float) -> float | None:
    """Bytes a second on the bus, the slowest card's; None where no way works."""
    for number, way in enumerate(WAYS):
        place = folder / f"bus-{number}"
        place.mkdir()
        words = [str(cards), device, str(scale)]
        ranks = [_start([str(place), str(rank), *words], way) for rank in range(cards)]
        if _finish(ranks):
            told = [json.loads((place / f"{rank}.json").read_bytes()) for rank in range(cards)]
            return float(min(told))
        if device != "cuda":
            break
    return None


def compute_bus_speed(count: int, seconds: float, cards: int) -> float:
    """An all-reduce sends and receives each byte `2 (n - 1) / n` times."""
    return count / seconds * 2 * (cards - 1) / cards


def _start(words: list[str], way: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tailor.engine.worker.measure_bus", *words],
        stdin=subprocess.DEVNULL,
        env=child_environment() | way,
    )


def _finish(ranks: list[subprocess.Popen[bytes]]) -> bool:
    """Wait for all; end those that hang."""
    ends = time.monotonic() + LIMIT_SECONDS
    try:
        codes = [rank.wait(timeout=max(0.1, ends - time.monotonic())) for rank in ranks]
    except subprocess.TimeoutExpired:
        codes = [1]
    for rank in ranks:
        if rank.poll() is None:
            rank.kill()
            rank.wait()
    return not any(codes)


def _run_rank(place: Path, rank: int, cards: int, device: str, scale: float) -> None:
    is_card = device == "cuda"
    if is_card:
        torch.cuda.set_device(rank)
    distributed.init_process_group(
        "nccl" if is_card else "gloo",
        init_method=f"file://{place.resolve()}/meet",
        rank=rank,
        world_size=cards,
        timeout=timedelta(seconds=LIMIT_SECONDS),
    )
    count = max(2**10, int(BUS_BYTES * scale))
    numbers = torch.ones(count // 4, device=torch.device(device, rank) if is_card else device)
    times = []
    for _ in range(ROUNDS + 1):
        distributed.barrier()
        started = time.perf_counter()
        distributed.all_reduce(numbers)
        if is_card:
            torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
        # Sums of sums grow without end otherwise.
        numbers.fill_(1.0)
    speed = compute_bus_speed(count, median(times[1:]), cards)
    (place / f"{rank}.json").write_text(json.dumps(speed))
    distributed.barrier()
    distributed.destroy_process_group()


if __name__ == "__main__":
    _run_rank(
        Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
    )
