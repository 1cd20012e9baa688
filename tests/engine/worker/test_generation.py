"""What counts as a model's answer to a question."""

import pytest
import torch

from tailor.engine.errors import UserError
from tailor.engine.worker.generation import answer_questions
from tailor.engine.worker.template import load_tokenizer
from tailor.recipes.spec import Message

QUESTION = (Message(role="user", content="Where?"),)


@pytest.fixture
def tokenizer(tiny_model_folder):
    return load_tokenizer(tiny_model_folder)


class Saying:
    """A model that always says the same."""

    training = False
    device = torch.device("cpu")

    def __init__(self, ids):
        self._ids = ids

    def eval(self):
        return self

    def train(self, mode):
        return self

    def generate(self, input_ids, **settings):
        told = torch.tensor([self._ids] * len(input_ids))
        return torch.cat([input_ids, told], dim=1)


def ask(tokenizer, text, limit=500):
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    (reply,) = answer_questions(
        Saying(ids),
        tokenizer,
        [QUESTION],
        max_new_tokens=40,
        end_ids={tokenizer.eos_token_id},
        limit_tokens=limit,
    )
    return reply


def test_an_answer_ends_at_its_end_token(tokenizer):
    reply = ask(tokenizer, "In Paris.<|im_end|>\nAnd more")
    assert (reply.text, reply.ended) == ("In Paris.", True)


def test_an_answer_that_goes_on_has_not_ended(tokenizer):
    assert not ask(tokenizer, "In Paris and").ended


@pytest.mark.parametrize(
    "told",
    ["<think>\n\n</think>\n\nIn Paris.", "\n</think>\n\nIn Paris.", "<think>so</think>In Paris."],
)
def test_thoughts_are_not_the_answer(tokenizer, told):
    assert ask(tokenizer, told + "<|im_end|>").text == "In Paris."


def test_a_question_without_room_for_an_answer_is_refused(tokenizer):
    with pytest.raises(UserError, match="too long"):
        ask(tokenizer, "x", limit=50)
