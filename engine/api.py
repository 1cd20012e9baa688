"""The engine's API: everything that the wizard, the command line and other programs can do.

JSON over the private socket, described at `/v1/openapi.json`. Routes are found by a scan of
`tailor.engine.routes`, so a new noun is one file. The server serves what `create_api` answers.
"""

import importlib
import pkgutil

from fastapi import APIRouter, FastAPI

import tailor
from tailor.engine import routes
from tailor.engine.http.problem_answer import add_problem_answers
from tailor.engine.parts import Parts


def create_api(parts: Parts) -> FastAPI:
    """The application over these parts."""
    app = FastAPI(
        title="Tailor's engine",
        version=tailor.__version__,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        # An id that is empty is unknown, and no other address.
        redirect_slashes=False,
    )
    app.state.parts = parts
    add_problem_answers(app)
    for router in find_routers():
        app.include_router(router)
    return app


def find_routers() -> tuple[APIRouter, ...]:
    """The `ROUTER` of every file in the routes folder."""
    names = sorted(module.name for module in pkgutil.iter_modules(routes.__path__))
    return tuple(importlib.import_module(f"{routes.__name__}.{name}").ROUTER for name in names)
