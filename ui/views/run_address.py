"""Which run and which screen an address of the wizard names. Pure.

A browser tab keeps its address when the wizard's process is restarted, while the tab's state in
that process is gone. Screens of a run therefore read the run from the address.
"""

from urllib.parse import parse_qs, urlsplit


def run_in(address: str | None) -> str:
    """The id of the run, empty when the address names none."""
    return _query(address).get("run", [""])[0]


def is_run_screen(address: str | None) -> bool:
    """Whether the address is the Run screen itself, not one of the screens after it."""
    query = _query(address)
    return "run" in query and "step" not in query


def _query(address: str | None) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address or "").query)
