"""The whole web site: our own routes first, then Gradio, and the guard in front of every byte.

Gradio mounted at "/" swallows what is registered after it (measured), so the order is the design.
Nothing here starts a server; `serve` and the tests do.
"""

import warnings
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import gradio as gr
from fastapi import FastAPI
from fastapi.responses import FileResponse

from tailor.ui.create_app import create_app
from tailor.ui.download import download_router
from tailor.ui.environment import upload_folder
from tailor.ui.guard import Guard
from tailor.ui.services import Services
from tailor.ui.theme import STATIC, build_theme, style_files
from tailor.ui.uploads import MOST_UPLOAD_BYTES

PAGES = ("/project",)
PRIVATE = ("runs", "models", "data", "engine", "jobs", "speaker", "ui.json")
"""Parts of the home that Gradio must never serve; its own upload folder is not among them."""
A_DAY = {"Cache-Control": "private, max-age=86400"}


def build_site(services: Services, *, hosts: tuple[str, ...], tokens: Mapping[str, str]) -> Guard:
    """The guarded app. `tokens` maps each start token to its user."""
    site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    site.include_router(download_router(services))
    _add_static(site)
    with warnings.catch_warnings():
        # Said for every mounted app of several pages, even with ssr_mode=False (Gradio 6.31).
        warnings.filterwarnings("ignore", message="SSR mode is not supported")
        _mount_gradio(site, services)
    return Guard(
        site,
        hosts=hosts,
        scheme="http",
        tokens=tokens,
        upload_folder=upload_folder(services.home),
        max_upload_bytes=MOST_UPLOAD_BYTES,
        pages=PAGES,
    )


def _mount_gradio(site: FastAPI, services: Services) -> None:
    gr.mount_gradio_app(
        site,
        create_app(services),
        path="/",
        theme=build_theme(),
        css_paths=style_files(),
        head=_head(),
        favicon_path=str(STATIC / "favicon.svg"),
        allowed_paths=[],
        blocked_paths=[str(services.home / name) for name in PRIVATE],
        max_file_size=MOST_UPLOAD_BYTES,
        run_history=False,
        ssr_mode=False,
        show_error=False,
        footer_links=[],
        mcp_server=False,
        enable_monitoring=False,
    )


def _head() -> str:
    """Style and look before the first paint; Gradio adds `css_paths` after it (measured)."""
    styles = "".join(path.read_text("utf-8") for path in style_files())
    look = (STATIC / "look.js").read_text("utf-8")
    return f"<style>{styles}</style><script>{look}</script>"


def _add_static(site: FastAPI) -> None:
    plotly = Path(str(files("plotly").joinpath("package_data", "plotly.min.js")))

    @site.get("/assets/plotly.min.js")
    def plotly_script() -> Any:
        return FileResponse(plotly, media_type="text/javascript", headers=A_DAY)
