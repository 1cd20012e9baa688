"""A spreadsheet export as people have it, through a real engine, to the right conversation."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from served_wizard import TOKEN, served_wizard

from tailor.engine.child import child_environment
from tailor.engine.client import EngineClient
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.machine.unix_user import read_unix_user
from tailor.engine.models import starter
from tailor.engine.start import ensure_engine
from tailor.ui.services import Services

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLACES = ("Halle 2", "Werkstatt", "Prüfstand", "Außenlager", "Kühlraum", "Labor")
THINGS = ("Pumpe", "Lüfter", "Tür", "Förderband", "Ventil", "Kran", "Dichtung", "Waage")
FIX = "button[data-send^='fix:']"
SHOWN_WITHIN_MS = 300
REDRAWN = """
([selector, wanted]) => new Promise((resolve, reject) => {
  const begun = performance.now();
  document.querySelector(selector).click();
  const look = () => {
    const passed = performance.now() - begun;
    if (document.querySelector('.conversation .said').textContent.startsWith(wanted)) {
      resolve(passed);
    } else if (passed > 30000) { reject(new Error('not redrawn')); }
    else { requestAnimationFrame(look); }
  };
  look();
})
"""


def question(place: str, thing: str) -> str:
    return f"Was tun, wenn {thing} ({place}) laut wird?"


def answer(place: str, thing: str) -> str:
    return f"Abschalten, für {place} eintragen und {thing} „sofort“ melden."


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers first, semicolons, Windows-1252, and one of each common fault."""
    lines = ["Antwort;Frage"]
    lines += [f"{answer(p, t)};{question(p, t)}" for p in PLACES for t in THINGS]
    lines += [lines[3], lines[7]]
    lines += ["N/A;Wer schließt abends ab?", "-;Was tun bei Öl auf dem Boden?"]
    lines += ["Grüße von {{name}} aus der Werkstatt.;Wie endet ein Brief?"]
    lines += ["Als KI-Sprachmodell kann ich dazu nichts sagen.;Wie schwer ist der Kran?"]
    path = tmp_path_factory.mktemp("export") / "Schichtbuch Größe.csv"
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode("cp1252"))
    return path


@pytest.fixture(scope="module")
def engine(
    tmp_path_factory: pytest.TempPathFactory, tiny_model_folder: Path
) -> Iterator[EngineClient]:
    """A real engine; a tiny model stands where the starter model would, so nothing is fetched."""
    home = tmp_path_factory.mktemp("tailor") / "home"
    home.mkdir(mode=0o700)
    shutil.copytree(tiny_model_folder, home / "models" / starter.ID)
    client = ensure_engine(
        home, owner=read_unix_user(), environment={**child_environment(), "HF_HUB_OFFLINE": "1"}
    )
    yield client
    client.stop_engine(runs="stop")
    client.close()


@pytest.fixture(scope="module")
def origin(engine: EngineClient) -> Iterator[str]:
    """The wizard, signed in by its token."""
    services = Services(engine.home)
    with pytest.MonkeyPatch.context() as patch, served_wizard(services, patch) as address:
        yield address


@pytest.fixture
def page(origin: str, chromium) -> Iterator[object]:
    """The Data screen of a new project."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    opened = context.new_page()
    opened.goto(f"{origin}/?token={TOKEN}")
    opened.get_by_role("link", name="New project").click()
    opened.get_by_text("Answer like our experts").click()
    opened.get_by_role("button", name="Continue to your examples").click()
    # The field for files is there before its screen is, and no person could use it then.
    expect(opened.locator(".drop-inner")).to_be_visible()
    yield opened
    context.close()


def upload(page, *files: Path) -> None:
    page.locator("input[type=file]").set_input_files([str(one) for one in files])
    expect(page.locator(".conversation")).to_have_count(3)


def go_on(page) -> None:
    page.get_by_role("button", name="Yes, this is right").click()
    expect(page.locator(".doctor")).to_be_visible()


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def current_rows(engine: EngineClient) -> Path:
    """The rows that the newest dataset is made of now."""
    sets = engine.home / "data" / read_unix_user() / "sets"
    folder = SetFolder(max(sets.iterdir(), key=lambda one: one.stat().st_ctime))
    return folder.rows(folder.load())


def test_an_export_with_the_columns_the_other_way_round_becomes_the_right_conversation(
    page, export: Path
) -> None:
    upload(page, export)
    expect(page.locator(".found")).to_contain_text("Semicolons")
    first = page.locator(".conversation").first
    expect(first.locator(".user .said")).to_have_text(question(PLACES[0], THINGS[0]))
    expect(first.locator(".assistant .said")).to_have_text(answer(PLACES[0], THINGS[0]))
    page.reload()
    expect(first.locator(".user .said")).to_have_text(question(PLACES[0], THINGS[0]))
    go_on(page)
    expect(page.locator(".exam-list").first).to_contain_text("laut wird?")
    expect(page.locator(".reading .learned").first).to_contain_text("Abschalten, für")


def test_one_press_swaps_the_two_and_the_choice_survives_a_reload(page, export: Path) -> None:
    upload(page, export)
    took = [page.evaluate(REDRAWN, ["#swap", wanted]) for wanted in ("Abschalten", "Was tun") * 3]
    # On a quiet computer; others may use the cores as well.
    print(f"redrawn in {sorted(took)[len(took) // 2]:.0f} ms, wanted {SHOWN_WITHIN_MS}")
    assert min(took) < 20 * SHOWN_WITHIN_MS
    page.locator("#swap").click()
    said = page.locator(".conversation .user .said").first
    expect(said).to_have_text(answer(PLACES[0], THINGS[0]))
    page.reload()
    expect(said).to_have_text(answer(PLACES[0], THINGS[0]))
    # The other column is given what is freed, and whoever uses the keyboard stays where she was.
    asks = page.get_by_label("What comes in (question)")
    asks.focus()
    asks.select_option("Frage")
    expect(said).to_have_text(question(PLACES[0], THINGS[0]))
    expect(asks).to_be_focused()


def test_another_reading_is_one_choice_away(page, export: Path) -> None:
    upload(page, export)
    page.get_by_text("Read differently").click()
    page.locator("#read-separator").select_option("comma")
    page.get_by_role("button", name="Read again like this").click()
    expect(page.locator(".found")).not_to_contain_text("Semicolons")
    page.get_by_text("Read differently").click()
    page.locator("#read-separator").select_option("semicolon")
    page.get_by_role("button", name="Read again like this").click()
    expect(page.locator(".found")).to_contain_text("Semicolons")


def test_two_files_make_one_table(page, export: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("Frage,Antwort\nWo ist der Schlüssel?,Im Büro.\n", encoding="utf-8")
    upload(page, export, more)
    expect(page.get_by_text("Read together: Schichtbuch Größe.csv, more.csv")).to_be_visible()


def press_until_gone(button) -> None:
    """Press again where the first press came while the answer before it was still being drawn: of
    two presses at once the page keeps one, and only a program is that quick."""
    button.click()
    try:
        expect(button).to_have_count(0, timeout=8_000)
    except AssertionError:
        button.click()


def test_undo_of_each_fix_restores_the_bytes(page, engine: EngineClient, export: Path) -> None:
    upload(page, export)
    original = [
        hash_of(one) for one in sorted((current_rows(engine).parents[2] / "files").iterdir())
    ]
    go_on(page)
    before = hash_of(current_rows(engine))
    words = [one.get_attribute("data-send") for one in page.locator(FIX).all()]
    assert len(words) >= 4
    for word in words:
        button = page.locator(f"button[data-send='{word}']")
        asked = button.locator("xpath=ancestor::form").locator("input[type=text]")
        if asked.count():
            asked.fill("Ada")
        button.click()
        expect(page.locator(".done-list li")).to_have_count(1)
        assert hash_of(current_rows(engine)) != before, word
        press_until_gone(page.get_by_role("button", name=re.compile("^Undo")))
        expect(page.locator(".done-list")).to_have_count(0)
        assert hash_of(current_rows(engine)) == before, word
    kept = [hash_of(one) for one in sorted((current_rows(engine).parents[2] / "files").iterdir())]
    assert kept == original


def test_what_must_be_settled_holds_continue_until_it_is_left_as_it_is(page, export: Path) -> None:
    upload(page, export)
    go_on(page)
    expect(page.locator(".reading").first).to_be_visible()
    expect(page.get_by_role("button", name="Not ready yet")).to_be_disabled()
    # What is being typed stays while something else is answered.
    typed = page.locator(".fix-form.asks input").first
    typed.fill("Ada")
    page.locator("[id^='skip-warn']").first.click()
    expect(page.get_by_text("Left as they are (1)")).to_be_visible()
    expect(typed).to_have_value("Ada")
    page.locator("[aria-label^='Leave it as it is'][id^='skip-stop']").first.click()
    expect(page.get_by_role("button", name=re.compile("Continue with"))).to_be_enabled()
    page.reload()
    expect(page.get_by_role("button", name=re.compile("Continue with"))).to_be_enabled()


def test_no_screen_scrolls_sideways_on_a_phone(page, export: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    upload(page, export)
    assert page.evaluate(wide) <= 0
    go_on(page)
    expect(page.locator(".reading").first).to_be_visible()
    page.get_by_text("Learn from other data as well").click()
    page.get_by_text("Add a question of your own").click()
    assert page.evaluate(wide) <= 0
