import pytest

from tailor.estimator.evaluate.families import find_family, find_scale
from tailor.estimator.evaluate.refused import RefusalError


def test_memory_that_was_allocated_is_never_mixed_with_what_was_reserved_or_shown() -> None:
    assert find_family("peak_mem_active") == find_family("peak_mem_alloc") == "peak_mem_alloc"
    assert find_family("peak_mem_reserved_gpu1") == "peak_mem_reserved"
    assert find_family("mem_nvidia_smi") == "peak_mem_other"
    assert find_family("peak_mem_reserved_or_alloc") == "peak_mem_other"
    assert find_family("max_mem_unspecified") == "peak_mem_other"


@pytest.mark.parametrize(
    ("metric", "unit", "cards", "scale"),
    [
        ("peak_mem_alloc", "B", 2, 1),
        ("peak_mem_alloc", "GB", 2, 1e9),
        ("peak_mem_reserved", "GiB", 8, 2**30),
        ("mem_nvidia_smi", "MiB", 1, 2**20),
        ("tokens_per_s_hf", "tok/s", 4, 4),
        ("tokens_per_s_per_gpu", "tokens/s", 2, 2),
        ("tokens_per_s_total", "tok/s", 4, 1),
        ("samples_per_s", "samples/s", 4, 1),
        ("samples_per_s", "samples per second per gpu", 4, 4),
        ("train_time_s", "min", 4, 60),
        ("sec_per_iter", "ms", 4, 1e-3),
        ("train_time_s", "", 1, 1),
        ("oom", "bool", 4, 1),
    ],
)
def test_every_unit_becomes_bytes_of_one_card_seconds_or_the_speed_of_all_cards(
    metric: str, unit: str, cards: int, scale: float
) -> None:
    assert find_scale(metric, unit, cards) == pytest.approx(scale)


def test_memory_without_a_unit_and_unknown_units_are_refused() -> None:
    for metric, unit in (("peak_mem_alloc", ""), ("samples_per_s", "parsec"), ("oom", "GiB")):
        with pytest.raises(RefusalError) as refusal:
            find_scale(metric, unit, 1)
        assert refusal.value.code == "bad_number"


def test_a_metric_of_another_kind_is_refused() -> None:
    with pytest.raises(RefusalError) as refusal:
        find_family("cost_usd_low")
    assert refusal.value.code == "unsupported_metric"
