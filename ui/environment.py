"""The environment of the wizard's process, set before Gradio is imported because it reads it then.

No hub token may live here (Gradio 6.27 to 6.31 can hand it out, CVE-2026-134825), nothing may be
asked of any other host, and uploads go into a private folder. Settings that would open the wizard
to the network are refused, not overruled, so that nobody believes in a door that is not there.
"""

import os
from pathlib import Path
from typing import Final

from tailor.engine.child import SECRETS
from tailor.engine.errors import UserError
from tailor.ui.text import StartText

OPEN_DOORS: Final = (
    "GRADIO_SHARE", "GRADIO_SERVER_NAME", "GRADIO_ALLOWED_PATHS", "GRADIO_ROOT_PATH",
    "GRADIO_MCP_SERVER",
)  # fmt: skip
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
OFF: Final = ("", "0", "false", "no", "off")


def refuse_open_doors() -> None:
    """Raise when the environment asks for a wizard that others can reach."""
    for name in OPEN_DOORS:
        if os.environ.get(name, "").strip().lower() not in OFF:
            raise UserError(
                title=StartText.DOOR_TITLE,
                detail=StartText.DOOR_DETAIL.format(name=name, value=os.environ[name][:80]),
                fix=StartText.DOOR_FIX.format(name=name),
            )


def prepare_environment(home: Path) -> None:
    """Set everything for this process. Call it before Gradio is imported, after the engine runs."""
    os.umask(0o077)
    folder = upload_folder(home)
    for name in [name for name in os.environ if name.startswith(SECRETS)]:
        del os.environ[name]
    os.environ.update(
        GRADIO_ANALYTICS_ENABLED="False",
        # Else Gradio 6.31 works out statistics with pandas after every event (queueing.py:187),
        # which takes a third of the time of a click, and keeps 10,000 of them.
        GRADIO_ANALYTICS_CACHE_FREQUENCY="1000000000",
        GRADIO_ANALYTICS_MAX_EVENTS="1",
        GRADIO_TEMP_DIR=str(folder),
        HF_HOME=str(folder / "empty"),
        HF_HUB_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        # Only loopback is ever called from here, and a proxy set for the shell would swallow that.
        no_proxy=_with_loopback(os.environ.get("no_proxy", "")),
        NO_PROXY=_with_loopback(os.environ.get("NO_PROXY", "")),
    )


def upload_folder(home: Path) -> Path:
    """Where Gradio keeps uploads until they are handed over."""
    folder = home / "ui-tmp"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder


def _with_loopback(hosts: str) -> str:
    known = [host for host in hosts.split(",") if host]
    return ",".join(dict.fromkeys([*known, *LOOPBACK]))
