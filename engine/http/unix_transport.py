"""HTTP over a unix socket for the client, without a socket left open when nobody answers.

An engine that is being restarted refuses many connections in a row, and httpcore 1.0 forgets to
close a unix socket whose connect fails (its `SyncBackend.connect_unix_socket`), so each is tried
here first. The client and `start.py` speak through this, until httpcore closes what it opened.
"""

import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpcore
import httpx


class UnixTransport(httpx.HTTPTransport):
    """Speaks to one socket over pooled connections."""

    def __init__(self, path: Path) -> None:
        """Connects at the first request; a socket that refuses is httpx's `ConnectError`."""
        super().__init__(uds=str(path))
        # httpx hands no network backend through to httpcore.
        self._pool = httpcore.ConnectionPool(uds=str(path), network_backend=_ClosingBackend())


class _ClosingBackend(httpcore.SyncBackend):
    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(path)
            except OSError as refused:
                raise httpcore.ConnectError(str(refused)) from refused
        return super().connect_unix_socket(path, timeout, socket_options)
