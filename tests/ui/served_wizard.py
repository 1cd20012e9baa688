"""The guarded wizard on a free port of loopback, in a thread, for tests that drive a browser."""

import asyncio
import os
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import uvicorn

from tailor.engine.machine.unix_user import read_unix_user
from tailor.ui.environment import prepare_environment
from tailor.ui.services import Services
from tailor.ui.site import build_site

TOKEN = "secret"


@contextmanager
def served_wizard(services: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve until the block ends; gives the origin. `TOKEN` signs in."""
    for name in ("GRADIO_TEMP_DIR", "HF_HOME", "no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    mask = os.umask(0o077)
    prepare_environment(services.home)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    host = f"127.0.0.1:{listening.getsockname()[1]}"

    async def build():
        return build_site(services, hosts=(host,), tokens={TOKEN: read_unix_user()})

    # Gradio wants an event loop to build in, and Playwright may keep one open in this thread.
    with ThreadPoolExecutor(1) as other:
        site = other.submit(lambda: asyncio.run(build())).result()
    server = uvicorn.Server(uvicorn.Config(site, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://{host}"
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        os.umask(mask)
