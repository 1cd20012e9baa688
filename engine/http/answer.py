"""A noun as the JSON body of an answer, by its own type's rules.

FastAPI would turn each dataclass into dicts, check it again and refuse numbers that are not finite;
ours were checked when they were made. Every route ends here.
"""

from functools import cache
from typing import Any

from fastapi import Response
from pydantic import TypeAdapter


def render_json(kind: Any, noun: Any) -> bytes:
    """`noun` as JSON of the type `kind`."""
    return _adapter(kind).dump_json(noun)


def answer(kind: Any, noun: Any) -> Response:
    """The HTTP answer with `noun`."""
    return Response(render_json(kind, noun), media_type="application/json")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
