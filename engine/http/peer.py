"""Who is at the other end of the engine's socket: connections of other users are cut.

The socket is private by its file mode already; the kernel's word about the peer is the second wall,
for a socket that lies in a shared temporary folder. The server gives this protocol to uvicorn.
"""

import asyncio
import os
import socket
import struct
import sys
from typing import Protocol, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

_LOCAL_PEERCRED = 1
"""macOS, sys/un.h: LOCAL_PEERCRED at level SOL_LOCAL (0) answers a struct xucred."""


class _Socket(Protocol):
    def getsockopt(self, level: int, option: int, length: int, /) -> bytes: ...


class PeerProtocol(H11Protocol):
    """HTTP for this user's own processes only."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, then cut it when its process belongs to somebody else."""
        # First, because uvicorn counts the connection here and forgets it in connection_lost.
        super().connection_made(transport)
        peer = read_peer_uid(cast(_Socket, transport.get_extra_info("socket")))
        if peer != os.getuid():
            self.logger.warning("refused a connection from user id %d", peer)
            transport.abort()


def read_peer_uid(connection: _Socket) -> int:
    """The user id of the process at the other end, as the kernel knows it."""
    if sys.platform == "darwin":
        # struct xucred begins with u_int version, uid_t uid; 76 bytes with its 16 groups.
        return int(struct.unpack_from("II", connection.getsockopt(0, _LOCAL_PEERCRED, 76))[1])
    size = struct.calcsize("3i")
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return int(struct.unpack("3i", told)[1])
