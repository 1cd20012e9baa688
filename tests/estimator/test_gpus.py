"""The table of cards, by the names that drivers print."""

import pytest

from tailor.estimator.gpus import Gpu, find_card_by_words, find_gpu, hardware_of, list_cards
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.models.model_names import Refusal

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


WRITTEN = {
    "A100-80G": "A100 SXM 80GB",
    "A100 80GB": "A100 SXM 80GB",
    "8xA100-80GB": "A100 SXM 80GB",
    "4x A100": "A100 SXM 80GB",
    "1x A100 (40GB)": "A100 SXM 40GB",
    "A100 80GB PCIe": "A100 PCIe 80GB",
    "AWS p4d.24xlarge (8x A100 40GB)": "A100 SXM 40GB",
    "NVIDIA L40S": "L40S",
    "RTX 3090 24GB (no NVLink, older motherboard PCIe, 280W limit)": "RTX 3090",
    "3090 x2": "RTX 3090",
    "3090 Ti": "RTX 3090 Ti",
    "RTX4090": "RTX 4090",
    "H100 80GB SXM": "H100 SXM 80GB",
    "H100-80GB-SXM5": "H100 SXM 80GB",
    "A10G 24GB": "A10G (AWS g5)",
    "A10 24G": "A10",
    "Google Colab T4": "T4",
    "V100-32G": "V100 SXM2 32GB",
    "A6000": "RTX A6000",
    "RTX 6000 Ada 48GB": "RTX 6000 Ada",
    "RTX PRO 6000": "RTX PRO 6000 Blackwell",
}


def test_a_card_is_found_under_the_words_that_people_write() -> None:
    found = {words: find_card_by_words(words) for words in WRITTEN}
    assert {words: card.name for words, card in found.items() if isinstance(card, Gpu)} == WRITTEN


def test_every_card_is_found_by_its_own_name() -> None:
    for gpu in list_cards():
        assert find_card_by_words(gpu.name) == gpu, gpu.name


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("V100", "ambiguous_card"),
        ("2x24GB GPUs", "unknown_card"),
        ("RTX 4090 Laptop", "unknown_card"),
        ("RTX 3090 8GB", "unknown_card"),
        ("GTX 1080 Ti 11GB", "unknown_card"),
        ("TPU v3", "unknown_card"),
        ("", "unknown_card"),
    ],
)
def test_words_that_mean_no_card_or_several_are_refused(words: str, code: str) -> None:
    refused = find_card_by_words(words)
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_a_program_never_gets_all_of_a_card() -> None:
    for gpu in list_cards():
        assert 0.88 * gpu.memory_bytes < gpu.usable_bytes < gpu.memory_bytes, gpu.name


def test_another_card_in_this_computer_keeps_the_rest_of_the_computer() -> None:
    here = HardwareSpec(
        cpu_cores=8, cpu_has_bf16=False, ram_bytes=64 * GIB, ram_free_bytes=60 * GIB,
        disk_free_bytes=500 * GIB,
    )  # fmt: skip
    gpu = find_card_by_words("RTX 4090")
    assert isinstance(gpu, Gpu)
    asked = hardware_of(gpu, 2, around=here)
    assert [card.name for card in asked.cards] == ["RTX 4090", "RTX 4090"]
    assert asked.cards[0].free_bytes == gpu.usable_bytes
    assert (asked.ram_free_bytes, asked.device) == (60 * GIB, "cuda")
