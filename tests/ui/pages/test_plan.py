"""The Plan screen: the promise follows every choice, and Start submits what was promised."""

import time
from dataclasses import replace

import gradio as gr
import pytest

from tailor.engine.data_types import DatasetRecord, Mapping, RenderReport
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.types import Draft, Job, ModelRecord
from tailor.recipes.catalog import recipes
from tailor.ui.pages import plan as page
from tailor.ui.services import REPORT, Services
from tailor.ui.views.run_spec import to_run_spec

KNOBS, RECIPE, COSTS, TOKEN = range(4)
CARD, CHECKS, WORDS, SETTINGS, YAML, BUTTON, HINT, TIMER, STAMP = range(9)


@pytest.fixture
def engine(make_run, make_engine):
    run = make_run()
    engine = make_engine(run)
    rows = run.spec.dataset
    report = RenderReport(
        model_id=run.spec.model.id, dataset_id=rows.id, version=1, max_length_tokens=256,
        examples=(), spec=rows, cut_rows=0, findings=(),
    )  # fmt: skip
    engine.jobs["job_rows"] = Job(
        id="job_rows", owner="ada", kind="render", status="done",
        answer=REPORT.dump_json(report).decode(),
    )  # fmt: skip
    engine.kept_draft = Draft(
        id="draft1", owner="ada", revision=1, title="Notes", goal="format",
        dataset_id=rows.id, model_id=run.spec.model.id,
    )  # fmt: skip
    engine.rows = DatasetRecord(
        id=rows.id, owner="ada", title="notes.csv", status="ready", version=1,
        mapping=Mapping(shape="question_answer"), exam=run.spec.exam,
    )  # fmt: skip
    engine.findings = ()
    engine.submitted = []
    engine.render = lambda dataset_id, model_id, **asked: engine.jobs["job_rows"]
    engine.dataset = lambda dataset_id: engine.rows
    engine.models = lambda: (
        ModelRecord(
            id=run.spec.model.id, spec=run.spec.model, name="SmolLM2", is_ready=True, words=""
        ),
    )
    engine.preflight = lambda spec: engine.findings

    def submit(spec, *, idempotency_id):
        engine.submitted.append((spec, idempotency_id))
        return run

    engine.submit = submit
    return engine


@pytest.fixture
def services(engine, tmp_path):
    return Services(tmp_path, lambda home, owner: engine)


def test_opening_shows_knobs_in_words_the_promise_and_a_start_with_clock_times(services, engine):
    sent = page.enter(services, "ada", engine.kept_draft)
    for knob in recipes()[0].knobs:
        assert knob.title in sent[KNOBS]
    assert all(recipe.title in sent[RECIPE] for recipe in recipes())
    answer = sent[4:]
    assert "What this run will need" in answer[CARD]
    assert answer[BUTTON].value.startswith("Start: done ")
    assert answer[BUTTON].interactive
    assert "recipe: sft_lora" in answer[YAML]
    assert not answer[TIMER].active


def test_every_choice_of_every_recipe_gives_a_promise_at_once(services, engine):
    seconds = []
    for recipe in recipes():
        page.choose_recipe(services, "ada", "draft1", recipe.id)
        for knob in recipe.knobs:
            for choice in knob.choices:
                began = time.process_time()
                answer = page.choose_knobs(services, "ada", "draft1", [f"{knob.id}={choice.value}"])
                seconds.append(time.process_time() - began)
                assert "What this run will need" in answer[CARD]
                assert (knob.id, choice.value) in engine.kept_draft.knobs
    # Work of this process, not the clock, which others on this computer keep busy; 0.01 is usual.
    assert sorted(seconds)[len(seconds) // 2] < 0.5


def test_a_knob_of_another_recipe_is_left_out_when_the_recipe_changes(services, engine):
    engine.kept_draft = replace(engine.kept_draft, knobs=(("made_up", "value"),))
    page.choose_recipe(services, "ada", "draft1", "sft_full")
    assert engine.kept_draft.knobs == ()
    assert engine.kept_draft.recipe == "sft_full"


def test_while_the_rows_are_measured_it_waits_and_asks_again(services, engine):
    done = engine.jobs["job_rows"]
    engine.jobs["job_rows"] = replace(done, status="running", answer="", words="Reading row 90.")
    answer = page.enter(services, "ada", engine.kept_draft)[4:]
    assert "Reading row 90." in answer[CARD]
    assert answer[TIMER].active
    assert not answer[BUTTON].interactive
    with pytest.raises(UserError, match="not possible yet"):
        page.before_run(services, "ada", "draft1", "token")
    engine.jobs["job_rows"] = done
    answer = page.promise(services, "ada", engine.kept_draft)
    assert "What this run will need" in answer[CARD]
    assert answer[BUTTON].interactive


def test_start_submits_what_the_card_was_made_for_and_a_double_click_is_one_run(services, engine):
    page.before_run(services, "ada", "draft1", "token")
    page.before_run(services, "ada", "draft1", "token")
    (spec, first), (_, second) = engine.submitted
    draft = replace(engine.kept_draft, run_id="", step=0)
    expected = to_run_spec(draft, spec.dataset, spec.model, engine.rows.exam)
    assert spec == expected
    assert first == second
    assert engine.kept_draft.run_id == engine.known.id
    page.before_run(services, "ada", "draft1", "another visit")
    assert engine.submitted[2][1] != first


def test_a_stop_finding_blocks_start_and_is_shown_before(services, engine):
    engine.findings = (
        Finding(level="stop", title="The disk is full", detail="1 GB is missing.", fix="Free it."),
    )
    answer = page.promise(services, "ada", engine.kept_draft)
    assert "The disk is full" in answer[CHECKS]
    assert not answer[BUTTON].interactive
    with pytest.raises(UserError, match="The disk is full"):
        page.before_run(services, "ada", "draft1", "token")
    assert engine.submitted == []


def test_rows_that_this_model_cannot_learn_from_block_start(services, engine):
    stop = Finding(level="stop", title="SmolLM2 does not know tools", detail="", fix="Choose one.")
    job = engine.jobs["job_rows"]
    report = replace(REPORT.validate_json(job.answer), findings=(stop,))
    engine.jobs["job_rows"] = replace(job, answer=REPORT.dump_json(report).decode())
    answer = page.promise(services, "ada", engine.kept_draft)
    assert "SmolLM2 does not know tools" in answer[CHECKS]
    assert not answer[BUTTON].interactive
    with pytest.raises(UserError, match="SmolLM2 does not know tools"):
        page.before_run(services, "ada", "draft1", "token")
    assert engine.submitted == []


@pytest.mark.parametrize(
    ("missing", "title"),
    [({"dataset_id": ""}, "no examples yet"), ({"model_id": ""}, "No model is chosen")],
)
def test_what_is_missing_is_told_with_the_way_back(services, engine, missing, title):
    answer = page.promise(services, "ada", replace(engine.kept_draft, **missing))
    assert title in answer[CARD]
    assert not answer[BUTTON].interactive


def test_a_model_that_was_moved_away_is_told(services, engine):
    engine.models = lambda: ()
    answer = page.promise(services, "ada", engine.kept_draft)
    assert "not on this computer" in answer[CARD]


def test_a_project_of_a_recipe_that_is_gone_says_so(services, engine):
    with pytest.raises(UserError, match="sft_gone"):
        page.enter(services, "ada", replace(engine.kept_draft, recipe="sft_gone"))


def test_a_tick_without_a_project_changes_nothing(services):
    sent = page.on_wait(services, "", gr.Request())
    assert not sent[TIMER].active
