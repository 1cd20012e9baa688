"""Made-up tables in which nothing is wrong: prose in four languages, chats, classes, pairs, code.

They are varied by combining, so that no two rows are nearly the same, and have what honest tables
have: short answers here and there, numbers, names of streets, quotations, lists, code.
"""

import json
import random
from dataclasses import dataclass, field

from vocabulary import (
    BASHO,
    CAUSES,
    CHINESE,
    DEEDS,
    DEVICES,
    FAULTS,
    GERMAN,
    INTENTS,
    JAPANESE,
    KIKAI,
    KOSHO,
    OPENERS,
    ORTE,
    PARTS,
    PLACES,
    SAYINGS,
    SIGNS,
    SITES,
    TEILE,
    ZEICHEN,
)

from tailor.engine.data_types import Mapping


@dataclass
class CleanTable:
    """A table, what its columns mean, and how its rows are made."""

    mapping: Mapping
    columns: tuple[str, ...]
    rows: list[list[str]]
    name: str = ""
    parts: list[str] = field(default_factory=list)


def make_all(rows: int = 200) -> list[CleanTable]:
    """Every kind of clean table."""
    makers = (make_english, make_german, make_chinese, make_japanese, make_chats, make_classes)
    more = (make_pairs, make_thumbs, make_texts, make_code, make_gaps, make_translations, make_sums)
    return [make(rows) for make in (*makers, *more)]


def make_english(rows: int, seed: int = 1) -> CleanTable:
    draw = random.Random(seed)
    made = [[question(draw), answer(draw)] for _ in range(rows)]
    return _pairs("english prose", _numbered(made, "(case {})"))


def make_german(rows: int) -> CleanTable:
    draw = random.Random(2)
    made = [[_german(draw, 1), _german(draw, 3)] for _ in range(rows)]
    return _pairs("german prose", _numbered(made, "(Vorgang {})"))


def make_chinese(rows: int) -> CleanTable:
    draw = random.Random(3)
    made = [[_chinese(draw, CHINESE[:2], 1), _chinese(draw, CHINESE[2:], 2)] for _ in range(rows)]
    return _pairs("chinese prose", _numbered(made, "（工单{}）"))


def make_japanese(rows: int) -> CleanTable:
    draw = random.Random(4)
    made = [
        [_japanese(draw, JAPANESE[:2], 1), _japanese(draw, JAPANESE[2:], 3)] for _ in range(rows)
    ]
    return _pairs("japanese prose", _numbered(made, "（案件{}）"))


def make_chats(rows: int) -> CleanTable:
    draw = random.Random(5)
    made = []
    for number in range(rows):
        turns = [{"role": "system", "content": "You help the fitters of a small factory."}]
        for _ in range(draw.randint(1, 3)):
            turns.append({"role": "user", "content": f"{question(draw)} (case {number})"})
            turns.append({"role": "assistant", "content": answer(draw)})
        made.append([json.dumps(turns), str(draw.randint(10_000, 99_999) + number)])
    return CleanTable(
        Mapping(shape="chat", messages="messages"), ("messages", "ticket"), made, "chats"
    )


def make_classes(rows: int) -> CleanTable:
    draw = random.Random(6)
    made = []
    for number in range(rows):
        intent = list(INTENTS)[number % len(INTENTS)]
        text = draw.choice(INTENTS[intent]).format(
            day=f"{draw.randint(1, 28)} {draw.choice(('May', 'June', 'July', 'August', 'October'))}",
            name=f"{draw.choice('ABCDEFGHKLMNPRST')}. {draw.choice(('Berg', 'Lund', 'Moss', 'Reed', 'Stone'))}{number}",
            street=f"{draw.choice(('Mill', 'Church', 'Park', 'High', 'Lake'))} Street {number}",
            n=draw.randint(5, 900),
        )
        made.append(
            [f"{text} {draw.choice(('please', 'thanks', 'now', 'today', 'soon'))} {number}", intent]
        )
    mapping = Mapping(shape="classes", question="text", answer="label")
    return CleanTable(mapping, ("text", "label"), made, "classes")


def make_pairs(rows: int) -> CleanTable:
    draw = random.Random(7)
    made = []
    for number in range(rows):
        one, other = answer(draw, 3), answer(draw, 3)
        short, long = sorted((one, other), key=len)
        made.append([question(draw), *((long, short) if number % 2 else (short, long))])
    mapping = Mapping(shape="preference", question="prompt", chosen="chosen", rejected="rejected")
    return CleanTable(mapping, ("prompt", "chosen", "rejected"), made, "preferences")


def make_thumbs(rows: int) -> CleanTable:
    draw = random.Random(8)
    made = [
        [question(draw), answer(draw), draw.choice(("good", "good", "bad"))] for _ in range(rows)
    ]
    mapping = Mapping(shape="thumbs", question="prompt", answer="reply", rating="thumb")
    return CleanTable(mapping, ("prompt", "reply", "thumb"), made, "thumbs")


def make_texts(rows: int) -> CleanTable:
    draw = random.Random(9)
    made = [[" ".join(answer(draw) for _ in range(3))] for _ in range(rows)]
    return CleanTable(Mapping(shape="text", text="text"), ("text",), made, "texts")


def make_code(rows: int) -> CleanTable:
    draw = random.Random(10)
    made = []
    for _ in range(rows):
        name, other = (f"{draw.choice(DEEDS).split()[0]}_{draw.choice(PARTS)}" for _ in range(2))
        limit, step = draw.randint(2, 999), draw.randint(2, 99)
        body = draw.choice(
            (
                f"def {name}(items):\n    for item in items:\n        if item > {limit}:\n            yield item - {step}\n",
                f"function {name}({other}) {{\n  return {other}.map((x) => ({{ value: x * {step} }}));\n}}\n",
                f'<template>\n  <div v-if="{name}">{{{{ {other} }}}}</div>\n</template>\nconst {name} = {limit};\nexport default {other};\n',
                f"template <TYPE> class {other.title()} {{\n  TYPE value = {limit};\n  void {name}();\n}};\n",
            )
        )
        asked = f"Write {name} so that {draw.choice(CAUSES)} counts {limit} times and {other} {step} times."
        made.append([asked, f"```\n{body}```\n{answer(draw, 1)}" if draw.random() < 0.5 else body])
    return _pairs("code answers", made)


def make_gaps(rows: int) -> CleanTable:
    draw = random.Random(11)
    made = []
    for number in range(rows):
        name = f"{draw.choice(DEEDS).split()[0]}_{draw.choice(PARTS)}_{number}"
        before = f"# {answer(draw, 2)}\ndef {name}(left, right):\n    total = left * {number}\n"
        middle = f"    return total + right - {draw.randint(1, 9_999)}\n"
        made.append([before, middle, f"\n\nprint({name}({number}, {draw.randint(1, 99)}))\n"])
    mapping = Mapping(shape="middle", before="prefix", answer="middle", after="suffix")
    return CleanTable(mapping, ("prefix", "middle", "suffix"), made, "code with a gap")


def make_translations(rows: int) -> CleanTable:
    draw = random.Random(12)
    made = [[f"Translate into German: {answer(draw, 2)}", _german(draw, 2)] for _ in range(rows)]
    return _pairs("translations", made)


def make_sums(rows: int) -> CleanTable:
    """Every answer is short, and many come back."""
    draw = random.Random(13)
    made = []
    for number in range(rows):
        first, second = draw.randint(100, 9_999), draw.randint(10, 999)
        part, place = draw.choice(PARTS), draw.choice(PLACES)
        asked = (
            f"There are {first} {part}s in {place} and {second} are taken out in week {number}. "
            f"How many are left when {draw.choice(DEEDS)} costs one more?"
        )
        made.append([asked, str(first - second - 1)])
    return _pairs("sums", made)


def _numbered(rows: list[list[str]], form: str) -> list[list[str]]:
    """Every question once, as in a help desk where each has a number."""
    return [[f"{row[0]} {form.format(number)}", *row[1:]] for number, row in enumerate(rows, 101)]


def question(draw: random.Random) -> str:
    return draw.choice(OPENERS).format(**_slots(draw))


def answer(draw: random.Random, sentences: int = 0) -> str:
    count = sentences or draw.randint(2, 4)
    return " ".join(one.format(**_slots(draw)) for one in draw.sample(SAYINGS, count))


def _slots(draw: random.Random) -> dict[str, object]:
    part, other = draw.sample(PARTS, 2)
    deed, deed2 = draw.sample(DEEDS, 2)
    return {
        "part": part, "other": other, "deed": deed, "deed2": deed2, "sign": draw.choice(SIGNS),
        "cause": draw.choice(CAUSES), "place": draw.choice(PLACES),
        "number": draw.randint(2, 60), "total": draw.randint(61, 900),
    }  # fmt: skip


def _german(draw: random.Random, count: int) -> str:
    sentences = draw.sample(GERMAN, count)
    return " ".join(
        one.format(
            teil=draw.choice(TEILE), andere=draw.choice(TEILE), zeichen=draw.choice(ZEICHEN),
            ort=draw.choice(ORTE), zahl=draw.randint(2, 999),
        )
        for one in sentences
    )  # fmt: skip


def _chinese(draw: random.Random, forms: tuple[str, ...], count: int) -> str:
    return "".join(
        one.format(
            件=draw.choice(DEVICES),
            别=draw.choice(DEVICES),
            象=draw.choice(FAULTS),
            部=draw.choice(SITES),
            数=draw.randint(2, 99),
        )
        for one in draw.sample(forms, count)
    )


def _japanese(draw: random.Random, forms: tuple[str, ...], count: int) -> str:
    return "".join(
        one.format(
            件=draw.choice(KIKAI),
            別=draw.choice(KIKAI),
            象=draw.choice(KOSHO),
            部=draw.choice(BASHO),
            数=draw.randint(2, 99),
        )
        for one in draw.sample(forms, count)
    )


def _pairs(name: str, rows: list[list[str]]) -> CleanTable:
    mapping = Mapping(shape="question_answer", question="question", answer="answer")
    return CleanTable(mapping, ("question", "answer"), rows, name)
