"""The checks behind `doctor`: one function a part of the computer, each with its number and its
cure.

None raises and none changes anything: a person whose computer is not right must be told all of it
at once. Versions are read from the installed packages' records, so that nothing heavy is loaded.
"""

import os
import platform
import socket
import stat
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from re import match
from typing import Literal

from tailor.engine.home_lock import is_home_locked
from tailor.engine.http.address import read_address
from tailor.engine.learned import own_calibration_file, read_experience, runs_file
from tailor.engine.machine.devices import (
    has_cuda_torch,
    nearest_folder,
    read_hardware,
    torch_version,
)
from tailor.engine.machine.nvml import read_nvidia_cards
from tailor.engine.start import is_answering
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.ui.start_link import FIRST_PORT, HOST, read_link
from tailor.ui.views.quantities import bytes_words

GIB = 2**30
OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 12)
FIRST_GOOD_312 = (3, 12, 3)
"""aim 3.29.1's exit hook fails on 3.12.0 to 3.12.2."""
LITTLE_RAM_BYTES = 3 * GIB
LITTLE_DISK_BYTES = 5 * GIB
NO_DISK_BYTES = GIB
SHOWN_PACKAGES = ("torch", "transformers", "trl", "peft", "gradio", "aim")
SHARED_DISKS = frozenset(
    ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "lustre", "ceph", "afs", "beegfs")
)
"""File systems on which locks or flushing are not what they are on a local disk."""


@record
class Health:
    """One thing that was looked at."""

    level: Literal["good", "care", "stop"]
    title: str
    words: str
    fix: str = ""


def check_health(home: Path) -> tuple[Health, ...]:
    """Look at everything, in the order in which things depend on each other."""
    hardware = read_hardware(home)
    is_usable = home.is_dir() or not home.exists()
    # In a home that cannot even be looked into, there is no engine to ask for.
    about_home = (_check_engine(home), _check_port(home)) if is_usable else ()
    return (
        _check_python(),
        *_check_packages(),
        _check_processor(hardware),
        _check_ram(hardware),
        *_check_cards(hardware),
        _check_disk(hardware, home),
        *_check_home(home),
        _check_promises(home, hardware),
        *about_home,
        _check_charts(),
    )


def _check_python() -> Health:
    now = sys.version_info[:3]
    words = f"{platform.python_version()} in {sys.prefix}"
    is_good = OLDEST_PYTHON <= now[:2] <= NEWEST_PYTHON
    if now[:2] == NEWEST_PYTHON and now < FIRST_GOOD_312:
        is_good = False
    if is_good:
        return Health(level="good", title="Python", words=words)
    return Health(
        level="stop",
        title="Python",
        words=f"{words}; Tailor needs 3.11, or 3.12 from 3.12.3 on.",
        fix="Install Python 3.11, delete the folder .venv and run: make app",
    )


def _check_packages() -> Iterator[Health]:
    missing = [name for name in _needed_packages() if _version(name) is None]
    told = ", ".join(f"{name} {_version(name)}" for name in SHOWN_PACKAGES if _version(name))
    if missing:
        yield Health(
            level="stop",
            title="Packages",
            words=f"missing: {', '.join(missing)}.",
            fix="Run: make app. It installs what is missing.",
        )
    if told:
        yield Health(level="good", title="Packages", words=told)


def _needed_packages() -> list[str]:
    try:
        lines = requires("tailor-tuning") or []
    except PackageNotFoundError:
        return []
    found = (match(r"[A-Za-z0-9._-]+", line) for line in lines if "extra ==" not in line)
    return [name.group() for name in found if name is not None]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _check_processor(hardware: HardwareSpec) -> Health:
    speed = hardware.cpu_flops_per_second or 0.0
    words = f"{hardware.cpu_name}, {hardware.cpu_cores} cores, {speed / 1e9:.0f} GFLOP/s measured"
    if not hardware.cards:
        kind = "small models learn here in minutes to hours, large ones need a graphics card"
        words = f"{words}; {kind}"
    return Health(level="good", title="Processor", words=f"{words}.")


def _check_ram(hardware: HardwareSpec) -> Health:
    words = f"{bytes_words(hardware.ram_free_bytes)} of {bytes_words(hardware.ram_bytes)} are free."
    if hardware.ram_free_bytes >= LITTLE_RAM_BYTES:
        return Health(level="good", title="Memory", words=words)
    return Health(
        level="care",
        title="Memory",
        words=words,
        fix=f"Close other programs; the starter model needs about {bytes_words(LITTLE_RAM_BYTES)}.",
    )


def _check_cards(hardware: HardwareSpec) -> Iterator[Health]:
    for card in hardware.cards:
        free = f"{bytes_words(card.free_bytes)} of {bytes_words(card.memory_bytes)} are free"
        yield Health(level="good", title="Graphics card", words=f"{card.name}, {free}.")
    if hardware.cards:
        return
    unused = read_nvidia_cards()
    if unused and not has_cuda_torch():
        yield Health(
            level="care",
            title="Graphics card",
            words=f"{unused[0].name} is here with driver {unused[0].driver}, but the installed "
            f"torch {torch_version()} can use the processor only, so the card stands idle.",
            fix="Run: .venv/bin/python -m pip install --force-reinstall "
            f"torch=={torch_version().partition('+')[0]}",
        )
    elif _has_nvidia_device():
        yield Health(
            level="care",
            title="Graphics card",
            words="an NVIDIA card is here, but its driver does not answer or the card is hidden.",
            fix="See whether nvidia-smi shows it, and whether CUDA_VISIBLE_DEVICES is set.",
        )
    else:
        words = "none. Tailor uses the processor."
        yield Health(level="good", title="Graphics card", words=words)


def _has_nvidia_device() -> bool:
    vendors = Path("/sys/bus/pci/devices").glob("*/vendor")
    classes = (path.with_name("class") for path in vendors if path.read_text().strip() == "0x10de")
    # 0x03....: a display controller, not the sound part of a card.
    return any(path.read_text().startswith("0x03") for path in classes)


def _check_disk(hardware: HardwareSpec, home: Path) -> Health:
    free = hardware.disk_free_bytes
    words = f"{bytes_words(free)} are free where Tailor keeps its work."
    if free >= LITTLE_DISK_BYTES:
        return Health(level="good", title="Disk", words=words)
    return Health(
        level="care" if free >= NO_DISK_BYTES else "stop",
        title="Disk",
        words=words,
        fix=f"Free {bytes_words(LITTLE_DISK_BYTES - free)} on the disk of {home}, or name another "
        "folder with --home.",
    )


def _check_home(home: Path) -> Iterator[Health]:
    place = nearest_folder(home)
    words = f"{home}" if home.exists() else f"{home}, made at the first start"
    kind = _file_system(place)
    mode = stat.S_IMODE(home.stat().st_mode) if home.exists() else 0o700
    if not os.access(place, os.W_OK | os.X_OK) or not place.is_dir():
        yield Health(
            level="stop",
            title="Folder",
            words=f"{words}; it cannot be written to.",
            fix="Name a folder of yours with --home, or set TAILOR_HOME.",
        )
    elif kind in SHARED_DISKS:
        yield Health(
            level="care",
            title="Folder",
            words=f"{words} lies on a shared disk ({kind}), where files are not safe against a "
            "power cut and locks may not hold.",
            fix="Name a folder on a disk of this computer with --home, or set TAILOR_HOME.",
        )
    elif os.name == "posix" and mode & 0o077:
        yield Health(
            level="care",
            title="Folder",
            words=f"{words} can be opened by other users of this computer.",
            fix=f"Run: chmod 700 {home}",
        )
    else:
        yield Health(level="good", title="Folder", words=f"{words}.")


def _check_promises(home: Path, hardware: HardwareSpec) -> Health:
    told = read_experience(home, hardware)
    count = len(told.runs)
    words = f"They have learned from {count} run{'' if count == 1 else 's'} of this computer."
    if told.trouble:
        return Health(
            level="care",
            title="Promises",
            words=f"{words} {told.trouble}",
            fix=f"Remove {own_calibration_file(home)}, or make it anew.",
        )
    if told.left_out:
        return Health(
            level="care",
            title="Promises",
            words=f"{words} {told.left_out} line{'' if told.left_out == 1 else 's'} of "
            f"{runs_file(home)} cannot be read and are left out.",
            fix="Nothing needs to be done; the others count.",
        )
    return Health(level="good", title="Promises", words=words)


def _file_system(path: Path) -> str:
    """Kind of file system under `path`; empty where the computer does not tell."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return ""
    found, longest = "", -1
    for line in mounts.read_text("utf-8", "replace").splitlines():
        _, mounted, kind, *_ = line.split(" ")
        folder = Path(mounted.replace("\\040", " "))
        if path.resolve().is_relative_to(folder) and len(folder.parts) >= longest:
            found, longest = kind, len(folder.parts)
    return found


def _check_engine(home: Path) -> Health:
    if not is_home_locked(home):
        return Health(level="good", title="Engine", words="not running; it starts by itself.")
    if is_answering(home):
        address = read_address(home)
        told = f", version {address.version}, process {address.pid}" if address else ""
        return Health(level="good", title="Engine", words=f"running{told}.")
    return Health(
        level="care",
        title="Engine",
        words="a process holds this folder but does not answer.",
        fix=f"Wait a minute. If it stays so, look into {home / 'engine' / 'engine.log'}.",
    )


def _check_port(home: Path) -> Health:
    link = read_link(home)
    port = link.port if link else FIRST_PORT
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        is_held = probe.connect_ex((HOST, port)) == 0
    if not is_held:
        return Health(level="good", title="Wizard", words=f"port {port} is free for it.")
    words = f"port {port} is in use, by the wizard or by another program."
    return Health(level="good", title="Wizard", words=f"{words} A second one takes the next port.")


def _check_charts() -> Health:
    aim = _version("aim")
    if aim is not None:
        return Health(level="good", title="Charts", words=f"kept by aim {aim}.")
    return Health(
        level="care",
        title="Charts",
        words="aim is missing, so charts are drawn from each run's own log.",
        fix="Run: make app. It installs what is missing.",
    )
