"""NVIDIA cards, asked of the driver's own library without torch and without a package.

The engine must know a card's free memory before it starts anything, and loading torch for that
costs seconds and a CUDA context. `libnvidia-ml` comes with every driver and its C interface is
stable; `devices.py` asks here. No driver, or one that does not answer, means no cards.
"""

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tailor.estimator.record import record

TEXT_BYTES = 96
"""Length of the longest text that the library writes (NVML_DEVICE_UUID_V2_BUFFER_SIZE)."""
MILLIWATTS = 1000.0


@record
class NvidiaCard:
    """What the driver tells about one card."""

    name: str
    uuid: str
    memory_bytes: int
    free_bytes: int
    power_watts: float | None
    """The limit that is enforced now; None where the card does not tell."""
    compute_major: int
    """8 and above have bf16."""
    driver: str


class _Memory(ctypes.Structure):
    _fields_ = (
        ("total", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    )


def read_nvidia_cards() -> tuple[NvidiaCard, ...]:
    """Cards in the driver's order, those hidden by `CUDA_VISIBLE_DEVICES` left out."""
    with _library() as library:
        if library is None:
            return ()
        count = ctypes.c_uint()
        if library.nvmlDeviceGetCount_v2(ctypes.byref(count)) != 0:
            return ()
        found = [_read_card(library, place) for place in range(count.value)]
    return visible_cards(tuple(card for card in found if card is not None), os.environ)


@contextmanager
def _library() -> Iterator[Any | None]:
    library = _open_library()
    if library is None or library.nvmlInit_v2() != 0:
        yield None
        return
    try:
        yield library
    finally:
        library.nvmlShutdown()


def _open_library() -> Any | None:
    if sys.platform == "darwin":
        return None
    windows = Path(os.environ.get("SYSTEMROOT", "C:/Windows")) / "System32" / "nvml.dll"
    try:
        return ctypes.CDLL(str(windows) if os.name == "nt" else "libnvidia-ml.so.1")
    except OSError:
        # No driver: an ordinary computer.
        return None


def _read_card(library: Any, place: int) -> NvidiaCard | None:
    handle = ctypes.c_void_p()
    memory = _Memory()
    if library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(place), ctypes.byref(handle)) != 0:
        return None
    if library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory)) != 0:
        return None
    limit, major, minor = ctypes.c_uint(), ctypes.c_int(), ctypes.c_int()
    has_limit = library.nvmlDeviceGetEnforcedPowerLimit(handle, ctypes.byref(limit)) == 0
    library.nvmlDeviceGetCudaComputeCapability(handle, ctypes.byref(major), ctypes.byref(minor))
    driver = ctypes.create_string_buffer(TEXT_BYTES)
    library.nvmlSystemGetDriverVersion(driver, ctypes.c_uint(TEXT_BYTES))
    return NvidiaCard(
        name=_text(library.nvmlDeviceGetName, handle),
        uuid=_text(library.nvmlDeviceGetUUID, handle),
        memory_bytes=memory.total,
        free_bytes=memory.free,
        power_watts=limit.value / MILLIWATTS if has_limit else None,
        compute_major=major.value,
        driver=driver.value.decode("utf-8", "replace"),
    )


def _text(ask: Any, handle: ctypes.c_void_p) -> str:
    buffer = ctypes.create_string_buffer(TEXT_BYTES)
    ask(handle, buffer, ctypes.c_uint(TEXT_BYTES))
    return buffer.value.decode("utf-8", "replace")


def visible_cards(
    cards: tuple[NvidiaCard, ...], environment: Mapping[str, str]
) -> tuple[NvidiaCard, ...]:
    """As CUDA does it: numbers or ids, in the order told, up to the first that is not there."""
    told = environment.get("CUDA_VISIBLE_DEVICES")
    if told is None:
        return cards
    kept: list[NvidiaCard] = []
    for name in (part.strip() for part in told.split(",")):
        card = _named(cards, name)
        if card is None:
            break
        kept.append(card)
    return tuple(kept)


def _named(cards: tuple[NvidiaCard, ...], name: str) -> NvidiaCard | None:
    if name.isdigit():
        place = int(name)
        return cards[place] if place < len(cards) else None
    return next((card for card in cards if name and card.uuid.startswith(name)), None)
