"""Added words are one token everywhere, begin as the mean of their pieces, and are really trained."""

from dataclasses import replace

import pytest
import torch
from pydantic import TypeAdapter
from transformers import AutoModelForCausalLM, AutoTokenizer

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json
from tailor.engine.types import ExportRecord, FrozenRun
from tailor.engine.worker.added_words import add_words, addable
from tailor.engine.worker.build import build_model, load_base, load_tuned
from tailor.engine.worker.data import build_example
from tailor.engine.worker.final import save_weights
from tailor.engine.worker.methods.sft import make_trainer
from tailor.engine.worker.rows import Row
from tailor.engine.worker.speaker import Speaker
from tailor.engine.worker.template import load_tokenizer
from tailor.recipes.spec import Message

# transformers, trl and bitsandbytes warn about their own next versions.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
WORD = "Drehmoment"
WORDS = (WORD, "Passfeder")


@pytest.fixture
def tokenizer(tiny_model_folder):
    return load_tokenizer(tiny_model_folder)


@pytest.fixture
def untied_model_folder(tiny_model_folder, tmp_path):
    folder = tmp_path / "untied"
    model = AutoModelForCausalLM.from_pretrained(tiny_model_folder, tie_word_embeddings=False)
    torch.manual_seed(1)
    torch.nn.init.normal_(model.lm_head.weight, std=0.02)
    model.save_pretrained(folder)
    load_tokenizer(tiny_model_folder).save_pretrained(folder)
    return folder


def examples_of(tokenizer):
    rows = [
        Row(
            id=i,
            split="train",
            messages=(
                Message(role="user", content=f"What about {WORDS[i % 2]} {i}?"),
                Message(role="assistant", content=f"The {WORDS[i % 2]} is {i}."),
            ),
        )
        for i in range(8)
    ]
    return [build_example(tokenizer, row, 128) for row in rows]


def train(plan, folder, tmp_path):
    tokenizer = load_tokenizer(folder)
    added = add_words(tokenizer, WORDS)
    model = build_model(plan, folder, 0, added)
    trainer = make_trainer(
        plan,
        model,
        tokenizer,
        examples=examples_of(tokenizer),
        order=list(range(8)) * 4,
        callbacks=[],
        folder=tmp_path / "staging",
        seed=0,
    )
    trainer.train()
    return trainer.model, added


def test_a_word_becomes_one_token_and_text_comes_back_unchanged(tokenizer):
    text = "Ein Drehmoment, zwei (Drehmoment) und Drehmomente."
    before = len(tokenizer(text)["input_ids"])
    (added,) = add_words(tokenizer, [WORD, f" {WORD} ", ""])
    ids = tokenizer(text)["input_ids"]
    assert ids.count(added.id) == 2
    assert len(ids) == before - 2 * (len(WORD) - 1)
    assert tokenizer.decode(ids) == text
    assert tokenizer.decode(list(added.pieces)) == WORD
    assert added.id == len(tokenizer) - 1


def test_words_that_are_tokens_already_and_nothing_at_all_change_nothing(tokenizer):
    size = len(tokenizer)
    assert add_words(tokenizer, ()) == ()
    assert add_words(tokenizer, ("a", "<|im_end|>")) == ()
    assert len(tokenizer) == size


def test_words_with_a_space_inside_are_refused(tokenizer):
    with pytest.raises(UserError, match="more than one word"):
        add_words(tokenizer, ["two words"])


def test_a_word_of_a_script_without_spaces_is_found_inside_of_running_text(tokenizer):
    (added,) = add_words(tokenizer, ["扭矩"])
    assert added.id in tokenizer("最大扭矩值")["input_ids"]


def test_a_new_word_begins_as_the_mean_of_its_pieces(bench, tokenizer, untied_model_folder):
    added = add_words(tokenizer, WORDS)
    for folder in (bench.model, untied_model_folder):
        plain = load_base(bench.plan("lora"), folder)
        model = load_base(bench.plan("lora"), folder, added)
        for read in ("get_input_embeddings", "get_output_embeddings"):
            old, new = getattr(plain, read)().weight, getattr(model, read)().weight
            assert torch.equal(new[: len(old)], old)
            for word in added:
                torch.testing.assert_close(new[word.id], old[list(word.pieces)].mean(dim=0))
    assert model.config.vocab_size == added[-1].id + 1


def test_a_vocabulary_with_room_to_spare_does_not_grow_or_shrink(bench, tokenizer, tmp_path):
    wide = AutoModelForCausalLM.from_pretrained(bench.model)
    wide.resize_token_embeddings(320)
    wide.save_pretrained(tmp_path / "wide")
    added = add_words(tokenizer, WORDS)
    model = load_base(bench.plan("lora"), tmp_path / "wide", added)
    assert model.get_input_embeddings().weight.shape[0] == 320


@pytest.mark.parametrize("technique", ["lora", "qlora"])
@pytest.mark.parametrize("tied", [True, False])
def test_beside_an_adapter_only_the_rows_of_added_words_change(
    bench, untied_model_folder, tmp_path, technique, tied
):
    folder = bench.model if tied else untied_model_folder
    plan = bench.plan(technique)
    model, added = train(plan, folder, tmp_path)
    fresh = load_base(plan, folder, added)
    ids = [word.id for word in added]
    for read in ("get_input_embeddings", "get_output_embeddings"):
        trained = getattr(model.get_base_model(), read)().weight.detach()
        begun = getattr(fresh, read)().weight.detach()
        changed = (trained != begun).any(dim=1).nonzero().flatten().tolist()
        assert changed == ids, read
    frozen = dict(fresh.named_parameters())
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            assert "lora_" in name or "trainable_tokens" in name
        elif "base_layer" not in name:
            plain = name.removeprefix("base_model.model.")
            assert plain not in frozen or torch.equal(parameter, frozen[plain]), name


def test_the_saved_adapter_holds_the_words_and_not_the_whole_vocabulary(bench, tmp_path):
    plan = bench.plan("lora")
    model, added = train(plan, bench.model, tmp_path)
    save_weights(model, tmp_path / "saved")
    from safetensors.torch import load_file

    weights = load_file(tmp_path / "saved" / "adapter_model.safetensors")
    rows = {one.shape[0] for name, one in weights.items() if "embed" in name}
    assert rows == {len(added)}
    loaded = load_tuned(plan, bench.model, tmp_path / "saved", added)
    ids = torch.tensor([[10, added[0].id, 20, added[1].id]])
    model.eval()
    loaded.eval()
    assert torch.equal(loaded(ids).logits, model(ids).logits)


@pytest.mark.parametrize("technique", ["lora", "full"])
@pytest.mark.long
def test_a_run_with_added_words_is_proven_resumed_talked_to_and_exported(bench, technique):
    # Words that stand in the tiny rows and that the tiny tokenizer cuts into letters.
    words = ("What", "plus")
    rate = {"learning_rate": 0.02} if technique == "lora" else {}
    plan = bench.plan(technique, steps=12, evaluate_every_steps=4, training=rate)
    run_dir = bench.make_run("run_1", plan)
    frozen = read_json(run_dir.frozen, FrozenRun)
    write_json(run_dir.frozen, replace(frozen, spec=replace(frozen.spec, added_words=words)))
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    first = bench.events(run_dir, "proof")[-1]
    assert first.max_difference_from_base > first.max_difference_from_memory
    assert bench.work(run_dir, 2, "step-00000008") == 0, run_dir.attempt(2).log.read_text()
    again = bench.events(run_dir, "proof")[-1]
    assert again.held_out_after == first.held_out_after
    tokenizer = AutoTokenizer.from_pretrained(run_dir.final)
    assert len(tokenizer("plus")["input_ids"]) == 1
    told = Speaker(run_dir.path).answer((Message(role="user", content="What is 2 plus 3?"),), 4)
    assert set(told) == {"base", "tuned", "adapter_hash"}
    request = {"run_dir": str(run_dir.path), "kind": "merged"}
    child = Child("tailor.engine.worker.export", run_dir.path / "job", request, Limits(seconds=300))
    folder = TypeAdapter(ExportRecord).validate_python(child.wait()).path
    model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
    exported = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    ids = exported("What is 2 plus 3?", return_tensors="pt")["input_ids"]
    assert ids.max() == len(exported) - 1
    assert model.get_input_embeddings().weight.shape[0] == len(exported)
    assert torch.isfinite(model(ids).logits).all()
    plain = load_tokenizer(bench.model)
    begun = load_base(frozen.plan, bench.model, add_words(plain, words))
    trained = model.get_input_embeddings().weight
    new = begun.get_input_embeddings().weight
    assert not torch.equal(trained[-2:], new[-2:])
    if technique == "lora":
        assert torch.equal(trained[:-2], new[:-2])


def test_only_words_that_come_back_as_they_were_can_be_added(tiny_model_folder):
    tokenizer = load_tokenizer(tiny_model_folder)
    size = len(tokenizer)

    assert addable(tokenizer, ["Drehmoment", "Geräusche"]) == {"Drehmoment"}
    assert len(tokenizer) == size
    with pytest.raises(UserError, match="cannot take this word"):
        add_words(tokenizer, ["Geräusche"])


def test_the_head_scores_new_words_and_says_that_it_has_no_bias(bench):
    # What TRL's own loss on a card takes of the head: weight and bias, by their names.
    added = add_words(load_tokenizer(bench.model), ("What", "plus"))
    model = build_model(bench.plan("lora"), bench.model, 0, added)
    before = model.get_output_embeddings().weight.detach().clone()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "trainable_tokens_delta" in name:
                parameter.add_(1.0)

    head = model.get_output_embeddings()

    assert head.bias is None
    changed = (head.weight != before).any(dim=1).nonzero().flatten().tolist()
    assert changed == [word.id for word in added]
