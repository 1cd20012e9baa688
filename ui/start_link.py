"""Where the wizard answers and who may enter: port and token, the same again after a restart.

A page that is open in a browser must live on when the wizard is started again, so both are kept in
`ui.json`, readable by this user alone. A port that somebody else holds is left to them.
"""

import secrets
import socket
from pathlib import Path
from urllib.parse import urlencode

from pydantic import ValidationError

from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json
from tailor.estimator.record import record
from tailor.ui.text import StartText

HOST = "127.0.0.1"
FIRST_PORT = 7860
TRIED_PORTS = 100


@record
class StartLink:
    """`ui.json`."""

    schema: int = 1
    port: int
    token: str

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://{HOST}:{self.port}"

    def address(self, *, run_id: str = "") -> str:
        """The link that signs a browser in, once; it opens Home or a run."""
        query = {"token": self.token} | ({"run": run_id} if run_id else {})
        return f"{self.origin}/{'project' if run_id else ''}?{urlencode(query)}"


def take_port(home: Path, asked: int) -> tuple[StartLink, socket.socket, str]:
    """The link, a socket that listens already, and a sentence when the wanted port was taken."""
    kept = read_link(home)
    wanted = asked or (kept.port if kept else FIRST_PORT)
    listening = _first_free(wanted)
    port = int(listening.getsockname()[1])
    link = StartLink(port=port, token=kept.token if kept else secrets.token_urlsafe(32))
    write_json(home / "ui.json", link)
    (home / "ui.json").chmod(0o600)
    told = StartText.PORT_TAKEN.format(wanted=wanted, port=port) if port != wanted else ""
    return link, listening, told


def read_link(home: Path) -> StartLink | None:
    """The last link, None when there is none that can be read."""
    try:
        return read_json(home / "ui.json", StartLink)
    except (FileNotFoundError, ValidationError):
        return None


def _first_free(wanted: int) -> socket.socket:
    for port in range(wanted, min(wanted + TRIED_PORTS, 65536)):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        # Lets a restart take its port again at once; it does not share it with a live listener.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError:
            listening.close()
            continue
        listening.listen(128)
        return listening
    raise UserError(
        title=StartText.NO_PORT_TITLE,
        detail=StartText.NO_PORT_DETAIL.format(first=wanted, last=wanted + TRIED_PORTS - 1),
        fix=StartText.NO_PORT_FIX,
    )
