"""Names of public models, as people write them."""

import csv
import os
from pathlib import Path

import pytest

from tailor.estimator.models.model_names import Refusal, Resolved, find_known, resolve
from tailor.estimator.models.shape_table import read_models

MEASUREMENTS = Path(
    os.environ.get(
        "TAILOR_MEASUREMENTS", Path(__file__).resolve().parents[4] / "shared" / "measurements"
    )
)

SPELLINGS = {
    "Qwen-7B-Chat": "Qwen-7B",
    "qwen/Qwen1.5-14B": "Qwen1.5-14B",
    "qwen1half-7b-chat": "Qwen1.5-7B",
    "qwen2_5-7b-instruct": "Qwen2-7B",
    "Qwen-1_8B-Chat-Int4": "Qwen-1.8B",
    "llama-2-7b-hf": "Llama-2-7B",
    "llama_2_7b": "Llama-2-7B",
    "Llama 2 7B": "Llama-2-7B",
    "Llama2-7B": "Llama-2-7B",
    "/data/models/Llama-2-7b-hf/": "Llama-2-7B",
    "llama2/7B_qlora_single_device": "Llama-2-7B",
    "Yi-6B (4bit)": "Yi-6B",
    "CodeLlama 34B": "CodeLlama-34B",
    "codellama/CodeLlama-7b-Python-hf": "CodeLlama-7B",
    "Mistral 7B": "Mistral-7B-v0.1",
    "mistralai/Mistral-7B-Instruct-v0.3": "Mistral-7B-v0.3",
    "TheBloke/Mixtral-8x7B-Instruct-v0.1-GPTQ": "Mixtral-8x7B",
    "unsloth/Qwen3-8B-unsloth-bnb-4bit": "Qwen3-8B",
    "Llama 3.1 (8B)": "Llama-3.1-8B",
    "LLAMA3_1-8b-instruct": "Llama-3.1-8B",
    "Llama-7B": "Llama-7B",
    "LLaMA-13b": "Llama-13B",
    "llama-30b": "Llama-33B",
    "Gemma 2 (9B)": "Gemma-2-9B",
    "gemma-2b": "Gemma-2B",
    "gemma-2-2b-it": "Gemma-2-2B",
    "Phi-3.5 (mini)": "Phi-3-mini",
    "Mistral Nemo (12B)": "Mistral-Nemo-2407",
    "QwQ-32B-Preview": "Qwen2.5-32B",
    "DeepSeek-R1-Distill-Llama-8B": "Llama-3.1-8B",
    "NousResearch/Hermes-3-Llama-3.1-8B": "Llama-3.1-8B",
    "TinyLlama-1.1B-intermediate-step-1431k-3T": "TinyLlama-1.1B",
    "EleutherAI/pythia-6.9b-deduped": "pythia-6.9b",
    "THUDM/chatglm3-6b-32k": "ChatGLM2-6B",
    "Qwen/Qwen3-30B-A3B-Instruct-2507": "Qwen3-30B-A3B",
    "gpt-oss (20B)": "gpt-oss-20b",
    "bigscience/T0_3B": "t5-v1.1-xl",
}


def test_a_model_is_found_under_the_names_that_people_give_it() -> None:
    found = {name: known.name if (known := find_known(name)) else None for name in SPELLINGS}
    assert found == SPELLINGS


def test_each_row_and_each_alias_leads_to_its_own_row() -> None:
    for model in read_models():
        for name in (model.name, *model.aliases):
            assert find_known(name) == model, name


def test_counts_are_within_half_a_percent_of_what_makers_published() -> None:
    models = [model for model in read_models() if not model.architecture.is_guess]
    wrong = {
        model.name: f"{model.architecture.parameters:,} counted, {model.published_parameters:,}"
        for model in models
        if abs(model.architecture.parameters / model.published_parameters - 1) > 0.005
    }
    assert len(models) > 300
    assert wrong == {}


def test_every_row_tells_its_source() -> None:
    assert [model.name for model in read_models() if len(model.source) < 10] == []


@pytest.mark.parametrize(
    ("name", "params_b", "counted"),
    [("Llama-2", 13, 13.0), ("LLaMA", 65, 65.3), ("Gemma 2", 9, 9.2), ("pythia", 12, 11.8)],
)
def test_a_family_without_a_size_is_completed_by_the_told_size(
    name: str, params_b: float, counted: float
) -> None:
    found = resolve(name, params_b)
    assert isinstance(found, Resolved)
    assert not found.is_generic
    assert found.architecture.parameters / 1e9 == pytest.approx(counted, rel=0.01)


def test_a_name_that_spells_its_shape_needs_no_table() -> None:
    found = resolve("GPT h2048 L24 a16")
    assert isinstance(found, Resolved)
    assert not found.is_generic
    assert found.architecture.parameters == pytest.approx(1.31e9, rel=0.01)
    spelled = resolve("Llama h4096 L32 a32 k8 i14336 v128256")
    assert isinstance(spelled, Resolved)
    assert spelled.architecture.parameters == pytest.approx(8_030_261_248, rel=0.001)


@pytest.mark.parametrize("params_b", [0.05, 0.5, 1.3, 7, 34, 70, 400])
def test_an_unknown_name_with_a_size_is_a_usual_shape_of_that_size(params_b: float) -> None:
    found = resolve("somebody/entirely-their-own", params_b)
    assert isinstance(found, Resolved)
    assert found.is_generic
    assert found.architecture.is_guess
    assert found.architecture.parameters / 1e9 == pytest.approx(params_b, rel=0.02)


@pytest.mark.parametrize("params_b", [None, 0.0, -1.0, 1e9, float("nan")])
def test_an_unknown_name_without_a_sensible_size_is_refused(params_b: float | None) -> None:
    found = resolve("somebody/entirely-their-own", params_b)
    assert isinstance(found, Refusal)
    assert found.code == "unknown_model"
    assert "entirely-their-own" in found.words


@pytest.mark.parametrize(
    "name",
    ["black-forest-labs/FLUX.2-klein-base-4B", "stable-diffusion-v1-4", "openai/whisper-large-v3"],
)
def test_models_of_pictures_and_sound_are_told_apart_even_with_a_size(name: str) -> None:
    found = resolve(name, 4.0)
    assert isinstance(found, Refusal)
    assert found.code == "not_text_model"


@pytest.mark.parametrize(
    "name", ["llava-v1.5-llama-2-7b-vision", "tiny-random-Llama-3-8B", "Qwen3-Embedding-8B"]
)
def test_another_shape_with_a_known_name_inside_is_not_taken_for_it(name: str) -> None:
    assert find_known(name) is None


def test_every_measured_model_is_known_or_no_text_model() -> None:
    path = MEASUREMENTS / "develop.csv"
    if not path.is_file():
        pytest.skip("the measurements are not here; set TAILOR_MEASUREMENTS to their folder")
    with path.open(encoding="utf-8", newline="") as lines:
        models = {row["model"] for row in csv.DictReader(lines)}
    answers = {name: resolve(name) for name in models}
    unknown = [
        name
        for name, answer in answers.items()
        if isinstance(answer, Refusal) and answer.code != "not_text_model"
    ]
    assert unknown == []
