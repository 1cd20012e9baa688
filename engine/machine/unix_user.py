"""The name of the UNIX user whose engine this is.

A container may run under a number that has no name; that must not stop anything. The lock tells the
name to a second engine, and requests that name no owner belong to it.
"""

import os
import pwd


def read_unix_user() -> str:
    """Name of this process's user, or "uid-1000" when it has none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid-{os.getuid()}"
