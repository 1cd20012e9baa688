"""XML of a Word file as a stream of tags, with the two ways shut in which XML fills a memory.

Entities make gigabytes out of bytes, and a tag that never ends must be kept until it does; Word
writes neither. `word_blocks` and `word_styles` feed their parts of a file through here.
"""

from collections.abc import Callable, Iterator
from typing import IO
from xml.parsers import expat

from tailor.engine.data.text.lines import too_long
from tailor.engine.errors import UserError

PIECE_BYTES = 2**16
UNFINISHED_BYTES_MOST = 16 * 2**20

Start = Callable[[str, dict[str, str]], None]
"""Told of a tag as "namespace name" with its attributes under names of the same form."""


def make_parser(start: Start) -> expat.XMLParserType:
    """A parser that refuses declarations; more handlers may be set on it."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = _refuse_entities
    return parser


def feed(parser: expat.XMLParserType, stream: IO[bytes]) -> Iterator[None]:
    """Hand a stream to the parser; yields after each piece, so that results can be taken."""
    fed = 0
    try:
        while piece := stream.read(PIECE_BYTES):
            parser.Parse(piece, False)
            fed += len(piece)
            if fed - parser.CurrentByteIndex > UNFINISHED_BYTES_MOST:
                raise too_long("A part of the document")
            yield
        parser.Parse(b"", True)
    except expat.ExpatError as damage:
        raise UserError(
            title="This Word file is damaged",
            detail=f"Its text breaks off or is garbled (line {damage.lineno:,} of its XML).",
            fix="Open it in Word, save it under a new name and drop that file.",
        ) from damage
    yield


def split_name(name: str) -> tuple[str, str]:
    """Namespace and name of a tag."""
    space, _, tag = name.rpartition(" ")
    return space, tag


def _refuse_entities(*_: object) -> None:
    raise UserError(
        title="This Word file holds something that Word never writes",
        detail="It declares entities, with which a small file can grow until the memory is full.",
        fix="Open it in Word, save it under a new name and drop that file.",
    )
