"""The app as it is built: every event private and queued, no limit of one, no heavy library."""

import asyncio
import subprocess
import sys
from pathlib import Path

import gradio as gr
import pytest

from tailor.ui.create_app import SCREENS, create_app
from tailor.ui.services import Services
from tailor.ui.text import ShellText
from tailor.ui.theme import build_theme, style_files

IMPORTS = """
import sys
from pathlib import Path
from tailor.ui.environment import prepare_environment
home = Path(sys.argv[1])
prepare_environment(home)
from tailor.ui.services import Services
from tailor.ui.site import build_site
import tailor.ui.serve
build_site(Services(home), hosts=("127.0.0.1:1",), tokens={"t": "ada"})
heavy = {"torch", "transformers", "aim", "peft", "trl", "datasets", "accelerate", "bitsandbytes"}
print(sorted(heavy & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> gr.Blocks:
    async def build() -> gr.Blocks:
        # Outside a running loop Gradio makes loops of its own and never closes them.
        return create_app(Services(tmp_path_factory.mktemp("home")))

    return asyncio.run(build())


def test_there_is_a_screen_for_every_step() -> None:
    names = [screen.__name__.rpartition(".")[2] for screen in SCREENS]
    assert [name.replace("_", " ") for name in names] == [step.lower() for step in ShellText.STEPS]


def test_events_are_private_and_never_leave_the_queue(app: gr.Blocks) -> None:
    functions = list(app.fns.values())
    assert len(functions) > 20
    for function in functions:
        assert function.api_visibility == "private", function.name
        assert function.queue is not False, function.name
        # Choices on Plan are answered one after the other, else an older one could be kept.
        wanted = 1 if function.name == "on_knob" else None
        assert function.concurrency_limit == wanted, function.name


def test_no_event_makes_the_page_look_after_the_state_of_its_outputs(app: gr.Blocks) -> None:
    # Half of the time that a click takes, measured on Gradio 6.31; nothing of it would be shown.
    for function in app.fns.values():
        assert function.show_progress == "hidden", function.name
        assert function.show_progress_on is not None, function.name
        assert list(function.show_progress_on) == [], function.name


def test_a_button_updates_few_parts_so_that_a_click_is_quick(app: gr.Blocks) -> None:
    doors = [fn for fn in app.fns.values() if fn.name.startswith("on_click")]
    assert doors
    assert all(len(fn.outputs) < 45 for fn in doors)


def test_no_font_or_script_is_fetched_from_elsewhere(app: gr.Blocks) -> None:
    theme = build_theme()
    styles = theme._get_theme_css() + "".join(path.read_text("utf-8") for path in style_files())
    assert theme._stylesheets == []
    assert "http://" not in styles.replace("http://www.w3.org", "")
    assert "https://" not in styles
    assert "@import" not in styles


def test_components_are_made_by_functions_so_that_no_stub_files_appear() -> None:
    folder = Path(create_app.__code__.co_filename).parent
    assert list(folder.rglob("*.pyi")) == []


@pytest.mark.slow
def test_the_wizard_loads_no_model_library_and_no_tracker(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-P", "-c", IMPORTS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert told.stdout.strip().splitlines()[-1] == "[]"
