"""Damage that shows only while a member of a zip is unpacked, told in words.

The list of a zip can be whole while its members are cut off, garbled or lie about their place, and
each of these is another error of the libraries below. Whoever unpacks a member does it inside here.
"""

import errno
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tailor.engine.data.archive.zip_door import damaged_zip
from tailor.engine.errors import UserError


@contextmanager
def damage_in_words(problem: Callable[[], UserError] = damaged_zip) -> Iterator[None]:
    """Raise `problem` instead of what the libraries say; a full disk stays a full disk."""
    try:
        yield
    except OSError as damage:
        # Damaged bytes have no number, a place that is not in the file has this one.
        if damage.errno not in (None, errno.EINVAL):
            raise
        raise problem() from damage
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as damage:
        raise problem() from damage
