"""Home to Results by hand: upload, check, plan, a real training, a reload, a killed wizard, the proof."""

import csv
import re
import time
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLACES = ("hall", "dock", "yard", "lab", "store")
THINGS = ("pump", "fan", "door", "lamp", "valve", "belt", "lift", "gate")
CURVE_POINTS = "document.querySelector('.chart-plot')?.data?.[0].x.length ?? 0"
TRAINING_MINUTES = 8 * 60_000


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Forty notes and their short form, as somebody's spreadsheet would export them."""
    path = tmp_path / "shift notes.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["note", "form"])
        for place in PLACES:
            for thing in THINGS:
                writer.writerow(
                    [
                        f"the {thing} in the {place} is broken again",
                        f"{place.upper()} | {thing} | repair",
                    ]
                )
    return path


def go_on(page, name: str | re.Pattern[str], title: str, timeout: float = 60_000) -> None:
    """Press the screen's one button and wait for the next question."""
    button = page.get_by_role("button", name=name).locator("visible=true")
    expect(button).to_be_enabled(timeout=timeout)
    button.click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_home_to_results_with_a_real_training_a_reload_and_a_killed_wizard(
    app, browser_page, notes, capsys
):
    page = browser_page
    page.goto(app.link)
    page.get_by_role("link", name="New project").click()
    page.get_by_text("Follow a format, fill in fields").click()
    go_on(page, re.compile("Continue"), "Show us your examples")
    page.locator("input[type=file]").set_input_files(notes)
    go_on(page, "Yes, this is right", "Is it ready?", timeout=60_000)
    shown = page.get_by_text(re.compile("the .+ in the .+ is broken again")).locator("visible=true")
    expect(shown.first).to_be_visible(timeout=90_000)
    go_on(page, re.compile("Continue with"), "Which model should learn?", timeout=90_000)
    page.get_by_text("SmolLM2 135M Instruct").locator("visible=true").first.click()
    go_on(page, re.compile("Continue"), "How strongly should it learn?")
    go_on(page, re.compile("Start: done"), "How is it going?", timeout=60_000)

    page.wait_for_function(f"{CURVE_POINTS} >= 2", timeout=TRAINING_MINUTES)
    address = page.url
    assert "run=" in address
    page.reload()
    page.wait_for_function(f"{CURVE_POINTS} >= 2")

    seen = page.evaluate(CURVE_POINTS)
    app.kill()
    app.start()
    returned = time.monotonic()
    page.goto(address)
    page.wait_for_function(f"{CURVE_POINTS} >= {seen}")
    assert page.url == address
    with capsys.disabled():
        print(f"\nthe whole curve is back {time.monotonic() - returned:.1f} s after the restart")

    see_results = page.get_by_role("button", name="See results").locator("visible=true")
    expect(see_results).to_be_visible(timeout=TRAINING_MINUTES)
    run_id = re.search(r"run=(\w+-\w+)", address).group(1)
    run = app.client.run(run_id)
    assert run.status == "succeeded"
    told = app.client.series(run_id, names=("loss/train",)).traces[0]
    assert told.steps == tuple(range(1, run.progress.steps + 1))
    see_results.click()
    expect(
        page.get_by_text(re.compile(r"\d+ of \d+")).locator("visible=true").first
    ).to_be_visible()
    assert run.result.score_after > run.result.score_before


def serious_faults(axe, page, options) -> list[str]:
    """What axe-core calls serious or critical on the open page."""
    return [
        f"{page.url.split('/', 3)[3]}: {one['id']}: {node['html'][:120]}"
        for one in axe.run(page, options=options).response["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


FILLED = """() => [...document.querySelectorAll('h1')].some(node => node.offsetParent)
  && ![...document.querySelectorAll('.waiting')].some(node => node.offsetParent)"""
"""A question stands there and nothing is being waited for any more."""


@pytest.mark.parametrize(
    ("scheme", "options"),
    # The dark look changes colours alone, so only they are looked at again.
    [("light", {}), ("dark", {"runOnly": ["color-contrast"]})],
)
def test_no_screen_has_a_serious_accessibility_fault(app, chromium, axe, scheme, options):
    """Every screen as the journey above has left it, with a draft and a finished run."""
    run = app.client.runs()[0]
    draft = app.client.drafts()[0]
    context = chromium.new_context(
        color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1280, "height": 900}
    )
    page = context.new_page()
    page.goto(app.link)
    origin = page.url.split("?")[0]
    places = [f"project?draft={draft.id}&step={step}" for step in range(5)]
    places += [f"project?run={run.id}&step={step}" for step in (5, 6, 7)]
    faults = []
    for place in ("", *places):
        page.goto(f"{origin}{place}")
        page.wait_for_function(FILLED, timeout=60_000)
        faults += serious_faults(axe, page, options)
    context.close()
    assert faults == []
