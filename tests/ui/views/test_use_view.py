"""What can be taken along, and the code that loads it."""

import ast

import pytest

from tailor.engine.findings import Problem
from tailor.engine.types import ExportRecord, Job
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.views.use_view import (
    download_url,
    offers_for,
    offers_html,
    packages_words,
    python_snippet,
)


@pytest.fixture
def finished(make_run, make_result):
    return make_run(status="succeeded", result=make_result())


def export_of(kind, path="/runs/x/exports/merged"):
    return ExportRecord(run_id="r", kind=kind, path=path, bytes=269_000_000, words="")


def test_the_code_is_python_and_names_the_real_folder(finished):
    code = python_snippet(finished, ())
    ast.parse(code)
    assert '"/home/ada/.tailor/runs/run_20261130-kfpa/final"' in code
    assert 'base = "/models/smollm2-135m-instruct"' in code
    assert "PeftModel.from_pretrained" in code
    assert "peft" in packages_words(finished, ())


def test_once_merged_the_code_loads_the_whole_model(finished):
    code = python_snippet(finished, (export_of("merged"),))
    assert "/runs/x/exports/merged" in code
    assert "peft" not in code


def test_quotes_umlauts_and_emoji_in_a_question_keep_the_code_whole(make_run, make_result):
    text = "Say \"hi\" to Jörg\n🧵 \\ and 'quotes'"
    question = ExamQuestion(id="q", messages=(Message(role="user", content=text),), expected="")
    code = python_snippet(make_run(result=make_result(), exam=(question,)), ())
    tree = ast.parse(code)
    assert text in [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def test_what_is_not_made_says_what_it_will_need_and_what_is_made_can_be_downloaded(finished):
    html = offers_html(finished, offers_for(finished, (export_of("merged"),), None, ""))
    assert "needs about 20 MB of disk" in html
    assert "Ready: 257 MB" in html
    assert 'href="/download/run_20261130-kfpa/merged"' in html


def test_while_one_is_made_its_progress_shows_and_the_other_waits(finished):
    job = Job(id="j", owner="", kind="export", status="running", done=0.4, words="Merging.")
    html = offers_html(finished, offers_for(finished, (), job, "merged"))
    assert "Merging. 40%" in html
    assert 'aria-disabled="true"' in html


def test_a_failed_export_says_why_in_place_and_can_be_tried_again(finished):
    problem = Problem(title="The disk is full", detail="1 GB is missing.", fix="Free some.")
    job = Job(id="j", owner="", kind="export", status="failed", problem=problem)
    html = offers_html(finished, offers_for(finished, (), job, "merged"))
    assert "The disk is full" in html
    assert 'data-send="merged"' in html


def test_an_address_of_a_download_cannot_leave_its_place():
    assert download_url("../../etc", "a/b") == "/download/..%2F..%2Fetc/a%2Fb"
