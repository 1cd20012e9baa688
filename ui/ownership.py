"""Who owns what in the wizard: uploads, tabs and events, by signed-in user.

Gradio hands every upload, every tab's answers and every event to whoever names them (measured on
6.31), so the guard keeps its own books here and asks them before it lets a request through. Nothing
is written to disk: after a restart a tab is new anyway and uploads have moved into the data folder.
"""

import os
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

MOST_CLAIMS = 10_000
"""Names that one user can hold; the oldest of the same user makes room, never another's."""
MOST_STRINGS = 20_000
"""Strings in one message; no page of ours sends a tenth of it."""
FILE_KEY = "path"
"""Gradio opens what stands under this key. A mounted app does not even ask whether it was uploaded:
its check needs `launch()` (read and measured on 6.31), so any file of the computer could be
read."""
LONGEST_PATH = 4096
LONGEST_NAME = 256


class Claims:
    """Names that belong to the first user who was seen with them."""

    def __init__(self, limit: int = MOST_CLAIMS) -> None:
        """Nothing is claimed yet."""
        self._limit = limit
        self._owner: dict[str, str] = {}
        self._names: dict[str, OrderedDict[str, None]] = {}

    def claim(self, name: str, user: str) -> bool:
        """Take `name` for `user`, or tell that it is another's."""
        if len(name) > LONGEST_NAME:
            return False
        if self._owner.setdefault(name, user) != user:
            return False
        names = self._names.setdefault(user, OrderedDict())
        names[name] = None
        names.move_to_end(name)
        if len(names) > self._limit:
            oldest, _ = names.popitem(last=False)
            del self._owner[oldest]
        return True

    def owns(self, name: str, user: str) -> bool:
        """Whether `name` is this user's; a name that nobody claimed is nobody's."""
        return self._owner.get(name) == user


class Uploads:
    """Which users have uploaded which file: a set, because equal files share one path."""

    def __init__(self, folder: Path, limit: int = MOST_CLAIMS) -> None:
        """`folder` is where Gradio keeps uploads."""
        self._limit = limit
        self._folders = {os.path.abspath(folder), os.path.realpath(folder)}
        self._users: OrderedDict[str, set[str]] = OrderedDict()

    def add(self, path: str, user: str) -> None:
        """`user` has uploaded this file."""
        self._users.setdefault(path, set()).add(user)
        self._users.move_to_end(path)
        if len(self._users) > self._limit:
            self._users.popitem(last=False)

    def owns(self, path: str, user: str) -> bool:
        """Whether `user` has uploaded exactly this path."""
        return user in self._users.get(path, ())

    def may_say(self, text: str, user: str, *, is_file: bool = False) -> bool:
        """Whether `user` may send this string: it names no upload, or one of their own.

        What is to be opened as a file must be their own. Raises ValueError for a string that cannot
        be a path and cannot be text.
        """
        if is_file and text and not self.owns(text, user):
            return False
        for form in {text, unquote(text), unquote(unquote(text))}:
            named = self._named(form)
            if named is not None and not self._is_own(named, user):
                return False
        return True

    def _is_own(self, named: str, user: str) -> bool:
        """A browser sends each upload twice: as a path, and in an address with spaces as %20."""
        if named in self._users:
            return self.owns(named, user)
        return any(self.owns(form, user) for form in (unquote(named), unquote(unquote(named))))

    def _named(self, text: str) -> str | None:
        """The upload that a string speaks of, None when it speaks of none."""
        for folder in self._folders:
            place = text.find(folder)
            if place >= 0:
                # Also the address of a file, where the path stands behind "file=".
                return text[place:]
        if text in self._users:
            return text
        if len(text) > LONGEST_PATH or not ("/" in text or os.sep in text or ".." in text):
            return None
        if "\0" in text:
            raise ValueError("a path holds no zero byte")
        # Other spellings of the same place: relative, doubled slashes, links on the way.
        for spelling in (os.path.abspath(text), os.path.realpath(text)):
            if spelling in self._users or any(_is_in(spelling, one) for one in self._folders):
                return spelling
        return None


def strings_in(message: Any) -> Iterator[tuple[str, bool]]:
    """Every string of a JSON value, keys included, and whether Gradio would open it as a file.

    However deep, without recursion. Raises ValueError when there are more than any page of ours
    sends.
    """
    seen = 0
    waiting: list[tuple[Any, bool]] = [(message, False)]
    while waiting:
        value, is_file = waiting.pop()
        if isinstance(value, str):
            seen += 1
            if seen > MOST_STRINGS:
                raise ValueError("too many strings")
            yield value, is_file
        elif isinstance(value, dict):
            waiting.extend((key, False) for key in value)
            waiting.extend((inner, key == FILE_KEY) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((inner, False) for inner in value)


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)
