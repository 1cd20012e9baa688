"""A guarded site in a process of its own, for the probes: `python guarded_site.py KIND FD HOME`.

KIND is "small", an app with one of everything that Gradio does not protect, or "wizard", our own.
"""

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

TOKENS = {"token-of-ada": "ada", "token-of-bob": "bob", "token-of-cleo": "cleo"}
MOST_BYTES = 2 * 1024**2


def small_app() -> Any:
    import gradio as gr

    from tailor.ui.guard import OWNER_KEY

    def hello(name: str, request: gr.Request) -> str:
        return f"{request.request.scope[OWNER_KEY]} says {name}"

    def read(path: str) -> str:
        return Path(path).read_text()

    def secret(word: str) -> str:
        return f"secret {word}"

    with gr.Blocks() as demo:
        name, answer = gr.Textbox(), gr.Textbox()
        gr.Button().click(hello, name, answer, api_visibility="private")
        file, shown = gr.File(), gr.Textbox()
        gr.Button().click(read, file, shown)
        choice = gr.Dropdown(["one", "two"])
        gr.Button().click(hello, choice, answer)
        with gr.Column(visible=False):
            gr.Button().click(secret, name, answer, api_visibility="private")
    return demo


def small_site(home: Path, port: int) -> Any:
    import gradio as gr
    from fastapi import FastAPI

    from tailor.ui.environment import upload_folder
    from tailor.ui.guard import Guard

    inner = FastAPI()
    gr.mount_gradio_app(
        inner, small_app(), path="/", max_file_size=MOST_BYTES, run_history=False, ssr_mode=False
    )
    routes = list_routes(inner.routes, "")
    (home / "routes.json").write_text(json.dumps(routes))
    return Guard(
        inner,
        hosts=frozenset((f"127.0.0.1:{port}", f"localhost:{port}")),
        scheme="http",
        tokens=TOKENS,
        upload_folder=upload_folder(home),
        max_upload_bytes=MOST_BYTES,
        pages=("/project",),
    )


def wizard_site(home: Path, port: int) -> Any:
    from tailor.ui.services import Services
    from tailor.ui.site import build_site

    hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
    return build_site(Services(home), hosts=hosts, tokens=TOKENS)


def list_routes(routes: Any, prefix: str) -> list[tuple[str, str]]:
    """Verb and path of each route, those of mounted apps and routers included."""
    found: list[tuple[str, str]] = []
    for route in routes:
        path = prefix + (getattr(route, "path", None) or "")
        # An included router is kept whole by newer FastAPI; its paths carry their prefix already.
        included = getattr(route, "original_router", None)
        if included is not None:
            found += list_routes(included.routes, path)
        if getattr(route, "routes", None):
            found += list_routes(route.routes, path)
        found += [(verb, path.replace("//", "/")) for verb in getattr(route, "methods", None) or ()]
    return found


def main() -> None:
    kind, descriptor, home = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    listening = socket.socket(fileno=descriptor)
    port = listening.getsockname()[1]

    from tailor.ui.environment import prepare_environment

    prepare_environment(home)
    import uvicorn

    app = small_site(home, port) if kind == "small" else wizard_site(home, port)
    config = uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    os.environ["PYTHONSAFEPATH"] = "1"
    main()
