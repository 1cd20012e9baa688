"""Who calls the engine, and for whom: the owner of a request.

The socket lets this user's processes in only; among them the wizard speaks for the person who
signed in, by a header. Every route hands the owner on to the part that does the work.
"""

from typing import Annotated

from fastapi import Depends, Path, Request

from tailor.engine.data.owner import OWNER
from tailor.engine.errors import UserError
from tailor.engine.machine.unix_user import read_unix_user
from tailor.engine.parts import Parts


def parts_of(request: Request) -> Parts:
    """The engine behind a request."""
    parts: Parts = request.app.state.parts
    return parts


def read_owner(request: Request) -> str:
    """The header X-Tailor-Owner, else the UNIX user: the peer's, because others are cut off."""
    owner = request.headers.get("X-Tailor-Owner") or read_unix_user()
    if not OWNER.fullmatch(owner):
        raise UserError(
            title="This user name cannot be used",
            detail="A name has 1 to 64 letters, digits, dots, dashes or @; no dot first.",
            fix="Sign in under another name.",
            status=400,
        )
    return owner


EngineParts = Annotated[Parts, Depends(parts_of)]
Owner = Annotated[str, Depends(read_owner)]
Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,80}$")]
"""An id in a path: it may become a folder's name, so nothing else is let through."""
