"""Fetches a model from the hub: only files that we open, one fixed version, with real progress.

What a name points to may change, so the version is pinned before the first byte; a hub that does
not answer must be told in seconds and in words. Runs inside the fetch child, the only place with
network.
"""

import logging
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from huggingface_hub import HfApi, errors, snapshot_download
from huggingface_hub.utils import disable_progress_bars

from tailor.engine.child import Report
from tailor.engine.errors import UserError
from tailor.engine.models.allowed import DESCRIBING, LOADED, is_loaded, is_pickle
from tailor.estimator.record import record

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 6.0
POLL_SECONDS = 0.3
MEGABYTE = 1e6
NAME = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")

T = TypeVar("T")


@record
class HubModel:
    """One version of a model on the hub."""

    name: str
    revision: str
    bytes: int
    """Of the files that will be fetched."""


def look_up(name: str, revision: str | None = None) -> HubModel:
    """Ask the hub what it has; a refusal is told in words before anything is fetched."""
    if not NAME.fullmatch(name):
        raise UserError(
            title="This is neither a folder nor a name on the model hub",
            detail=f'"{name}" was given.',
            fix="A name on the hub has two parts, such as HuggingFaceTB/SmolLM2-135M-Instruct. "
            "A folder needs its whole path.",
        )
    api = HfApi()
    info = _asking(
        name,
        lambda: api.model_info(
            name, revision=revision, files_metadata=True, timeout=ANSWER_SECONDS, token=False
        ),
    )
    files = {file.rfilename: file.size or 0 for file in info.siblings or ()}
    _refuse_formats(name, files)
    wanted = [size for file, size in files.items() if is_loaded(file)]
    return HubModel(name=name, revision=info.sha or "", bytes=sum(wanted))


def download(model: HubModel, folder: Path, report: Report) -> None:
    """Fetch the files into `folder`."""
    disable_progress_bars()
    done = threading.Event()
    watch = threading.Thread(target=_watch, args=(model, folder, report, done), daemon=True)
    watch.start()
    try:
        _asking(
            model.name,
            lambda: snapshot_download(
                model.name,
                revision=model.revision,
                local_dir=folder,
                allow_patterns=[*LOADED, *DESCRIBING],
                etag_timeout=ANSWER_SECONDS,
                token=False,
            ),
        )
    finally:
        done.set()
        watch.join()


def _watch(model: HubModel, folder: Path, report: Report, done: threading.Event) -> None:
    """Tell how many bytes have arrived; the hub's own bars go to a log that nobody reads."""
    while not done.wait(POLL_SECONDS):
        have = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        share = min(1.0, have / model.bytes) if model.bytes else 0.0
        words = f"Downloading: {have / MEGABYTE:.0f} of {model.bytes / MEGABYTE:.0f} MB."
        report(0.9 * share, words)


def _refuse_formats(name: str, files: dict[str, int]) -> None:
    """Tell before a download of gigabytes that none of it could be used."""
    if any(file.endswith(".safetensors") for file in files):
        return
    if any(file.endswith(".gguf") for file in files):
        raise UserError(
            title="This page has GGUF files only",
            detail=f"{name} is packed for answering, not for learning.",
            fix="Choose the original of the same model, or download one of the files and add it "
            "as a folder.",
        )
    pickle = next((file for file in files if is_pickle(file)), "")
    raise UserError(
        title="This model has no safetensors files",
        detail=f"{name} has {pickle or 'no weights'}."
        + (" Opening such a file runs whatever was put into it." if pickle else ""),
        fix="Ask for the safetensors version, or choose another model.",
    )


def _asking(name: str, ask: Callable[[], T]) -> T:
    """Put the hub's refusals into words."""
    try:
        return ask()
    except errors.GatedRepoError as closed:
        raise UserError(
            title="This model needs you to accept its terms",
            detail=f"{name} is behind a form on its page.",
            fix=f"Open https://huggingface.co/{name}, accept the terms, download it, and add "
            "its folder.",
        ) from closed
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as missing:
        raise UserError(
            title="The hub does not know this model",
            detail=f"There is no open model called {name}.",
            fix="Check the spelling on huggingface.co. Add a private model as a folder.",
        ) from missing
    except Exception as gone:
        # huggingface_hub 1.x lets errors of its network library through, of a private copy at that.
        logger.exception("the hub could not be asked for %s", name)
        raise _unreachable(name, gone) from gone


def _unreachable(name: str, gone: Any) -> UserError:
    return UserError(
        title="The model hub cannot be reached",
        detail=f"{name} was asked for at huggingface.co: {type(gone).__name__}.",
        fix="Check the network, or download the model elsewhere and add its folder.",
    )
