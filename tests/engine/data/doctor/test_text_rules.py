"""The rules of single checks: gaps, secrets, damage, markup, refusals, order of turns, scripts."""

import json

import pytest

from tailor.engine.data.doctor.checks.markup import strip_tags
from tailor.engine.data.doctor.checks.placeholders import find_gaps
from tailor.engine.data.doctor.checks.refusals import _MACHINES, _OPENINGS, find_refusal
from tailor.engine.data.doctor.damage import find_damage, repair
from tailor.engine.data.doctor.languages import find_language
from tailor.engine.data.doctor.scripts import count_scripts
from tailor.engine.data.doctor.secret_forms import find_secrets, hide_secrets
from tailor.engine.data.doctor.turn_order import find_disorder, put_in_order


@pytest.mark.parametrize(
    "text",
    [
        "a[0] = b[i]", "see [the manual](https://example.org)", "use `{{ name }}` in the template",
        "```\nHello {{name}}\n```", "<br> and <B>", "5 < 6 and 7 > 2", "[1] and [citation needed]", "<PAD> <EOS>",
        "[EMAIL 1] or [PHONE 2] or [SECRET]", "set {a, b}", "f(x) = {{1, 2}, {3, 4}}", "<think>", "[ ] to do",
        "const x = {{ a: 1 }};\nreturn x;\n}\n", "[your](link)",
    ],
)  # fmt: skip
def test_signs_with_another_meaning_are_no_gaps(text: str) -> None:
    assert [match[0] for match in find_gaps(text)] == []


def test_a_secret_is_hidden_whole_and_the_rest_stays() -> None:
    key = "hf_" + "aB3" * 12
    assert hide_secrets(f"my {key}, yours") == "my [SECRET], yours"
    assert hide_secrets("no key in here: sk-learn, hf_hub, password: please ask") == (
        "no key in here: sk-learn, hf_hub, password: please ask"
    )
    assert list(find_secrets("the password is required; tokens are words")) == []


@pytest.mark.parametrize(
    ("damaged", "meant"),
    [
        ("GrÃ¶ÃŸe fÃ¼r 20 â‚¬", "Größe für 20 €"),
        ("itâ€™s â€œsoâ€\x9d", "it’s “so”"),
        ("Ã©tÃ© Ã  la mer", "été Ã  la mer"),
        ("smart \x93quotes\x94", "smart “quotes”"),
        ("a\u200bb\ufeffc\x07d", "abcd"),
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
    ],
)
def test_what_can_be_undone_for_sure_is_put_right(damaged: str, meant: str) -> None:
    assert find_damage(damaged)
    assert repair(damaged) == meant


@pytest.mark.parametrize(
    "text",
    [
        "NÃO, São Paulo, Ângela, Ção", "Größe, naïve, crème brûlée, Ærø, Ñandú", "50 £ and 20 ° and ©", "👩\u200d👩\u200d👧",
        "می\u200cخواهم", "क्\u200dष", "ไทย\u200bภาษา", "tab\there\r\nline", "“quotes” — dash…", "ÎLE, ÂGE, À", "Привет", "水泵",
        "\u200eשלום\u200f", "x² × y³ ÷ 2 ¼",
    ],
)  # fmt: skip
def test_honest_characters_are_left_alone(text: str) -> None:
    assert find_damage(text) == {}
    assert repair(text) == text


def test_tags_go_and_their_text_stays_in_paragraphs() -> None:
    html = "<div><p>One &amp; two</p><p class='x'>three<br/>four</p></div>"
    assert strip_tags(html) == "One & two\n\nthree\nfour"
    assert strip_tags("5 < 6 and a > b") == "5 < 6 and a > b"


def test_a_refusal_late_in_an_answer_is_none() -> None:
    assert find_refusal("I’m sorry, but I can’t help with that.")
    assert find_refusal("It depends. " * 30 + "I'm sorry, but I can't go there.") is None
    assert find_refusal("I can help with that. The pump cannot start when it is cold.") is None
    assert find_refusal("Sorry for the delay. We provide this on Monday.") is None


def turns(*said: tuple[str, str]) -> str:
    return json.dumps([{"role": role, "content": text} for role, text in said])


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (turns(("user", "a"), ("assistant", "b")), turns(("user", "a"), ("assistant", "b"))),
        (
            turns(("user", "a"), ("user", ""), ("assistant", "b")),
            turns(("user", "a"), ("assistant", "b")),
        ),
        (
            turns(("user", "a"), ("user", "b"), ("assistant", "c")),
            turns(("user", "a\n\nb"), ("assistant", "c")),
        ),
        (
            turns(("assistant", "hi"), ("user", "a"), ("assistant", "b")),
            turns(("user", "a"), ("assistant", "b")),
        ),
        (
            turns(("user", "a"), ("system", "s"), ("assistant", "b")),
            turns(("system", "s"), ("user", "a"), ("assistant", "b")),
        ),
        (turns(("assistant", "b")), turns(("assistant", "b"))),
        ("no json", "no json"),
        (
            turns(("stranger", "a"), ("assistant", "b")),
            turns(("stranger", "a"), ("assistant", "b")),
        ),
    ],
)
def test_turns_are_put_in_order_when_nothing_is_lost(cell: str, expected: str) -> None:
    assert put_in_order(cell) == expected
    assert put_in_order(expected) == expected


def test_calls_of_tools_are_in_order() -> None:
    call = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}],
    }
    cell = json.dumps(
        [
            {"role": "user", "content": "a"},
            call,
            {"role": "tool", "content": ""},
            {"role": "assistant", "content": "b"},
        ]
    )
    assert find_disorder(cell) == ()
    shared = [("human", "a"), ("function_call", "{}"), ("observation", "x"), ("gpt", "b")]
    assert find_disorder(json.dumps([{"from": name, "value": text} for name, text in shared])) == ()


def test_scripts_that_are_written_together_count_as_one() -> None:
    assert count_scripts("水泵在院子") == {"Chinese": 5}
    assert set(count_scripts("ポンプが止まる工場")) == {"Japanese"}
    assert set(count_scripts("펌프가 멈춥니다 漢字")) == {"Korean"}
    assert count_scripts("42 + 7") == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "The pump has to be cleaned every six months, or the pressure falls and the machine stops.",
            "en",
        ),
        (
            "Die Pumpe muss alle sechs Monate gereinigt werden, sonst sinkt der Druck und sie bleibt stehen.",
            "de",
        ),
        (
            "La pompe doit être nettoyée tous les six mois, sinon la pression baisse et elle s'arrête.",
            "fr",
        ),
        (
            "Насос нужно чистить каждые шесть месяцев, иначе давление падает и машина останавливается.",
            "ru",
        ),
        ("水泵必须每六个月清洗一次，否则压力会下降，机器会停止工作。", "zh"),
        ("Yes.", ""),
        ("4711 0815 3.14", ""),
    ],
)
def test_a_language_is_told_only_when_it_is_sure(text: str, code: str) -> None:
    assert find_language(text, count_scripts(text)) == code


def test_no_phrase_of_a_refusal_is_passed_over_by_what_is_looked_for_first() -> None:
    for phrase in _OPENINGS + _MACHINES:
        assert find_refusal(f"{phrase} that at all, my friend"), phrase
