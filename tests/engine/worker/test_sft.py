"""What training touches, and what the loss is made of: the trainer in this process."""

import pytest
import torch
from bitsandbytes.functional import dequantize_4bit
from bitsandbytes.nn import Linear4bit

from tailor.engine.errors import UserError
from tailor.engine.worker.build import build_model, load_base, load_weights
from tailor.engine.worker.crash import explain
from tailor.engine.worker.data import build_example
from tailor.engine.worker.loss import mean_loss, pad_batch, sum_loss
from tailor.engine.worker.methods.sft import make_trainer
from tailor.engine.worker.rehearsal import rehearse
from tailor.engine.worker.rows import Row
from tailor.engine.worker.template import load_tokenizer
from tailor.recipes.spec import Message

# transformers, trl and bitsandbytes warn about their own next versions.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.fixture
def tokenizer(tiny_model_folder):
    return load_tokenizer(tiny_model_folder)


@pytest.fixture
def examples(tokenizer):
    return [
        build_example(
            tokenizer,
            Row(
                id=i,
                split="train",
                messages=(
                    Message(role="user", content=f"What is {i} plus {i}?" + " Please." * (i % 3)),
                    Message(role="assistant", content=str(2 * i)),
                ),
            ),
            128,
        )
        for i in range(12)
    ]


@pytest.fixture
def trainer_of(bench, tiny_model_folder, tokenizer, examples, tmp_path):
    def make(plan):
        return make_trainer(
            plan,
            build_model(plan, tiny_model_folder, 0),
            tokenizer,
            examples=examples,
            order=list(range(12)) * 4,
            callbacks=[],
            folder=tmp_path / "staging",
            seed=0,
        )

    return make


def snapshot(model):
    return {name: one.detach().clone() for name, one in model.named_parameters()}


@pytest.mark.parametrize("technique", ["full", "lora", "qlora"])
def test_every_trainable_weight_changes_and_no_frozen_one(bench, trainer_of, technique):
    trainer = trainer_of(bench.plan(technique))
    before = snapshot(trainer.model)
    trainer.train()
    for name, parameter in trainer.model.named_parameters():
        is_same = torch.equal(parameter, before[name])
        assert is_same != parameter.requires_grad, name
    kinds = {p.requires_grad for p in trainer.model.parameters()}
    assert kinds == ({True} if technique == "full" else {True, False})
    assert {p.dtype for p in trainer.model.parameters() if p.requires_grad} == {torch.float32}


def test_only_linear_weights_of_the_base_are_quantised(bench, tiny_model_folder):
    model = build_model(bench.plan("qlora"), tiny_model_folder, 0)
    quantised = [name for name, one in model.named_modules() if isinstance(one, Linear4bit)]
    assert len(quantised) == 2 * 7
    assert not [name for name in quantised if "lora" in name or "lm_head" in name]


def test_an_evaluation_before_training_leaves_gradients_right(
    bench, tiny_model_folder, tokenizer, examples
):
    plan = bench.plan(
        "qlora", adapter=(("r", 4), ("lora_alpha", 8), ("target_modules", "all-linear"))
    )
    model = build_model(plan, tiny_model_folder, 0)
    mean_loss(model, examples, tokenizer.pad_token_id)
    plain = build_model(bench.plan("lora", adapter=plan.adapter), tiny_model_folder, 0)
    for name, module in model.named_modules():
        if isinstance(module, Linear4bit):
            state = module.weight.quant_state
            plain.get_submodule(name).weight.data = dequantize_4bit(module.weight.data, state)
    batch = pad_batch(examples[:4], tokenizer.pad_token_id, torch.device("cpu"))
    for one in (model, plain):
        one.train()
        sum_loss(one, batch).backward()
    expected = {name: one.grad for name, one in plain.named_parameters() if one.requires_grad}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            torch.testing.assert_close(parameter.grad, expected[name], rtol=1e-3, atol=1e-4)


def test_our_loss_is_the_librarys(bench, trainer_of, tokenizer, examples):
    trainer = trainer_of(bench.plan("full"))
    batch = pad_batch(examples[:4], tokenizer.pad_token_id, torch.device("cpu"))
    labels = batch["labels"]
    ours = trainer.compute_loss(trainer.model, dict(batch))
    library = trainer.model(**batch).loss
    torch.testing.assert_close(ours, library)
    trainer._is_loss_ours = False
    torch.testing.assert_close(trainer.compute_loss(trainer.model, dict(batch)), library)
    torch.testing.assert_close(
        sum_loss(trainer.model, batch), library * (labels[:, 1:] != -100).sum()
    )


def test_the_mean_loss_does_not_depend_on_the_batches(
    bench, tiny_model_folder, tokenizer, examples
):
    model = load_base(bench.plan("full"), tiny_model_folder)
    alone = sum(
        float(sum_loss(model, pad_batch([one], 0, torch.device("cpu"))).detach())
        for one in examples
    )
    learned = sum(one.learned_tokens for one in examples)
    together = mean_loss(model, examples, tokenizer.pad_token_id)
    assert together == pytest.approx(alone / learned, rel=1e-5)


@pytest.mark.parametrize("technique", ["full", "lora", "qlora"])
def test_weights_of_a_checkpoint_come_back_bit_for_bit(
    bench, trainer_of, tiny_model_folder, technique, tmp_path
):
    plan = bench.plan(technique)
    trainer = trainer_of(plan)
    trainer.train()
    trainer.model.save_pretrained(tmp_path / "saved")
    fresh = build_model(plan, tiny_model_folder, seed=9)
    load_weights(fresh, tmp_path / "saved")
    expected = snapshot(trainer.model)
    for name, parameter in fresh.named_parameters():
        if parameter.requires_grad:
            assert torch.equal(parameter, expected[name]), name


def test_a_checkpoint_of_another_model_is_refused(bench, trainer_of, tiny_model_folder, tmp_path):
    plan = bench.plan("lora")
    build_model(plan, tiny_model_folder, 0).save_pretrained(tmp_path / "saved")
    other = bench.plan("lora", adapter=(("r", 4), ("target_modules", ("q_proj",))))
    with pytest.raises(UserError, match="does not fit"):
        load_weights(build_model(other, tiny_model_folder, 0), tmp_path / "saved")


def test_the_rehearsal_changes_nothing(bench, trainer_of, tokenizer, examples):
    trainer = trainer_of(bench.plan("lora"))
    before = snapshot(trainer.model)
    rehearse(trainer, pad_batch(examples[:2], tokenizer.pad_token_id, torch.device("cpu")))
    assert all(torch.equal(one, before[name]) for name, one in trainer.model.named_parameters())
    assert all(one.grad is None for one in trainer.model.parameters())


def test_a_batch_that_does_not_fit_is_told_in_words(bench, trainer_of, tokenizer, examples):
    trainer = trainer_of(bench.plan("lora"))
    batch = pad_batch(examples[:2], tokenizer.pad_token_id, torch.device("cpu"))
    # A real refusal by torch's allocator: 4 exabytes.
    trainer.model.register_forward_pre_hook(lambda *_: torch.empty(1 << 60))
    with pytest.raises(UserError, match="2 rows of"):
        rehearse(trainer, batch)


def test_a_disk_that_is_full_during_a_save_is_told_in_words(bench, trainer_of, tmp_path):
    trainer = trainer_of(bench.plan("lora"))
    trainer.train()
    folder = tmp_path / "staging" / f"checkpoint-{trainer.state.global_step}"
    folder.mkdir(parents=True)
    (folder / "optimizer.pt").symlink_to("/dev/full")
    with pytest.raises((OSError, RuntimeError)) as full:
        trainer._save_checkpoint(trainer.model, None)
    assert explain(full.value, tmp_path).title == "The disk is full"
