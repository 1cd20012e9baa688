"""The engine process: lock, parts, socket, serve, close.

The order is what keeps one home to one engine: nothing is touched before the lock is held, and the
socket appears last, when everything behind it works. `python -m tailor.engine` calls `serve`.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn

import tailor
from tailor.engine.api import create_api
from tailor.engine.errors import UserError
from tailor.engine.home_lock import EXIT_TAKEN, HomeLock
from tailor.engine.http.address import Address, bind_socket, forget_address, write_address
from tailor.engine.http.peer import PeerProtocol
from tailor.engine.parts import Parts, open_parts
from tailor.engine.secrets import MaskingFormatter

EXIT_BROKEN = 4
"""The home cannot be served; the last line says why."""
GRACE_SECONDS = 5
"""How long answers under way may take when the engine ends."""

logger = logging.getLogger(__name__)


def serve(home: Path, open_parts: Callable[[Path], Parts] = open_parts) -> int:
    """Be the engine of `home` until told to stop; the exit code."""
    os.umask(0o077)
    _write_log_to_stderr()
    try:
        lock = HomeLock(home)
    except UserError as error:
        logger.error("%s", error)
        return EXIT_TAKEN
    try:
        parts = open_parts(home)
    except UserError as error:
        logger.error("%s", error)
        lock.release()
        return EXIT_BROKEN
    try:
        listener, path = bind_socket(home)
        logger.info("engine %s answers at %s", tailor.__version__, path)
        asyncio.run(_answer_calls(parts, listener, path))
        forget_address(home)
    finally:
        parts.close()
        lock.release()
    logger.info("engine ended; runs go on without it")
    return 0


async def _answer_calls(parts: Parts, listener: socket.socket, path: Path) -> None:
    config = uvicorn.Config(
        create_api(parts),
        http=PeerProtocol,
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    write_address(
        parts.home, Address(socket=str(path), pid=os.getpid(), version=tailor.__version__)
    )
    parts.feed.start()
    while not serving.done():
        await asyncio.sleep(0.1)
        server.should_exit = server.should_exit or parts.stop_asked.is_set()
    await serving


class _Server(uvicorn.Server):
    """uvicorn would raise the signal again when it is done, and end us before we have closed."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop serving; a second signal does not cut the closing short."""
        self.should_exit = True


def _write_log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(MaskingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.captureWarnings(True)
    logging.getLogger("aim").setLevel(logging.WARNING)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
