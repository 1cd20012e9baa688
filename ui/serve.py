"""Starts the wizard: `python app.py` ends here.

The engine is made sure of first, in the shell's own environment, and started again in the same
should it die. Then this process shuts itself in, imports Gradio, takes a port on loopback, prints
one link and serves until it is stopped. That leaves the engine and the runs alone.
"""

import asyncio
import importlib
import logging
import threading
import webbrowser
from pathlib import Path
from typing import Any

import uvicorn

from tailor.engine.child import child_environment
from tailor.engine.machine.unix_user import read_unix_user
from tailor.engine.start import ensure_engine
from tailor.ui.engine_keeper import keep_engine
from tailor.ui.environment import prepare_environment, refuse_open_doors
from tailor.ui.start_link import HOST, take_port
from tailor.ui.text import StartText

STOP_SECONDS = 2
"""How long open streams may delay the end."""


def serve(home: Path, *, port: int = 0, open_browser: bool = True, run_id: str = "") -> None:
    """Serve the wizard of a home folder until interrupted. `port` 0 takes the last one again."""
    refuse_open_doors()
    ensure_engine(home)
    keep_engine(home, child_environment())
    prepare_environment(home)
    # Gradio reads its environment while it is imported, so the import must come after this line.
    site: Any = importlib.import_module("tailor.ui.site")
    services: Any = importlib.import_module("tailor.ui.services")
    link, listening, told = take_port(home, port)
    hosts = (f"{HOST}:{link.port}", f"localhost:{link.port}")
    app = site.build_site(
        services.Services(home), hosts=hosts, tokens={link.token: read_unix_user()}
    )
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    address = link.address(run_id=run_id)
    print(StartText.READY.format(address=address, told=f"{told}\n" if told else ""), flush=True)  # noqa: T201 - the command's output
    logging.getLogger("uvicorn.error").addFilter(_is_no_cut_stream)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    uvicorn.Server(config).run(sockets=[listening])
    print(StartText.CLOSED)  # noqa: T201 - the command's output


def _is_no_cut_stream(record: logging.LogRecord) -> bool:
    """False for what uvicorn says when the end cuts an open page's stream, which is no fault."""
    trouble = record.exc_info[1] if record.exc_info else None
    return not isinstance(trouble, asyncio.CancelledError) and not (
        record.getMessage().startswith("Cancel ")
    )
