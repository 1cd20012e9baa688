"""Which styles of a Word file are headings or lists, in every language alike.

The id of a style is translated ("berschrift1"), its name inside the file is not ("heading 1").
`word` keeps a heading with the text under it, and the items of a list together, by this.
"""

from dataclasses import dataclass
from typing import IO

from tailor.engine.data.documents.word_xml import feed, make_parser, split_name

_HEADING_NAMES = ("heading", "title")


@dataclass(frozen=True)
class Styles:
    """Ids of styles by what their paragraphs are."""

    headings: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()


def read_styles(stream: IO[bytes]) -> Styles:
    """Read the part of a Word file that lists its styles."""
    headings: set[str] = set()
    lists: set[str] = set()
    style = ""

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal style
        space, tag = split_name(name)
        if tag == "style":
            style = attributes.get(f"{space} styleId", "")
        elif tag == "name":
            own_name = attributes.get(f"{space} val", "").lower()
            if own_name.startswith(_HEADING_NAMES):
                headings.add(style)
        elif tag == "numPr":
            lists.add(style)

    for _ in feed(make_parser(start), stream):
        pass
    # Numbered headings are headings.
    return Styles(headings=frozenset(headings), lists=frozenset(lists - headings))
