"""The table of cards, by the names that drivers print."""

import pytest

from tailor.estimator.gpus import find_gpu

GIB = 2**30


@pytest.mark.parametrize(
    ("name", "memory_gib", "flops"),
    [
        ("NVIDIA GeForce RTX 3090", 24, 71e12),
        ("GeForce RTX 3090", 24, 71e12),
        ("NVIDIA GeForce RTX 4090", 23.99, 165.2e12),
        ("NVIDIA A100-SXM4-80GB", 80, 312e12),
        ("NVIDIA A100 80GB PCIe", 80, 312e12),
        ("NVIDIA H100 80GB HBM3", 79.6, 989e12),
        ("NVIDIA H200", 140.4, 989e12),
        ("NVIDIA L4", 22.5, 121e12),
        ("Tesla T4", 15, 65e12),
        ("NVIDIA RTX 6000 Ada Generation", 48, 364.2e12),
    ],
)
def test_a_card_is_found_by_its_drivers_name(name: str, memory_gib: float, flops: float) -> None:
    gpu = find_gpu(name, int(memory_gib * GIB))
    assert gpu is not None
    assert gpu.flops_per_second == flops
    assert gpu.power_watts > 0
    assert gpu.bandwidth_bytes_per_second > 1e11


def test_a_card_without_bf16_says_so() -> None:
    card = find_gpu("Tesla T4", 15 * GIB)
    assert card is not None
    assert not card.has_bf16


@pytest.mark.parametrize(
    ("name", "memory_gib"),
    [
        ("NVIDIA GeForce RTX 3060", 8),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", 16),
        ("NVIDIA A100-SXM4-80GB MIG 1g.10gb", 10),
        ("NVIDIA A100-SXM4-80GB", 10),
        ("NVIDIA GeForce GTX 1080", 8),
        ("", 8),
    ],
)
def test_a_card_that_only_looks_like_another_is_not_in_the_table(
    name: str, memory_gib: float
) -> None:
    assert find_gpu(name, int(memory_gib * GIB)) is None


def test_a_figure_that_no_source_was_trusted_for_is_left_open() -> None:
    card = find_gpu("NVIDIA GB10", 120 * GIB)
    assert card is not None
    assert card.flops_per_second is None
