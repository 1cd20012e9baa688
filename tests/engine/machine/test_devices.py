"""Reading this computer: true, quick, and without torch."""

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tailor.engine.machine import devices, nvml, processor
from tailor.engine.machine.devices import read_hardware
from tailor.engine.machine.nvml import NvidiaCard


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "engine").mkdir()
    return tmp_path


def test_the_computer_is_read_as_it_is(home: Path) -> None:
    told = read_hardware(home)
    assert told.cpu_cores == processor.read_cores() >= 1
    assert 0 < told.ram_free_bytes <= told.ram_bytes <= psutil.virtual_memory().total
    assert told.disk_free_bytes > 0
    assert told.cpu_flops_per_second is not None
    assert 1e9 < told.cpu_flops_per_second < 1e14
    assert told.cpu_name


def test_cores_follow_the_affinity_of_the_process() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("no affinity here")
    code = "from tailor.engine.machine.processor import read_cores; print(read_cores())"
    one = sorted(os.sched_getaffinity(0))[0]
    told = subprocess.run(
        [sys.executable, "-P", "-c", f"import os; os.sched_setaffinity(0, {{{one}}})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "1"


def test_the_processors_speed_is_measured_once_and_kept(home: Path) -> None:
    first = read_hardware(home).cpu_flops_per_second
    kept = json.loads((home / "engine" / "devices.json").read_text())
    assert kept["flops_per_second"] == first
    assert read_hardware(home).cpu_flops_per_second == first
    assert kept["measurements"] == 1


def test_the_best_of_several_measurements_is_kept(home: Path) -> None:
    read_hardware(home)
    path = home / "engine" / "devices.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"measured_at": 0.0, "flops_per_second": 9e15}))
    assert read_hardware(home).cpu_flops_per_second == 9e15
    assert json.loads(path.read_text())["measurements"] == 2
    path.write_text(json.dumps(kept | {"measured_at": 0.0, "measurements": 5}))
    read_hardware(home)
    assert json.loads(path.read_text())["measurements"] == 5


@pytest.mark.parametrize("text", ["", "{", '{"schema": 1, "speed": 2}', "[]"])
def test_a_damaged_measurement_is_made_anew(home: Path, text: str) -> None:
    path = home / "engine" / "devices.json"
    path.write_text(text)
    assert read_hardware(home).cpu_flops_per_second is not None
    assert json.loads(path.read_text())["measurements"] == 1


def test_another_processor_is_measured_anew(home: Path) -> None:
    read_hardware(home)
    path = home / "engine" / "devices.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"cpu_name": "another", "flops_per_second": 1.0}))
    assert read_hardware(home).cpu_flops_per_second != 1.0


def test_reading_makes_no_home(tmp_path: Path) -> None:
    away = tmp_path / "not" / "there"
    assert read_hardware(away).disk_free_bytes > 0
    assert not (tmp_path / "not").exists()


def test_reading_loads_no_heavy_library(home: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from tailor.engine.machine.devices import read_hardware\n"
        f"read_hardware(Path({str(home)!r}))\n"
        "sys.exit(bool({'torch', 'transformers', 'aim', 'gradio', 'pandas'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


def test_a_computer_without_a_driver_has_no_cards() -> None:
    if Path("/dev/nvidiactl").exists():
        pytest.skip("there is a driver here")
    assert nvml.read_nvidia_cards() == ()


def card(number: int) -> NvidiaCard:
    return NvidiaCard(
        name="NVIDIA GeForce RTX 3090", uuid=f"GPU-{number}aaa", memory_bytes=24 * 2**30,
        free_bytes=20 * 2**30, power_watts=280.0, compute_major=8, driver="580.1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (None, [0, 1]), ("", []), ("0", [0]), ("1", [1]), ("1,0", [1, 0]), ("0,7,1", [0]),
        ("-1", []), ("GPU-1", [1]), ("GPU-9", []), (" 1 ", [1]), ("NoDevFiles", []),
    ],
)  # fmt: skip
def test_cards_are_hidden_as_cuda_hides_them(told: str | None, kept: list[int]) -> None:
    cards = (card(0), card(1))
    environment = {} if told is None else {"CUDA_VISIBLE_DEVICES": told}
    assert nvml.visible_cards(cards, environment) == tuple(cards[place] for place in kept)


def test_a_card_gets_its_speed_from_the_table_and_its_power_from_the_driver() -> None:
    told = devices.describe_card(card(0))
    assert told.flops_per_second == 71e12
    assert told.bandwidth_bytes_per_second == 936.2e9
    assert told.power_watts == 280.0
    assert told.has_bf16
    assert told.free_bytes == 20 * 2**30


def test_apples_memory_is_shared_between_both_parts() -> None:
    told = devices.describe_apple(32 * 2**30, 30 * 2**30, "Apple M3 Max")
    assert told.kind == "mps"
    assert told.memory_bytes == 24 * 2**30
    assert told.free_bytes == 24 * 2**30
    assert devices.describe_apple(32 * 2**30, 5 * 2**30, "Apple M3").free_bytes == 5 * 2**30


def test_a_containers_limits_bind(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("1073741824\n")
    (tmp_path / "memory.current").write_text("73741824\n")
    (tmp_path / "cpu.max").write_text("100000 100000\n")
    assert processor.read_memory(cgroup=tmp_path) == (1073741824, 1000000000)
    assert processor.read_cores(cgroup=tmp_path) == 1
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert processor.read_memory(cgroup=tmp_path)[0] == psutil.virtual_memory().total
    assert processor.read_cores(cgroup=tmp_path) >= 1


@pytest.mark.gpu
def test_the_driver_tells_of_its_cards() -> None:
    cards = nvml.read_nvidia_cards()
    assert cards
    assert all(0 < one.free_bytes <= one.memory_bytes and one.uuid for one in cards)
