"""Which tokens are learned, for every way in which a model may write conversations."""

import pytest

from tailor.engine.errors import UserError
from tailor.engine.worker.data import NOT_LEARNED, build_example
from tailor.engine.worker.endings import read_end_ids, special_tokens
from tailor.engine.worker.examples import build_examples
from tailor.engine.worker.rows import Row
from tailor.engine.worker.template import PLAIN_TEMPLATE, load_tokenizer, write_turns
from tailor.recipes.spec import Message

CHATML = None
"""Keeps the tiny model's own template."""
INSTRUCT = (
    "{% for m in messages %}{% if m['role'] == 'user' %}[INST] {{ m['content'] }} [/INST]"
    "{% elif m['role'] == 'assistant' %} {{ m['content'] }}{{ eos_token }}"
    "{% else %}{{ raise_exception('Only user and assistant turns') }}{% endif %}{% endfor %}"
)
WITHOUT_END = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)
THINKING = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['role'] == 'assistant' and loop.last %}<think>\n\n</think>\n\n{% endif %}"
    "{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
REWRITING = (
    "{{ messages | length }} turns\n{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEMPLATES = {
    "chatml": CHATML, "instruct": INSTRUCT, "without_end": WITHOUT_END, "thinking": THINKING,
    "rewriting": REWRITING, "plain": PLAIN_TEMPLATE,
}  # fmt: skip


@pytest.fixture
def tokenizer(tiny_model_folder):
    return load_tokenizer(tiny_model_folder)


@pytest.fixture(params=TEMPLATES)
def any_tokenizer(request, tokenizer):
    tokenizer.chat_template = TEMPLATES[request.param] or tokenizer.chat_template
    return tokenizer


def turns(*contents):
    roles = ("user", "assistant")
    return tuple(Message(role=roles[i % 2], content=text) for i, text in enumerate(contents))


def chat(*contents, **changes):
    return Row(id=1, split="train", messages=turns(*contents), **changes)


def learned_text(tokenizer, example):
    return tokenizer.decode([one for one in example.labels if one != NOT_LEARNED])


def test_the_answer_and_its_end_token_are_learned(any_tokenizer):
    example = build_example(any_tokenizer, chat("Where is Zoë?", "In Paris."), 500)
    told = learned_text(any_tokenizer, example)
    assert told.endswith("In Paris." + any_tokenizer.eos_token)
    assert "Zoë" not in told
    assert example.last_learned_id == any_tokenizer.eos_token_id
    assert any_tokenizer.decode(list(example.input_ids)) == example.text


def test_what_is_learned_begins_where_the_question_that_is_asked_ends(any_tokenizer):
    row = chat("Where?", "In Paris.")
    example = build_example(any_tokenizer, row, 500)
    asked = write_turns(any_tokenizer, row.messages[:1], is_asking=True)
    first = next(i for i, label in enumerate(example.labels) if label != NOT_LEARNED)
    assert any_tokenizer.decode(list(example.input_ids[:first])) == asked


def test_spans_join_to_the_text(any_tokenizer):
    example = build_example(any_tokenizer, chat("Where is Zoë?", "In Paris 🙂."), 500)
    assert "".join(span.text for span in example.spans) == example.text
    kinds = [span.kind for span in example.spans]
    assert kinds[:3] == ["read", "learned", "end"]
    learned = "".join(span.text for span in example.spans if span.kind in ("learned", "end"))
    assert learned == learned_text(any_tokenizer, example)


def test_every_answer_of_a_conversation_is_learned(tokenizer):
    example = build_example(tokenizer, chat("a", "first", "b", "second"), 500)
    assert learned_text(tokenizer, example) == "first<|im_end|>second<|im_end|>"


def test_a_template_that_rewrites_what_came_before_learns_as_it_will_be_asked(tokenizer):
    tokenizer.chat_template = REWRITING
    example = build_example(tokenizer, chat("a", "first", "b", "second"), 500)
    assert learned_text(tokenizer, example) == "first<|im_end|>second<|im_end|>"
    assert example.text.startswith("3 turns")


def test_turns_behind_the_last_answer_are_left_out(tokenizer):
    example = build_example(tokenizer, chat("a", "first", "unanswered"), 500)
    assert "unanswered" not in example.text
    assert learned_text(tokenizer, example) == "first<|im_end|>"


def test_standing_instructions_move_into_the_question_where_no_system_turn_exists(tokenizer):
    tokenizer.chat_template = INSTRUCT
    system = Message(role="system", content="Be brief.")
    row = Row(id=1, split="train", messages=(system, *turns("Where?", "Paris")))
    example = build_example(tokenizer, row, 500)
    assert example.text.startswith("[INST] Be brief.\n\nWhere? [/INST]")


def test_a_conversation_that_no_template_can_write_is_told(tokenizer):
    tokenizer.chat_template = "{{ raise_exception('Roles must alternate') }}"
    with pytest.raises(UserError, match="Roles must alternate"):
        build_example(tokenizer, chat("a", "b"), 500)


def test_raw_text_is_learned_whole_with_an_end_token(tokenizer):
    example = build_example(tokenizer, Row(id=1, split="train", text="Pumps leak."), 500)
    assert example.labels == example.input_ids
    assert tokenizer.decode(list(example.input_ids)) == "Pumps leak.<|im_end|>"
    assert [span.kind for span in example.spans] == ["learned", "end"]


def test_an_answer_that_would_break_off_is_not_learned(tokenizer):
    whole = build_example(tokenizer, chat("Where?", "In Paris."), 500)
    cut = build_example(tokenizer, chat("Where?", "In Paris."), len(whole.input_ids) - 4)
    assert len(cut.input_ids) == len(whole.input_ids) - 4
    assert cut.cut_tokens == 4
    assert cut.learned_tokens == 0
    assert cut.last_learned_id == tokenizer.eos_token_id
    assert cut.spans[-1].kind == "cut"
    assert "".join(span.text for span in cut.spans) == whole.text


def test_a_long_conversation_is_learned_up_to_its_last_whole_answer(tokenizer):
    whole = build_example(tokenizer, chat("a", "first", "b", "second"), 500)
    cut = build_example(tokenizer, chat("a", "first", "b", "second"), len(whole.input_ids) - 3)
    assert learned_text(tokenizer, cut) == "first<|im_end|>"
    assert tokenizer.decode(list(cut.input_ids)).endswith("first<|im_end|>")
    assert cut.spans[-1].text.endswith("second<|im_end|>\n")
    assert "".join(span.text for span in cut.spans) == whole.text
    assert cut.cut_tokens == len(whole.input_ids) - len(cut.input_ids)


def test_a_long_text_is_learned_up_to_the_limit(tokenizer):
    cut = build_example(tokenizer, Row(id=1, split="train", text="Pumps leak."), 5)
    assert learned_text(tokenizer, cut) == "Pumps"
    assert [(span.kind, span.text) for span in cut.spans] == [
        ("learned", "Pumps"),
        ("cut", " leak.<|im_end|>"),
    ]


def test_rows_are_counted_when_they_are_cut_or_left_out(tokenizer):
    rows = [
        chat("Where?", "Here"),
        chat("Where?", "Here", "Why?", "So " * 30),
        chat("Where? " * 30, "Here"),
        chat("Where?", "There", rating="bad"),
        Row(id=5, split="held_out", messages=turns("Who?", "I")),
    ]
    examples = build_examples(tokenizer, rows, 80)
    assert (len(examples.train), len(examples.held_out)) == (2, 1)
    assert (examples.cut_rows, examples.left_out_rows, examples.bad_rows) == (1, 1, 1)


def test_a_row_without_an_answer_stops_the_run(tokenizer):
    with pytest.raises(UserError, match="Row 1 has no answer"):
        build_examples(tokenizer, [chat("Where?")], 80)


def test_rows_that_are_all_too_long_stop_the_run(tokenizer):
    with pytest.raises(UserError, match="nothing to learn"):
        build_examples(tokenizer, [chat("Where? " * 30, "Here")], 20)


def test_a_model_without_a_template_gets_a_plain_one(tiny_model_folder, tmp_path):
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((tiny_model_folder / name).read_bytes())
    tokenizer = load_tokenizer(tmp_path)
    assert write_turns(tokenizer, turns("Where?"), is_asking=True) == "Question: Where?\n\nAnswer:"


def test_the_end_token_of_the_template_counts_even_where_only_another_is_named(tokenizer, tmp_path):
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [256]}')
    tokenizer.eos_token = "<|endoftext|>"
    special_tokens.cache_clear()
    names = {tokenizer.convert_ids_to_tokens(one) for one in read_end_ids(tokenizer, tmp_path)}
    assert {"<|endoftext|>", "<|im_end|>"} <= names


class PieceTokenizer:
    """A tokenizer without character offsets, as slow ones are."""

    is_fast = False

    def __init__(self, fast):
        self._fast = fast

    def __getattr__(self, name):
        return getattr(self._fast, name)

    def __call__(self, text, **arguments):
        return self._fast(text, **arguments)


def test_a_tokenizer_without_offsets_learns_the_same(tokenizer):
    messages = chat("Where is Zoë?", "In Paris.")
    slow = build_example(PieceTokenizer(tokenizer), messages, 500)
    fast = build_example(tokenizer, messages, 500)
    assert (slow.input_ids, slow.labels) == (fast.input_ids, fast.labels)
