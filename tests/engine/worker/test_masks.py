"""For every chat template that TRL ships and for the habits of five model families: exactly the
answers and their end tokens are learned.

The tokenizers are made here: letters, and as special tokens the marks that a template or a family
writes. What a template puts in front of an answer when it is asked (an empty thought, a channel)
must be written by the model itself, so it is learned with the answer and named in the tables below.
"""

import re
from pathlib import Path

import pytest
import trl
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from tailor.engine.errors import UserError
from tailor.engine.worker.data import NOT_LEARNED, build_example
from tailor.engine.worker.habits import read_habits
from tailor.engine.worker.refusals import find_refusal
from tailor.engine.worker.rows import Row
from tailor.engine.worker.template import write_turns
from tailor.recipes.spec import Message

FOLDER = Path(trl.__file__).parent / "chat_templates"
TEMPLATES = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.jinja"))}
END = "<|eos|>"
MARK = re.compile(
    r"<\|[^<>|\s]{1,40}\|>|<\uff5c[^<>\s]{1,40}\uff5c>|<\|?[a-z]+_of_[a-z]+\|?>|<\|[a-z_]+>|<[a-z_]+\|>"
    r"|</?s>"
)


def make_tokenizer(template, special=(), end=END):
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE(vocab={one: i for i, one in enumerate(letters)}, merges=[]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    marks = sorted({*MARK.findall(template or ""), *special, end, "<bos>"})
    bare.add_special_tokens([AddedToken(one, special=True) for one in marks])
    return PreTrainedTokenizerFast(
        tokenizer_object=bare,
        bos_token="<bos>",
        eos_token=end,
        pad_token=end,
        chat_template=template,
    )


def turn(role, content, **more):
    return Message(role=role, content=content, **more)


SINGLE = (turn("user", "Where is Zoë?"), turn("assistant", "In Paris 🙂."))
MULTI = (*SINGLE, turn("user", "Since when?"), turn("assistant", "Since\nMay."))
STANDING = turn("system", "Be very brief.")
CONVERSATIONS = {
    "single": SINGLE,
    "single-with-system": (STANDING, *SINGLE),
    "multi": MULTI,
    "multi-with-system": (STANDING, *MULTI),
}

BEFORE = {
    "glm4moe": "\n<think></think>\n",
    "gptoss": "<|channel|>final<|message|>",
    "idefics3": " ",
    "smolvlm": " ",
    "llava_next": " ",
    "muse_glimmer": " to=user<|message|>",
    "qwen3": "<think>\n\n</think>\n\n",
    "deepseek": "\n</think>\n\n",
    "nemotron": "\n</think>\n\n",
    "qwen3_5_think": "\n</think>\n\n",
    "qwen3_6": "\n</think>\n\n",
    "qwen3_8": "\n</think>\n\n",
}
"""What the model writes between the question and its answer, by the beginning of the name."""
WITHOUT = ("qwen3_vl", "qwen3_instruct", "qwen3_5_nothink")
"""Names that begin like one above and write nothing there."""
ONLY_LAST_THINKS = (
    "deepseek", "nemotron", "qwen3", "qwen3_5_think", "qwen3_6",
)  # fmt: skip
"""Templates that show earlier answers without the thought (their training variants keep it)."""
ENDS = {
    "cohere": "<|END_OF_TURN_TOKEN|>",
    "cohere2": "<|END_RESPONSE|><|END_OF_TURN_TOKEN|>",
    "deepseek": "<\uff5cend\u2581of\u2581sentence\uff5c>",
    "diffusion_gemma": "<turn|>",
    "gemma": "<end_of_turn>",
    "gemma4": "<turn|>",
    "glm4moe": END,
    "glm4moe_training": "<|user|>",
    "gptoss": "<|return|>",
    "idefics3": "<end_of_utterance>",
    "lfm2": "<|im_end|>",
    "llama3": "<|eot_id|>",
    "llava_next": "</s>",
    "muse_glimmer": "<|eot|>",
    "nemotron": "<|im_end|>",
    "phi3": "<|end|>",
    "qwen": "<|im_end|>",
    "smolvlm": "<end_of_utterance>",
}
NO_END_INSIDE = ("gptoss", "glm4moe")
"""Inside a conversation these end an answer with a mark that does not stop the model."""


def longest_start(table, name):
    return max((start for start in table if name.startswith(start)), key=len, default="")


def expected(name, conversation):
    before = "" if name.startswith(WITHOUT) else BEFORE.get(longest_start(BEFORE, name), "")
    keeps_thoughts = "training" in name and not name.startswith(("deepseek", "nemotron"))
    end = ENDS[longest_start(ENDS, name)]
    answers = [one.content for one in conversation if one.role == "assistant"]
    told = ""
    for number, answer in enumerate(answers):
        is_last = number == len(answers) - 1
        thinks = is_last or keeps_thoughts or not name.startswith(ONLY_LAST_THINKS)
        thinks = thinks or name.startswith("qwen3_8")
        ends = is_last or not name.startswith(NO_END_INSIDE) or name == "glm4moe_training"
        told += (before if thinks else "") + answer + (end if ends else "")
    return told


def learn(tokenizer, messages, **more):
    row = Row(id=1, split="train", messages=messages, **more)
    assert find_refusal(tokenizer, row) is None
    example = build_example(tokenizer, row, 100_000)
    assert "".join(span.text for span in example.spans) == example.text
    return tokenizer.decode([one for one in example.labels if one != NOT_LEARNED]), example


@pytest.mark.parametrize("conversation", CONVERSATIONS.values(), ids=CONVERSATIONS)
@pytest.mark.parametrize("name", TEMPLATES)
def test_exactly_the_answers_and_their_ends_are_learned(name, conversation):
    tokenizer = make_tokenizer(TEMPLATES[name])
    told, example = learn(tokenizer, conversation)
    assert told == expected(name, conversation)
    for one in conversation:
        assert one.content in example.text


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_last_answer_begins_where_it_will_be_asked_for(name):
    tokenizer = make_tokenizer(TEMPLATES[name])
    _, example = learn(tokenizer, MULTI)
    asked = write_turns(tokenizer, MULTI[:-1], is_asking=True)
    assert example.text.startswith(asked)
    assert example.answers[-1].start == len(asked)


@pytest.mark.parametrize("name", TEMPLATES)
def test_an_answer_that_is_only_read_is_not_learned(name):
    tokenizer = make_tokenizer(TEMPLATES[name])
    first = turn("assistant", "In Paris.", is_learned=False)
    told, example = learn(tokenizer, (SINGLE[0], first, *MULTI[2:]))
    assert "Paris" not in told
    assert "Paris" in example.text
    assert "May" in told


CALL = '[{"name": "weather", "arguments": {"town": "Bonn"}}]'
TOOLS = (
    '[{"type": "function", "function": {"name": "weather", "description": "Tells it.", "parameters":'
    ' {"type": "object", "properties": {"town": {"type": "string", "description": "Where."}},'
    ' "required": ["town"]}}}]'
)
CALLING = (
    turn("user", "Rain?"),
    turn("assistant", "", tool_calls=CALL),
    turn("tool", "dry"),
    turn("assistant", "No rain."),
)


@pytest.mark.parametrize("name", TEMPLATES)
def test_tools_are_read_and_calls_learned_or_refused_in_words(name):
    tokenizer = make_tokenizer(TEMPLATES[name])
    row = Row(id=1, split="train", messages=CALLING, tools=TOOLS)
    refusal = find_refusal(tokenizer, row)
    habits = read_habits(tokenizer)
    if refusal is not None:
        assert not (habits.shows_tools and habits.shows_calls)
        assert "tools" in refusal.title
        return
    told, example = learn(tokenizer, CALLING, tools=TOOLS)
    assert "Tells it." in example.text
    assert "Tells it." not in told
    assert "dry" not in told
    assert "Bonn" in told  # the call is what the model shall write
    assert "No rain." in told


def test_most_templates_that_know_tools_are_known_to():
    known = [
        name
        for name, text in TEMPLATES.items()
        if (habits := read_habits(make_tokenizer(text))).shows_tools and habits.shows_calls
    ]
    assert {"qwen2_5", "qwen3", "llama3_1", "gptoss", "glm4moe"} <= set(known)
    assert not {"gemma", "llama3", "phi3", "cohere"} & set(known)


def test_thoughts_of_an_answer_are_learned_once():
    thought = turn("assistant", "<think>\nParis, surely.\n</think>\n\nIn Paris.")
    for name in ("qwen3", "qwen3_5_think", "deepseek_r1_distill", "nemotron_3_nano"):
        tokenizer = make_tokenizer(TEMPLATES[name])
        told, example = learn(tokenizer, (SINGLE[0], thought))
        assert told.count("Paris, surely.") == 1
        assert told.count("</think>") == 1
        assert example.text.count("<think>") == 1
        assert told.endswith("In Paris." + ENDS[longest_start(ENDS, name)])


def test_an_earlier_answer_that_lost_its_thoughts_is_only_read():
    thought = turn("assistant", "<think>\nParis, surely.\n</think>\n\nIn Paris.")
    tokenizer = make_tokenizer(TEMPLATES["qwen3"])
    told, example = learn(tokenizer, (SINGLE[0], thought, *MULTI[2:]))
    assert "Paris" not in told
    assert "In Paris." in example.text


LLAMA = (
    "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m['role'] }}<|end_header_id|>\n\n"
    "{{ m['content'] | trim }}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)
QWEN = (
    "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}<|im_start|>system\n"
    "You are a helpful assistant.<|im_end|>\n{% endif %}<|im_start|>{{ m['role'] }}\n"
    "{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MISTRAL = (
    "{{ bos_token }}{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate user and assistant') }}{% endif %}"
    "{% if m['role'] == 'user' %}[INST] {{ m['content'] }} [/INST]"
    "{% else %} {{ m['content'] }}{{ eos_token }}{% endif %}{% endfor %}"
)
GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}{% for m in messages %}"
    "<start_of_turn>{{ 'model' if m['role'] == 'assistant' else m['role'] }}\n"
    "{{ m['content'] | trim }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
)
PHI = (
    "{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% else %}{{ eos_token }}{% endif %}"
)
FAMILIES = {
    "llama": (LLAMA, ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"), "<|end_of_text|>", "", "<|eot_id|>"),
    "qwen": (QWEN, ("<|im_start|>", "<|im_end|>"), "<|endoftext|>", "", "<|im_end|>"),
    "mistral": (MISTRAL, ("[INST]", "[/INST]"), "</s>", " ", "</s>"),
    "gemma": (GEMMA, ("<start_of_turn>", "<end_of_turn>"), "<eos>", "", "<end_of_turn>"),
    "phi": (PHI, ("<|user|>", "<|assistant|>", "<|system|>", "<|end|>"), "<|endoftext|>", "", "<|end|>"),
}  # fmt: skip


@pytest.mark.parametrize("conversation", CONVERSATIONS.values(), ids=CONVERSATIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_five_families_learn_their_answers(family, conversation):
    template, special, end, before, ending = FAMILIES[family]
    tokenizer = make_tokenizer(template, special, end)
    told, example = learn(tokenizer, conversation)
    answers = [one.content for one in conversation if one.role == "assistant"]
    assert told == "".join(before + answer + ending for answer in answers)
    assert all(one.content in example.text for one in conversation)


def test_every_template_with_every_family_learns_the_answers():
    for name, text in TEMPLATES.items():
        for _, special, end, _, _ in FAMILIES.values():
            told, _ = learn(make_tokenizer(text, special, end), MULTI)
            assert told.replace(end, END) == expected(name, MULTI).replace(end, END), name


@pytest.mark.parametrize("family", ["mistral"])
def test_a_template_that_refuses_says_so_in_words(family):
    template, special, end, _, _ = FAMILIES[family]
    twice = (turn("user", "a"), turn("user", "b"), turn("assistant", "c"))
    with pytest.raises(UserError, match="Roles must alternate"):
        learn(make_tokenizer(template, special, end), twice)


def test_a_template_that_drops_the_words_is_refused():
    tokenizer = make_tokenizer("{% for m in messages %}<|{{ m['role'] }}|>{% endfor %}")
    refusal = find_refusal(tokenizer, Row(id=1, split="train", messages=SINGLE))
    assert "drops the text" in refusal.detail


def test_a_template_that_drops_standing_instructions_gets_them_with_the_question():
    template = (
        "{% for m in messages if m['role'] != 'system' %}{{ m['role'] }}: {{ m['content'] }}"
        "{{ eos_token }}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"
    )
    _, example = learn(make_tokenizer(template), (STANDING, *SINGLE))
    assert example.text.startswith("user: Be very brief.\n\nWhere is Zoë?")


@pytest.mark.parametrize(
    ("marks", "text"),
    [
        (("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"), "<|fim_prefix|>a(<|fim_suffix|>)<|fim_middle|>"),
        (("<fim_prefix>", "<fim_suffix>", "<fim_middle>"), "<fim_prefix>a(<fim_suffix>)<fim_middle>"),
        (("[PREFIX]", "[SUFFIX]"), "[SUFFIX])[PREFIX]a("),
    ],
)  # fmt: skip
def test_code_with_a_gap_is_written_with_the_models_own_marks(marks, text):
    tokenizer = make_tokenizer(QWEN, marks)
    row = Row(id=1, split="train", before="a(", text="b, c", after=")")
    assert find_refusal(tokenizer, row) is None
    example = build_example(tokenizer, row, 500)
    assert example.text == text + "b, c" + END
    told = tokenizer.decode([one for one in example.labels if one != NOT_LEARNED])
    assert told == "b, c" + END
    marked = tokenizer.convert_tokens_to_ids(list(marks))
    assert set(marked) <= set(example.input_ids)


def test_a_gap_without_code_behind_it_is_still_a_gap():
    tokenizer = make_tokenizer(QWEN, ("<fim_prefix>", "<fim_suffix>", "<fim_middle>"))
    row = Row(id=1, split="train", before="a(", text="b)")
    assert (
        build_example(tokenizer, row, 500).text == "<fim_prefix>a(<fim_suffix><fim_middle>b)" + END
    )


def test_a_model_without_gap_marks_refuses_in_words():
    row = Row(id=1, split="train", before="a(", text="b", after=")")
    assert "cannot fill gaps" in find_refusal(make_tokenizer(QWEN), row).title
    with pytest.raises(UserError, match="cannot fill gaps"):
        build_example(make_tokenizer(QWEN), row, 500)
