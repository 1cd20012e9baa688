"""The Run and Results screens in a real browser, driven by a fake worker's events."""

import math
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from tailor.engine.types import DiaryLine
from tailor.ui.services import Services
from tailor.ui.site import build_site
from tailor.ui.start_link import HOST, take_port

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    # Gradio says it whenever an app of several pages is mounted, whatever was asked for.
    pytest.mark.filterwarnings("ignore:SSR mode is not supported"),
    # Gradio 6.31 counts its own events with options that pandas 3 calls deprecated.
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting' is deprecated"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]

RUN = "run_20261130-kfpa"
NAUGHTY = (
    '<img src=x onerror="window.hit=1"> ${window.hit=2} {{constructor.constructor("window.hit=3")'
    "()}} <script>window.hit=4</script> <thinking>$$x$$</thinking> ![p](http://127.0.0.1:9/p.png)"
)
LAST_POINT = "document.querySelector('.chart-plot')?.data?.[0].x.at(-1)"
STRIP_END = (
    "(strip => strip.scrollWidth - strip.clientWidth - strip.scrollLeft)"
    "(document.querySelector('.film-strip'))"
)
ZOOM = "document.querySelector('.chart-plot').layout.xaxis.range.join()"


LATE_END = """
const ask = window.fetch;
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (!String(asked[0]?.url ?? asked[0]).includes('/queue/data')) { return answer; }
  const late = new TransformStream({async transform(piece, out) {
    const isEnd = new TextDecoder().decode(piece).includes('close_stream');
    if (isEnd) { await new Promise(go => setTimeout(go, 2500)); }
    out.enqueue(piece);
  }});
  return new Response(answer.body.pipeThrough(late), {
    status: answer.status, headers: answer.headers,
  });
};
"""
"""The end of the page's stream comes late, so the next tick asks while nobody listens."""

ALLOWED_LAG_SECONDS = 20.0
"""Under 2 are wanted, and printed; on a computer that others keep busy it may take longer."""


class EngineOfTheTest:
    """Stands for whichever engine the running test has made: building a site takes seconds."""

    def __init__(self, wizard) -> None:
        self._wizard = wizard

    def __getattr__(self, name):
        return getattr(self._wizard.engine, name)


class Wizard:
    """A wizard of a fake engine, that can be stopped and started again at the same address."""

    def __init__(self, home) -> None:
        self._home = home
        self.engine = None
        self.start()

    def start(self) -> None:
        link, listening, _ = take_port(self._home, 0)
        self.sign_in = link.address(run_id=RUN)
        self.address = f"{link.origin}/project?run={RUN}"
        site = build_site(
            Services(self._home, lambda home, owner: EngineOfTheTest(self)),
            hosts=(f"{HOST}:{link.port}",),
            tokens={link.token: "ada"},
        )
        config = uvicorn.Config(site, log_level="error", ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        run = lambda: self._server.run(sockets=[listening])  # noqa: E731
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=30)


@pytest.fixture
def engine(make_run, make_engine):
    engine = make_engine(make_run(started_at=time.time() - 150))
    for name in ("load", "prepare", "rehearsal"):
        engine.tell_phase(name)
    engine.tell_answers(0, "The pump is leaking.", NAUGHTY, "I am sorry", ended=False)
    engine.tell_phase("train")
    for step in range(1, 43):
        engine.tell_metric(step, train=3.5 * math.exp(-step / 20) + 0.4)
        if step % 6 == 0:
            engine.tell_metric(step, held_out=3.4 * math.exp(-step / 18) + 0.6)
            engine.tell_answers(step, "P3 | leak", NAUGHTY + " x", "F7 | noise", score=0.5)
    engine.lines = [DiaryLine(at=time.time(), words=NAUGHTY, level="care")]
    return engine


@pytest.fixture(scope="module")
def served(chromium: Browser, tmp_path_factory) -> Iterator[Wizard]:
    # After the browser, so that it goes first: open pages would hold the server at its end.
    wizard = Wizard(tmp_path_factory.mktemp("home"))
    yield wizard
    wizard.stop()


@pytest.fixture
def wizard(served: Wizard, engine) -> Wizard:
    served.engine = engine
    return served


@pytest.fixture
def page(chromium: Browser, wizard) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    opened = context.new_page()
    opened.goto(wizard.sign_in)
    opened.wait_for_function(f"{LAST_POINT} === 42")
    yield opened
    context.close()


def zoom_in(page: Page) -> str:
    area = page.locator(".chart-plot .nsewdrag")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 100, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 60, steps=5)
    page.mouse.up()
    before = ZOOM
    page.wait_for_function(f"!{before}.startsWith('0,')")
    return page.evaluate(ZOOM)


def test_a_new_point_shows_within_two_seconds_and_zoom_and_place_survive_five_of_them(
    page, engine, capsys
):
    zoomed = zoom_in(page)
    page.evaluate("window.kept = document.querySelector('.chart-plot')")
    strip = page.locator(".film-strip")
    page.wait_for_function(f"{STRIP_END} < 4")
    strip.hover()
    page.mouse.wheel(-10_000, 0)
    page.wait_for_function("document.querySelector('.film-strip').scrollLeft === 0")
    lags = []
    for step in range(43, 48):
        told = time.monotonic()
        engine.tell_metric(step, train=1.0)
        engine.tell_answers(step, "q", "r", "s")
        page.wait_for_function(f"{LAST_POINT} === {step}")
        lags.append(time.monotonic() - told)
        assert page.evaluate(ZOOM) == zoomed
    assert page.evaluate("window.kept === document.querySelector('.chart-plot')")
    assert page.evaluate("document.querySelector('.film-strip').scrollLeft") == 0
    page.mouse.wheel(10_000, 0)
    page.wait_for_function(f"{STRIP_END} < 4")
    engine.tell_answers(48, "q", "r", "s")
    expect(strip).to_contain_text("Step 48")
    page.wait_for_function(f"{STRIP_END} < 4")
    with capsys.disabled():
        print(f"\na new point shows after {sorted(lags)[2]:.2f} s, at most {max(lags):.2f} s")
    assert sorted(lags)[2] < ALLOWED_LAG_SECONDS


def test_what_models_and_people_wrote_is_shown_and_never_run(page, engine):
    expect(page.locator(".diary")).to_contain_text("<thinking>$$x$$</thinking>")
    expect(page.locator(".film-strip")).to_contain_text("${window.hit=2} {{constructor")
    assert page.evaluate("window.hit") is None


def test_two_viewers_both_follow_and_a_reload_shows_the_whole_curve(page, wizard, engine):
    second = page.context.new_page()
    second.goto(wizard.address)
    engine.tell_metric(50, train=0.9)
    for viewer in (page, second):
        viewer.wait_for_function(f"{LAST_POINT} === 50")
    page.reload()
    page.wait_for_function(f"{LAST_POINT} === 50")
    assert page.evaluate("document.querySelector('.chart-plot').data[0].x.length") == 43


def test_a_restarted_wizard_goes_on_in_the_open_page(page, wizard, engine):
    wizard.stop()
    wizard.start()
    engine.known = replace(engine.known, progress=replace(engine.known.progress, step=77))
    engine.tell_metric(77, train=0.5)
    expect(page.get_by_text("Step 77 of 120")).to_be_visible()
    page.wait_for_function(f"{LAST_POINT} === 77")


def test_a_tick_whose_answer_found_no_listener_does_not_stop_the_page(chromium, wizard, engine):
    # Gradio 6.31: the server ends the stream when all is told; what is asked before the page has
    # read that end has no stream, and a timer that waits for an answer does not tick again.
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    context.add_init_script(LATE_END)
    page = context.new_page()
    page.goto(wizard.sign_in)
    page.wait_for_function(f"{LAST_POINT} === 42")
    for step in range(43, 46):
        engine.tell_metric(step, train=0.9)
        page.wait_for_function(f"{LAST_POINT} === {step}")
    context.close()


def test_discarding_asks_once_and_finishing_shows_the_results(page, engine, make_result):
    page.get_by_role("button", name="Stop and discard").click()
    expect(page.get_by_text("42 steps")).to_be_visible()
    page.get_by_role("button", name="No, go on").click()
    expect(page.get_by_role("button", name="Yes, discard it")).to_be_hidden()
    page.get_by_role("button", name="Finish and keep").click()
    expect(page.get_by_text("Saving what it learned.")).to_be_visible()
    engine.known = replace(
        engine.known, status="succeeded", result=make_result(), ended_at=time.time()
    )
    page.get_by_role("button", name="See results").click()
    expect(page.get_by_role("heading", name="Is it good enough to use?")).to_be_visible()
    expect(page.locator(".answers-table")).to_contain_text("<thinking>")
    page.get_by_label("Your question").fill("Is it oil?")
    page.get_by_role("button", name="Ask both models").click()
    expect(page.get_by_text("The first answer takes longer")).to_be_visible()
    engine.finish("job_0", NAUGHTY, "P3 | leak | seal | done")
    expect(page.locator(".turn")).to_contain_text("P3 | leak | seal | done")
    expect(page.locator(".turn")).to_contain_text("<thinking>$$x$$</thinking>")
    page.get_by_role("button", name="Use this model").click()
    expect(page.get_by_text("PeftModel.from_pretrained").first).to_be_visible()
    assert page.evaluate("window.hit") is None


def test_no_screen_scrolls_sideways_on_a_phone(chromium, wizard, engine, make_result):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    context.set_default_timeout(60_000)
    phone = context.new_page()
    phone.goto(wizard.sign_in)
    phone.wait_for_function(f"{LAST_POINT} === 42")
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert phone.evaluate(wide) <= 0
    engine.known = replace(engine.known, status="succeeded", result=make_result())
    for step, landmark in ((6, ".answers-table"), (7, ".offers")):
        phone.goto(f"{wizard.address}&step={step}")
        expect(phone.locator(landmark)).to_be_visible()
        assert phone.evaluate(wide) <= 0
    context.close()
