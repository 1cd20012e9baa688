"""The wizard as one Gradio app: home, and a project page of eight screens in their order.

`create_app` builds and returns it; nothing is built at import. Adding a screen is its module and
its place in `SCREENS`.
"""

import gradio as gr

from tailor.ui.opening import Screen
from tailor.ui.pages import check, data, goal, home, model, plan, results, run, use_it
from tailor.ui.services import Services
from tailor.ui.shell import build_project
from tailor.ui.text import ShellText

SCREENS: tuple[Screen, ...] = (goal, data, check, model, plan, run, results, use_it)


def create_app(services: Services) -> gr.Blocks:
    """Home at `/`, a project at `/project`."""
    app = gr.Blocks(title=ShellText.PRODUCT, analytics_enabled=False, fill_width=True)
    with app:
        first = home.build()
        home.wire(first, services, app)
    with app.route(ShellText.PRODUCT, "/project") as project:
        build_project(services, SCREENS, project)
    return app
