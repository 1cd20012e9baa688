"""Every kind of planted defect, with the check that should find it and the fixes to try."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import planted_defects as plant
from clean_tables import (
    CleanTable,
    make_chats,
    make_chinese,
    make_classes,
    make_code,
    make_english,
    make_gaps,
    make_german,
    make_japanese,
    make_pairs,
    make_texts,
    make_thumbs,
)
from planted_defects import ROWS, Plant


@dataclass(frozen=True)
class Case:
    """One kind of defect in one kind of table."""

    name: str
    check: str
    make: Callable[[int], CleanTable]
    plant: Plant
    extra: tuple[str, ...] = ()
    fixes: tuple[tuple[str, str], ...] = ()
    """Fixes to apply and undo, each with what is typed."""

    def build(self) -> tuple[CleanTable, set[int]]:
        """The spoilt table and the ids of the rows that should be found."""
        table = self.make(ROWS)
        return table, self.plant(table, random.Random(self.name))


def cases() -> Iterator[Case]:
    """All of them."""
    out = ("leave_out", "")
    first = ("keep_first", "")
    for make in (make_english, make_chinese, make_chats, make_texts, make_gaps, make_classes):
        yield Case(
            f"repeated, {make.__name__[5:]}", "duplicates", make, plant.repeat, fixes=(first,)
        )
    for make in (make_english, make_german, make_chinese, make_japanese, make_texts):
        yield Case(
            f"nearly repeated, {make.__name__[5:]}",
            "near_duplicates",
            make,
            plant.almost_repeat,
            fixes=(first,),
        )
    yield Case(
        "two classes",
        "different_answers",
        make_classes,
        plant.two_classes,
        fixes=(("keep_majority", ""), first, out),
    )
    yield Case(
        "two answers", "different_answers", make_english, plant.two_answers, fixes=(first, out)
    )
    yield Case(
        "two answers, chinese", "different_answers", make_chinese, plant.two_answers, fixes=(out,)
    )
    yield Case("words for nothing", "empty", make_english, plant.nothing, fixes=(out,))
    yield Case("nothing at all", "empty", make_german, plant.blank)
    yield Case("nothing in classes", "empty", make_classes, plant.nothing_in_classes, fixes=(out,))
    yield Case("question repeated", "repeated_question", make_english, plant.echo, fixes=(out,))
    yield Case(
        "one answer", "one_answer", make_english, plant.one_answer, fixes=(("thin_out", ""),)
    )
    yield Case(
        "gaps", "placeholders", make_english, plant.gaps, fixes=(("fill_in:{{name}}", "Ada"), out)
    )
    yield Case(
        "gaps in chats",
        "placeholders",
        make_chats,
        plant.gaps,
        fixes=(("fill_in:[Your Name]", 'A "B"\nC'),),
    )
    yield Case("refusals", "refusals", make_english, plant.refusals, fixes=(out,))
    yield Case("refusals, chats", "refusals", make_chats, plant.refusals, fixes=(out,))
    yield Case(
        "personal data",
        "personal_data",
        make_english,
        plant.personal,
        ("personal_data",),
        (("replace", ""), out),
    )
    yield Case(
        "personal data, chats",
        "personal_data",
        make_chats,
        plant.personal,
        ("personal_data",),
        (("replace", ""),),
    )
    yield Case("secrets", "secrets", make_english, plant.secrets, fixes=(("replace", ""), out))
    yield Case("secrets in code", "secrets", make_code, plant.secrets, fixes=(("replace", ""),))
    for make in (make_english, make_german):
        yield Case(
            f"other script, {make.__name__[5:]}",
            "other_script",
            make,
            plant.chinese_answers,
            fixes=(out,),
        )
    yield Case(
        "other script, chinese", "other_script", make_chinese, plant.english_answers, fixes=(out,)
    )
    yield Case(
        "other language, english",
        "other_language",
        make_english,
        plant.german_answers,
        fixes=(out,),
    )
    yield Case(
        "other language, german", "other_language", make_german, plant.english_answers, fixes=(out,)
    )
    yield Case(
        "other language, texts", "other_language", make_texts, plant.german_answers, fixes=(out,)
    )
    yield Case(
        "damaged", "damaged_characters", make_german, plant.damage, fixes=(("repair", ""), out)
    )
    yield Case(
        "damaged, chats", "damaged_characters", make_chats, plant.damage, fixes=(("repair", ""),)
    )
    yield Case("html", "html", make_english, plant.html, fixes=(("strip", ""), out))
    yield Case("markdown tables", "markdown_tables", make_english, plant.markdown, fixes=(out,))
    yield Case("web addresses", "web_addresses", make_english, plant.addresses, fixes=(out,))
    yield Case(
        "small classes",
        "small_classes",
        make_classes,
        plant.small_classes,
        fixes=(("leave_out_small", ""),),
    )
    yield Case(
        "uneven classes", "class_balance", make_classes, plant.uneven, fixes=(("even_out", ""),)
    )
    yield Case("spellings", "class_spelling", make_classes, plant.spellings, fixes=(("merge", ""),))
    yield Case(
        "turns out of order",
        "chat_roles",
        make_chats,
        plant.disorder,
        fixes=(("put_in_order", ""), out),
    )
    yield Case("equal pairs", "same_pair", make_pairs, plant.equal_pairs, fixes=(out,))
    yield Case(
        "longer is better", "length_bias", make_pairs, plant.longer, fixes=(("even_out", ""),)
    )
    yield Case("one thumb", "one_rating", make_thumbs, plant.one_thumb)
    yield Case("short answers", "short_answers", make_english, plant.short, fixes=(out,))
    yield Case("long answers", "long_answers", make_english, plant.long, fixes=(out,))
    yield Case(
        "addressed to the model", "addressed_reader", make_english, plant.addressed, fixes=(out,)
    )
