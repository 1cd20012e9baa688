"""What is pressed on the Check screen: repairs, undo, other data, limits, words, the exam."""

from dataclasses import replace

from setup_check import CHOICES, EXAM, READING, ROWS, begin, do, show
from setup_nouns import PLACEHOLDERS, REPEATED

from tailor.engine.data_types import Mixing, MixPart
from tailor.recipes.limit_choices import LimitChoice
from tailor.ui.check_actions import MOST_ADDED_WORDS, MOST_OWN_QUESTIONS
from tailor.ui.services import Services
from tailor.ui.text_check import CheckText


def test_a_finding_shows_level_count_effect_and_examples_as_text(
    services: Services, engine
) -> None:
    some = replace(REPEATED, check="markup", title="Answers with markup", level="note", count=3)
    begin(services, engine, REPEATED, PLACEHOLDERS, some)
    rows = show(services)[ROWS]
    assert rows.index("Must be settled (1)") < rows.index("Worth a look (1)")
    # The title of one says how many; the other's does not, so it is added.
    assert "12 rows</span>" not in rows
    assert "3 rows</span>" in rows
    assert "If it stays: The model would learn them by heart." in rows
    assert "pump 3 is &lt;b&gt;loud&lt;/b&gt;" in rows
    assert 'data-send="fix:repeated:keep_first"' in rows


def test_a_fix_is_done_listed_and_undone(services: Services, engine) -> None:
    begin(services, engine, REPEATED)
    values = do(services, "fix:repeated:keep_first")
    assert engine.fixed == [("repeated", "keep_first", "")]
    assert "repeated was settled." in values[ROWS]
    assert "12 rows stand there twice" not in values[ROWS]
    assert "250 to learn from" in values[CHOICES]
    values = do(services, "undo")
    assert "12 rows stand there twice" in values[ROWS]
    assert "262 to learn from" in values[CHOICES]


def test_only_the_newest_fix_can_be_undone(services: Services, engine) -> None:
    begin(services, engine, REPEATED, PLACEHOLDERS)
    do(services, "fix:repeated:keep_first")
    rows = do(services, "fix:placeholders:fill_in", value=("Ada",))[ROWS]
    assert engine.fixed[-1] == ("placeholders", "fill_in", "Ada")
    assert rows.count('data-send="undo"') == 1
    assert rows.index("placeholders was settled.") < rows.index("repeated was settled.")


def test_a_refused_fix_says_why_where_it_was_pressed(services: Services, engine) -> None:
    begin(services, engine, PLACEHOLDERS)
    values = do(services, "fix:placeholders:fill_in", value=("refuse",))
    assert "This cannot stand there" in values[ROWS]
    assert "This cannot stand there" not in values[READING]
    again = do(services, "fix:placeholders:fill_in", value=("refuse",))
    # Drawn only when it differs: a second refusal must be drawn too.
    assert again[ROWS] != values[ROWS]


def test_personal_data_are_looked_for_on_request_only(services: Services, engine) -> None:
    begin(services, engine)
    assert "e-mail address" not in show(services)[ROWS]
    rows = do(services, "request:personal_data")[ROWS]
    assert "2 rows hold an e-mail address" in rows
    assert CheckText.PERSONAL_DONE in rows


def test_other_data_and_general_questions_are_mixed_in(services: Services, engine) -> None:
    begin(services, engine)
    other = engine.add_example()
    services.edit_draft("ada", "d2", dataset_id=other.id)
    assert "Maintenance notes (262 rows)" not in show(services)[ROWS]
    assert "Maintenance notes (262 rows)" in do(services, "mix_open")[ROWS]
    rows = do(services, "mix", **{f"part:{other.id}": ("0.5",), "general": ("20",)})[ROWS]
    first = services.draft("ada", "d1").dataset_id
    part = MixPart(dataset_id=other.id, weight=0.5)
    assert engine.dataset(first).mixing == Mixing(parts=(part,), general_share=0.2)
    assert "General questions" in rows
    assert '<option value="0.5" selected>' in rows
    do(services, "mix", **{f"part:{other.id}": ("0",), "general": ("0",)})
    assert engine.dataset(first).mixing == Mixing()


def test_a_share_that_is_no_share_is_none(services: Services, engine) -> None:
    dataset_id = begin(services, engine)
    for typed, kept in (("900", 0.5), ("nan", 0.0), ("-3", 0.0), ("many", 0.0), ("inf", 0.0)):
        do(services, "mix", general=(typed,))
        assert engine.dataset(dataset_id).mixing.general_share == kept


def cut_report(engine) -> None:
    def limit(tokens: int, cut: int, gib: int) -> LimitChoice:
        return LimitChoice(
            tokens=tokens,
            cut_rows=cut,
            memory_low_bytes=gib << 30,
            memory_high_bytes=gib << 30,
        )

    engine.report = replace(
        engine.report,
        max_length_tokens=512,
        cut_rows=7,
        long_row_ids=(3, 8, 21),
        limits=(limit(512, 7, 2), limit(1024, 2, 3), limit(1600, 0, 5)),
    )


def test_rows_that_are_cut_offer_higher_limits_with_their_price(services: Services, engine) -> None:
    begin(services, engine)
    services.edit_draft("ada", "d1", knobs=(("longest_row", "512"), ("passes", "3")))
    cut_report(engine)
    show(services)
    assert engine.rendered == [(512, ())]
    engine.finish_jobs()
    reading = show(services)[READING]
    assert "2 rows are longer still. It needs up to 1 GB more memory." in reading
    assert "Nothing is cut then. It needs up to 3 GB more memory." in reading
    # A limit that is no step of the choice is the automatic one: every row whole.
    assert 'data-send="limit:auto"' in reading
    do(services, "limit:1024")
    assert dict(services.draft("ada", "d1").knobs) == {"longest_row": "1024", "passes": "3"}
    assert engine.rendered[-1] == (1024, ())


def test_rows_that_are_cut_can_be_left_out(services: Services, engine) -> None:
    begin(services, engine)
    cut_report(engine)
    show(services)
    engine.finish_jobs()
    assert "Leave these 3 rows out" in show(services)[READING]
    do(services, "leave_long")
    assert engine.fixed == [("long_rows", "leave_out_rows", "3,8,21")]


def test_ticked_words_are_learned_whole_and_can_be_taken_out(services: Services, engine) -> None:
    begin(services, engine)
    show(services)
    engine.finish_jobs()
    assert "41 times, 4 pieces" in show(services)[READING]
    do(services, "words", word=("Radlager", "Dichtung"))
    assert services.draft("ada", "d1").added_words == ("Radlager", "Dichtung")
    assert engine.rendered[-1] == (0, ("Radlager", "Dichtung"))
    engine.finish_jobs()
    assert 'data-send="word_out:Radlager"' in show(services)[READING]
    do(services, "word_out:Radlager")
    assert services.draft("ada", "d1").added_words == ("Dichtung",)
    many = tuple(f"word{number}" for number in range(MOST_ADDED_WORDS + 1))
    assert CheckText.WORDS_MANY_TITLE in do(services, "words", word=many)[READING]


def test_own_questions_are_kept_with_the_draft_and_can_be_removed(
    services: Services, engine
) -> None:
    begin(services, engine)
    values = do(services, "add", question=(" What is <b>? ",), expected=(" a pump ",))
    own = services.draft("ada", "d1").own_questions
    assert own[0].messages[0].content == "What is <b>?"
    assert own[0].expected == "a pump"
    assert "What is &lt;b&gt;?" in values[EXAM]
    values = do(services, f"remove:{own[0].id}")
    assert services.draft("ada", "d1").own_questions == ()
    assert "What is" not in values[EXAM]


def test_a_refused_question_stays_in_its_field(services: Services, engine) -> None:
    begin(services, engine)
    values = do(services, "add", question=("  ",), expected=("a pump",))
    assert CheckText.OWN_EMPTY_TITLE in values[EXAM]
    assert ">a pump</textarea>" in values[EXAM]
    values = do(services, "add", question=("x" * 4001,))
    assert CheckText.OWN_LONG_TITLE in values[EXAM]
    for number in range(MOST_OWN_QUESTIONS):
        do(services, "add", question=(f"question {number}",))
    values = do(services, "add", question=("one more",))
    assert CheckText.OWN_TOO_MANY_TITLE in values[EXAM]
