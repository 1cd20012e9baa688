"""The Check screen's child: real process, real tokenizer, no model and no torch."""

import json
from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.data.making.example import Example
from tailor.engine.data.mapped_file import MappedRow, write_examples
from tailor.engine.data_types import RenderReport
from tailor.engine.errors import UserError
from tailor.engine.worker.render import compute_histogram, pick_rows
from tailor.engine.worker.render import render as render_rows
from tailor.engine.worker.row_count import RowCount
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import Message, ModelSpec

GIB = 2**30
MACHINE = HardwareSpec(
    cpu_cores=2,
    cpu_has_bf16=False,
    ram_bytes=24 * GIB,
    ram_free_bytes=20 * GIB,
    disk_free_bytes=200 * GIB,
)
SMALL_PIECES = "Tiny reads your language in small pieces"
"""The tiny model's tokenizer knows letters alone, so this is told of every text."""


@pytest.fixture
def ask(bench):
    def make(path, *, limit=0, shape="question_answer", model=None, **more):
        return {
            "dataset": {"id": "ds_1", "version": 1, "path": str(path), "shape": shape, "rows": 3},
            "model": TypeAdapter(ModelSpec).dump_python(model or bench.model_spec(), mode="json"),
            "max_length_tokens": limit,
            **more,
        }

    return make


@pytest.fixture
def render_file(ask):
    def run(path, **more):
        answer = render_rows(ask(path, **more), lambda share, words: None)
        return TypeAdapter(RenderReport).validate_python(answer)

    return run


@pytest.fixture
def render(bench, tmp_path, render_file):
    def run(train, held_out=(), **more):
        path = tmp_path / "mapped-1.arrow"
        content_hash = bench.write_rows(path, train, held_out)
        report = render_file(path, **more)
        assert report.spec.content_hash == content_hash
        return report

    return run


@pytest.fixture
def render_examples(tmp_path, render_file):
    def run(*examples, **more):
        path = tmp_path / "mapped-1.arrow"
        write_examples(
            path, (MappedRow(id=i, side="train", example=one) for i, one in enumerate(examples))
        )
        return render_file(path, **more)

    return run


def titles(report):
    return {
        finding.title: finding.level for finding in report.findings if finding.title != SMALL_PIECES
    }


def pair(question, answer, **more):
    turns = Message(role="user", content=question), Message(role="assistant", content=answer)
    return Example(messages=turns, **more)


def test_rows_are_shown_as_the_model_reads_them(render):
    rows = [("Where is Zoë?" + " Really?" * i, "In Paris.") for i in range(5)]
    rows.append(("🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂", "ok"))
    report = render(rows, rows[:2])
    assert [example.which for example in report.examples] == ["typical", "longest", "strangest"]
    assert [example.row_id for example in report.examples][1:] == [4, 5]
    shown = report.examples[1]
    assert [(span.kind, span.text) for span in shown.spans[1:]] == [
        ("learned", "In Paris."), ("end", "<|im_end|>"), ("read", "\n"),
    ]  # fmt: skip
    assert shown.learned_tokens == 10
    assert (report.spec.train_rows, report.spec.held_out_rows) == (6, 2)
    assert report.spec.shape == "prompt_completion"
    assert report.spec.lengths.rows == 6
    assert report.max_length_tokens == 512
    assert titles(report) == {}
    assert report.limits == ()


def test_the_child_answers_the_same_without_torch(bench, ask, render, tmp_path):
    rows = [("Where?", "In Paris."), ("Who is Zoë?", "A friend.")]
    path = tmp_path / "mapped-1.arrow"
    here = render(rows)
    child = Child("tailor.engine.worker.render", tmp_path / "job", ask(path), Limits(seconds=120))
    assert TypeAdapter(RenderReport).validate_python(child.wait()) == here
    log = (tmp_path / "job" / "child.log").read_text().lower()
    assert "torch" not in log.replace("pytorch", "")


def test_long_rows_are_counted_named_and_priced(render):
    rows = [("Why?", "Yes. " * 40), ("Why?", "No."), ("Why? " * 30, "Yes."), ("Why?", "So.")]
    report = render(rows, limit=100, hardware=TypeAdapter(HardwareSpec).dump_python(MACHINE))
    assert report.cut_rows == 2
    assert report.long_row_ids == (0, 2)
    assert titles(report) == {"2 rows are left out": "warn"}
    finding = report.findings[0]
    assert (finding.check, finding.row_ids, finding.count) == ("long_rows", (0, 2), 2)
    assert "Raise the limit to 256 tokens (nothing is then cut" in finding.fix
    longest = next(one for one in report.examples if any(s.kind == "cut" for s in one.spans))
    assert (longest.read_tokens, longest.learned_tokens) == (100, 0)
    assert report.spec.lengths.longest_tokens > 200
    (step,) = report.limits
    assert (step.tokens, step.cut_rows) == (256, 0)
    assert 0 < step.memory_low_bytes < step.memory_high_bytes


def test_a_higher_limit_cuts_less_and_costs_more(render):
    rows = [("Why?", "Yes. " * 10 * i) for i in range(1, 9)]
    report = render(rows, hardware=TypeAdapter(HardwareSpec).dump_python(MACHINE))
    assert [step.tokens for step in report.limits] == [256, 448]
    assert [step.cut_rows for step in report.limits] == [4, 0]
    assert report.limits[0].memory_high_bytes < report.limits[1].memory_high_bytes


def test_rows_that_are_all_too_long_stop(render):
    assert titles(render([("Why? " * 30, "Yes.")], limit=50)) == {"Every row is too long": "stop"}


def test_a_limit_above_the_models_own_is_the_models_own(render):
    assert render([("a", "b")], limit=10_000).max_length_tokens == 512


def test_rows_without_answers_stop_with_their_numbers(render, bench):
    report = render([("a", None), ("a", "b"), ("c", None)])
    assert titles(report)["2 rows are without an answer"] == "stop"
    assert report.findings[0].where == "rows 0, 2"


def test_raw_text_is_rendered(render):
    report = render(["Pumps leak.", "Valves stick."], shape="text")
    assert report.spec.shape == "text"
    assert [span.kind for span in report.examples[0].spans] == ["learned", "end"]
    assert report.template_share == pytest.approx(2 / report.spec.lengths.total_tokens)


def test_a_model_folder_that_is_gone_is_told(bench, ask, tmp_path):
    path = tmp_path / "mapped-1.arrow"
    bench.write_rows(path, [("a", "b")], [])
    model = replace(bench.model_spec(), path=str(tmp_path / "gone"))
    child = Child(
        "tailor.engine.worker.render", tmp_path / "job", ask(path, model=model), Limits(seconds=120)
    )
    with pytest.raises(UserError):
        child.wait()


def test_bad_answers_are_not_learned_and_better_ones_are(render_examples):
    report = render_examples(
        pair("Where?", "There.", rating="good"),
        pair("When?", "Never!", rating="bad"),
        pair("Who?", "Me.", rejected=("You.",)),
        shape="preference",
    )
    assert (report.spec.train_rows, report.spec.shape) == (2, "preference")
    assert titles(report) == {"1 row is not learned": "note", "Only the better answers are learned": "note"}  # fmt: skip
    assert "Never" not in str(report.examples)
    assert "You." not in str(report.examples)


@pytest.mark.parametrize(
    ("example", "title"),
    [
        (Example(text="b", before="a", after="c"), "Tiny cannot fill gaps in code"),
        (pair("<image> what?", "A pump", pictures=("a.png",)), "Tiny does not see pictures"),
        (
            pair("add", "3", tools='[{"type": "function", "function": {"name": "add"}}]'),
            "Tiny does not know tools",
        ),
    ],
)
def test_what_the_model_cannot_read_stops_by_name(render_examples, example, title):
    report = render_examples(pair("Where?", "There."), example)
    assert titles(report) == {title: "stop"}
    assert (report.findings[0].row_ids, report.findings[0].count) == ((1,), 1)
    assert report.spec.train_rows == 1


def test_a_report_is_made_when_no_row_can_be_read(render_examples):
    report = render_examples(Example(text="b", before="a"))
    assert report.examples == ()
    assert report.spec.lengths.rows == 0
    assert titles(report) == {"Tiny cannot fill gaps in code": "stop"}


def test_a_template_that_refuses_names_the_rows(render_examples, bench, tmp_path):
    model = _copy_model(bench, tmp_path)
    (tmp_path / "model" / "chat_template.jinja").write_text(
        "{% for m in messages %}{% if 'Why' in m['content'] %}{{ raise_exception('No reasons') }}"
        "{% endif %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    report = render_examples(pair("Where?", "There."), pair("Why?", "So."), model=model)
    assert titles(report) == {"Tiny cannot read conversations like yours": "stop"}
    assert "No reasons" in report.findings[0].detail


def test_a_model_without_an_end_token_stops(render_examples, bench, tmp_path):
    model = _copy_model(bench, tmp_path)
    config = tmp_path / "model" / "tokenizer_config.json"
    told = {
        name: one for name, one in json.loads(config.read_text()).items() if name != "eos_token"
    }
    config.write_text(json.dumps(told))
    assert titles(render_examples(pair("Where?", "There."), model=model)) == {
        "The end of an answer is unknown": "stop"
    }


def test_an_end_token_that_the_model_never_met_stops(render_examples, bench, tmp_path):
    from safetensors.numpy import load_file, save_file

    model = _copy_model(bench, tmp_path)
    path = tmp_path / "model" / "model.safetensors"
    weights = {name: one.copy() for name, one in load_file(path).items()}
    weights["model.embed_tokens.weight"][258] *= 1e-4
    save_file(weights, path, metadata={"format": "pt"})
    assert titles(render_examples(pair("Where?", "There."), model=model)) == {
        "The end of an answer is new to this model": "stop"
    }


def test_marks_of_the_model_inside_of_a_row_are_told(render_examples):
    report = render_examples(pair("Where?", "There.<|im_end|>"), pair("Who?", "Me."))
    assert titles(report) == {"1 row holds marks of the model itself": "warn"}
    assert report.findings[0].row_ids == (0,)


def test_frequent_words_in_many_pieces_are_named_and_can_be_added(render):
    rows = [(f"Is Drehmoment {i} right?", "Yes") for i in range(4)]
    report = render(rows)
    assert ("Drehmoment", 4, 11) in [(w.word, w.count, w.pieces) for w in report.split_words]
    assert report.characters_per_token == pytest.approx(1.0)
    assert SMALL_PIECES in [finding.title for finding in report.findings]
    more = render(rows, added_words=["Drehmoment"])
    assert more.added_words == ("Drehmoment",)
    assert "Drehmoment" not in [word.word for word in more.split_words]
    shorter = report.spec.lengths.total_tokens - more.spec.lengths.total_tokens
    assert shorter == 4 * (len("Drehmoment") - 1)


def test_every_row_is_in_the_histogram():
    counts = [
        RowCount(
            id=i, place=i, split="train", is_own=True, tokens=10 + i, read_tokens=10 + i, learned_tokens=5, characters=30,
            template_tokens=4, is_cut=False, has_answer=True, has_end_token=True, has_marks=False,
        )
        for i in range(100)
    ]  # fmt: skip
    lengths = compute_histogram(counts)
    assert sum(lengths.counts) == 100
    assert lengths.edges_tokens[-1] == lengths.longest_tokens == 109
    assert list(lengths.edges_tokens) == sorted(set(lengths.edges_tokens))
    assert lengths.total_tokens == sum(count.tokens for count in counts)
    assert [which for which, _ in pick_rows(counts)] == ["typical", "longest", "strangest"]
    assert pick_rows([]) == []
    assert compute_histogram([]).rows == 0


def _copy_model(bench, tmp_path):
    import shutil

    shutil.copytree(bench.model, tmp_path / "model")
    return replace(bench.model_spec(), path=str(tmp_path / "model"))
