"""Home to Model in a real browser, over the real guard, with an engine kept in memory."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from served_wizard import TOKEN, served_wizard

from tailor.ui.services import Services

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def site(services: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The guarded wizard on a free port of loopback."""
    with served_wizard(services, monkeypatch) as origin:
        yield origin


@pytest.mark.parametrize("width", [390, 1280])
def test_the_way_from_home_to_the_model(
    site: str, chromium, engine, tmp_path: Path, width: int
) -> None:
    page = chromium.new_context(viewport={"width": width, "height": 844}).new_page()
    page.set_default_timeout(60_000)
    asked: list[str] = []
    dialogs: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto(f"{site}/?token={TOKEN}")
    page.get_by_role("link", name="New project").click()
    page.get_by_role("radio", name="Follow a format").check()
    page.get_by_role("button", name="Continue to your examples").click()
    rows = tmp_path / "shift notes <b>.csv"
    rows.write_text("note,form\na,b\n")
    page.locator("input[type=file]").set_input_files(str(rows))
    page.get_by_text("Reading shift notes").wait_for()
    engine.finish_reading()
    page.get_by_role("button", name="Yes, this is right").wait_for()
    assert page.get_by_text("<img src=x onerror=alert(1)>").first.inner_text()
    no_sideways_scroll(page)
    page.reload()
    page.get_by_role("button", name="Yes, this is right").click()
    page.get_by_role("heading", name="Is it ready?").wait_for()
    wait_for_job(engine)
    engine.finish_jobs()
    page.get_by_role("button", name="Continue with 262 rows").click()
    page.get_by_role("radio", name="SmolLM2").check()
    page.get_by_role("button", name="Continue to the plan").wait_for()
    no_sideways_scroll(page)
    assert dialogs == []
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []
    saved = next(iter(engine.kept.values()))
    assert saved.model_id == "smollm2-135m-instruct"
    assert saved.goal == "format"


def no_sideways_scroll(page) -> None:
    """The page never scrolls sideways; tables scroll in their own frame."""
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(width) <= 0


def wait_for_job(engine) -> None:
    """The reading job was asked for."""
    deadline = time.monotonic() + 30
    while not engine.jobs:
        assert time.monotonic() < deadline
        time.sleep(0.05)
