"""The Check screen's child: real process, real tokenizer, no model and no torch."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.data_types import RenderReport
from tailor.engine.errors import UserError
from tailor.engine.worker.render import compute_histogram, pick_rows
from tailor.engine.worker.render_findings import RowCount
from tailor.recipes.spec import ModelSpec


@pytest.fixture
def render(bench, tmp_path):
    def run(train, held_out=(), *, limit=0, shape="question_answer", model=None):
        path = tmp_path / "mapped-1.arrow"
        content_hash = bench.write_rows(path, train, held_out)
        request = {
            "dataset": {"id": "ds_1", "version": 1, "path": str(path), "shape": shape, "rows": 3},
            "model": TypeAdapter(ModelSpec).dump_python(model or bench.model_spec(), mode="json"),
            "max_length_tokens": limit,
        }
        child = Child("tailor.engine.worker.render", tmp_path / "job", request, Limits(seconds=120))
        report = TypeAdapter(RenderReport).validate_python(child.wait())
        assert report.spec.content_hash == content_hash
        assert "torch" not in (tmp_path / "job" / "child.log").read_text().lower().replace(
            "pytorch", ""
        )
        return report

    return run


def titles(report):
    return {finding.title: finding.level for finding in report.findings}


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
    assert report.findings == ()


def test_long_rows_are_counted_and_shown_cut(render):
    report = render([("Why?", "Yes. " * 40), ("Why?", "No."), ("Why? " * 30, "Yes.")], limit=100)
    assert report.cut_rows == 2
    assert titles(report) == {"1 row is left out": "warn", "1 row is cut": "warn"}
    longest = next(one for one in report.examples if any(s.kind == "cut" for s in one.spans))
    assert longest.read_tokens + longest.learned_tokens == 100
    assert report.spec.lengths.longest_tokens == 100


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


def test_a_model_folder_that_is_gone_is_told(render, bench, tmp_path):
    model = replace(bench.model_spec(), path=str(tmp_path / "gone"))
    with pytest.raises(UserError):
        render([("a", "b")], model=model)


def test_every_row_is_in_the_histogram():
    counts = [
        RowCount(
            id=i, split="train", tokens=10 + i, learned_tokens=5, characters=30, is_cut=False,
            has_answer=True, has_end_token=True,
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
