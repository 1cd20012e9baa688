"""Takes a picture of every screen, light and dark, wide and narrow, and joins them to one sheet.

A look is judged on the whole family of screens and on real content, so this starts the real wizard
in a folder of its own, trains the starter model for a minute on forty rows and photographs what a
person sees on the way. `make screens` runs it; the pictures land in `screens/`.
"""

import csv
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tailor.engine.child import child_environment
from tailor.engine.client import EngineClient
from tailor.recipes.examples.catalog import get_example

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "screens"
LOOKS = tuple((width, scheme) for width in (1280, 390) for scheme in ("light", "dark"))
THUMB_WIDTH = 320
MINUTE = 60_000
IS_FILLED = """() => [...document.querySelectorAll('h1')].some(node => node.offsetParent)
  && ![...document.querySelectorAll('.waiting')].some(node => node.offsetParent)"""
"""A question stands there and nothing is being waited for any more."""


def main(starter: Path, chromium: str) -> int:
    """Walk through the wizard once, photographing; then join the pictures."""
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        home = Path(folder) / "home"
        shutil.copytree(starter, home / "models" / starter.name)
        rows = _forty_rows(Path(folder))
        quiet = ["--no-sandbox", "--disable-quic", "--disable-background-networking"]
        browser = play.chromium.launch(executable_path=chromium, args=quiet)
        with _wizard(home, Path(folder)) as link:
            _walk(Camera(browser, link), link, rows)
        browser.close()
    join_sheet(sorted(TARGET.glob("[0-9]*.png")), TARGET / "sheet.png")
    print(TARGET / "sheet.png")
    return 0


class Camera:
    """One window for each look; the first one is also the one that acts."""

    def __init__(self, browser: Browser, link: str) -> None:
        """Every window signs in by itself."""
        self._windows: dict[tuple[int, str], Page] = {}
        for width, scheme in LOOKS:
            view: Any = {"width": width, "height": 900}
            context = browser.new_context(viewport=view, color_scheme=scheme)  # type: ignore[arg-type]
            context.set_default_timeout(5 * MINUTE)
            page = context.new_page()
            page.goto(link)
            self._windows[width, scheme] = page
        self.actor = self._windows[LOOKS[0]]

    def shoot(self, name: str) -> None:
        """Photograph the actor's address in all looks."""
        for (width, scheme), page in self._windows.items():
            if page is not self.actor:
                page.goto(self.actor.url)
            page.wait_for_function(IS_FILLED)
            page.wait_for_timeout(1500)  # a chart draws itself after its values have come
            page.screenshot(path=TARGET / f"{name}-{width}-{scheme}.png", full_page=True)


def _walk(camera: Camera, link: str, rows: Path) -> None:
    page = camera.actor
    page.goto(link)
    camera.shoot("0-home")
    page.get_by_role("link", name="New project").click()
    page.get_by_text("Follow a format, fill in fields").click()
    camera.shoot("1-goal")
    _press(page, re.compile("^Continue"), "Show us your examples")
    camera.shoot("2-data-empty")
    page.locator("input[type=file]").set_input_files(rows)
    page.get_by_role("button", name="Yes, this is right").wait_for()
    camera.shoot("2-data")
    _press(page, "Yes, this is right", "Is it ready?")
    page.get_by_role("button", name=re.compile("^Continue with")).wait_for(timeout=2 * MINUTE)
    camera.shoot("3-check")
    _press(page, re.compile("^Continue with"), "Which model should learn?")
    page.get_by_text("SmolLM2 135M Instruct").locator("visible=true").first.click()
    camera.shoot("4-model")
    _press(page, re.compile("^Continue"), "How strongly should it learn?")
    page.get_by_role("button", name=re.compile("^Start: done")).wait_for(timeout=MINUTE)
    camera.shoot("5-plan")
    _press(page, re.compile("^Start: done"), "How is it going?")
    camera.shoot("6-run-begun")
    page.wait_for_function(
        "(document.querySelector('.chart-plot')?.data?.[0].x.length ?? 0) > 12", timeout=10 * MINUTE
    )
    camera.shoot("6-run")
    results = page.get_by_role("button", name="See results").locator("visible=true")
    results.wait_for(timeout=10 * MINUTE)
    camera.shoot("6-run-done")
    _press(page, "See results", "Is it good enough to use?")
    camera.shoot("7-results")
    _press(page, re.compile("Use it"), "Where do you want to use it?")
    camera.shoot("8-use-it")


def _press(page: Page, name: str | re.Pattern[str], title: str) -> None:
    page.get_by_role("button", name=name).locator("visible=true").first.click()
    page.get_by_role("heading", name=title).locator("visible=true").wait_for()


def _forty_rows(folder: Path) -> Path:
    """The first rows of the example, as a person would upload them."""
    target = folder / "shift notes.csv"
    with get_example("maintenance").path.open(encoding="utf-8", newline="") as source:
        rows = [(row["note"], row["entry"]) for row in csv.DictReader(source)][:60]
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("note", "form"), *rows])
    return target


@contextmanager
def _wizard(home: Path, folder: Path) -> Iterator[str]:
    """The wizard in a process of its own; engine and run end with it."""
    log = folder / "app.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "app.py"), "--home", str(home), "--no-browser"],
            stdout=output,
            stderr=output,
            env=child_environment(),
        )
    try:
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/\S*", log.read_text("utf-8"))):
            time.sleep(0.1)
        yield found.group()
    finally:
        process.terminate()
        process.wait()
        client = EngineClient(home)
        client.stop_engine(runs="stop")
        client.close()


def join_sheet(pictures: list[Path], target: Path) -> None:
    """All pictures side by side, a row a screen."""
    thumbs = []
    for path in pictures:
        with Image.open(path) as image:
            height = round(image.height * THUMB_WIDTH / image.width)
            thumbs.append(image.convert("RGB").resize((THUMB_WIDTH, min(height, 1200))))
    columns = len(LOOKS)
    rows = [thumbs[start : start + columns] for start in range(0, len(thumbs), columns)]
    heights = [max(thumb.height for thumb in row) + 12 for row in rows]
    sheet = Image.new("RGB", (columns * (THUMB_WIDTH + 12), sum(heights)), "#888888")
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for place, thumb in enumerate(row):
            sheet.paste(thumb, (place * (THUMB_WIDTH + 12), top))
        top += height
    sheet.save(target)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
