import pytest

from tailor.estimator.evaluate.notes import Notes, read_notes
from tailor.estimator.evaluate.refused import RefusalError
from tailor.estimator.evaluate.technique import read_method


@pytest.mark.parametrize(
    ("technique", "quantization", "expected"),
    [
        ("full", "none", ("full", "plain")),
        ("pretrain(full)", "", ("full", "plain")),
        ("Full Fine-Tuning", "-", ("full", "plain")),
        ("lora", "none", ("lora", "plain")),
        ("lora", "bf16", ("lora", "plain")),
        ("qlora", "bnb-nf4", ("qlora", "nf4_double")),
        ("qlora", "nf4", ("qlora", "nf4_double")),
        ("lora", "bnb.nf4-dq", ("qlora", "nf4_double")),
        ("lora", "bnb.nf4", ("qlora", "nf4")),
        ("qlora", "", ("qlora", "nf4_double")),
        ("qlora", "gptq-4bit", ("qlora", "gptq")),
        ("lora", "GPTQ Int4", ("qlora", "gptq")),
        ("lora", "int8", ("qlora", "int8")),
        ("qlora", "nf4 (bnb) or HQQ", ("qlora", "nf4_double")),
    ],
)
def test_techniques_and_storage_are_known_by_every_name(
    technique: str, quantization: str, expected: tuple[str, str]
) -> None:
    method = read_method(technique, quantization, Notes())
    assert (method.technique, method.base_format) == expected


def test_objectives_are_taken_out_of_the_technique() -> None:
    assert read_method("dpo-lora", "none", Notes()).objective == "dpo"
    assert read_method("dpo-lora", "none", Notes()).technique == "lora"
    assert read_method("dpo", "none", Notes()).technique == "full"
    assert read_method("lora_kto", "none", Notes()).objective == "kto"


def test_small_adapters_of_another_form_are_counted_as_one_and_said_so() -> None:
    assert read_method("lokr", "none", Notes()).assumed
    assert read_method("ia3", "none", Notes()).most_rank == 1
    assert read_method("prompt_tuning", "none", Notes()).most_rank == 0
    assert read_method("lora", "none", Notes()).most_rank is None
    assert read_method("lora", "none", read_notes("use_dora=True")).adapter_kind == "dora"


@pytest.mark.parametrize(
    ("technique", "quantization"),
    [
        ("grpo", ""),
        ("", ""),
        ("freeze", ""),
        ("lora", "aqlm 2bit"),
        ("full", "nf4"),
        ("lora", "fp8"),
    ],
)
def test_what_is_not_known_is_refused(technique: str, quantization: str) -> None:
    with pytest.raises(RefusalError) as refusal:
        read_method(technique, quantization, Notes())
    assert refusal.value.code == "unknown_technique"
