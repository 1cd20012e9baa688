"""Every error as the same JSON: title, detail, fix; and the wall around the whole application.

A caller must always get a sentence it can show, never a traceback. What a person can mend is told
as it is; anything else is our fault, logged under an id that the answer names.
"""

import logging
import uuid

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailor.engine.errors import UserError
from tailor.recipes.knobs import UnknownChoiceError

logger = logging.getLogger(__name__)

BODY_BYTES = 1 << 20
"""Largest request; everything bigger travels as a file."""
TOO_LARGE = 413


def render_problem(error: UserError) -> JSONResponse:
    """The error as the client reads it."""
    body = {"title": error.title, "detail": error.detail, "fix": error.fix}
    # Whoever sends too much is not listened to any further.
    headers = {"Connection": "close"} if error.status == TOO_LARGE else {}
    return JSONResponse(body, status_code=error.status, headers=headers)


def add_problem_answers(app: FastAPI) -> None:
    """Answer every kind of error in our own form."""

    async def on_user_error(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, UserError)
        return render_problem(error)

    async def on_unknown_choice(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, UnknownChoiceError)
        return render_problem(UserError.of(error))

    async def on_invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return render_problem(_invalid(error))

    async def on_http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        return render_problem(_too_large() if error.status_code == TOO_LARGE else _unknown(error))

    app.add_exception_handler(UserError, on_user_error)
    app.add_exception_handler(UnknownChoiceError, on_unknown_choice)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
    app.add_middleware(Wall)


class Wall:
    """Outermost: caps the body, and turns what nobody foresaw into a plain sentence."""

    def __init__(self, app: ASGIApp) -> None:
        """`app` is everything inside."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        received_bytes = 0
        has_begun = False

        async def capped_receive() -> Message:
            nonlocal received_bytes
            message = await receive()
            received_bytes += len(message.get("body", b""))
            if received_bytes > BODY_BYTES:
                # FastAPI lets this one pass and calls any other error in a body a bad request.
                raise HTTPException(TOO_LARGE)
            return message

        async def noted_send(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, capped_receive, noted_send)
        except Exception as error:
            if has_begun:
                raise
            await render_problem(_explain(error, scope))(scope, receive, send)


def _explain(error: Exception, scope: Scope) -> UserError:
    error_id = uuid.uuid4().hex[:12]
    logger.error("error %s in %s %s", error_id, scope["method"], scope["path"], exc_info=error)
    return UserError(
        title="Something went wrong, and the fault is ours",
        detail=f"It is noted in the engine's log under {error_id}. Nothing of yours was lost.",
        fix="Try it once more. If it happens again, please report it with that id.",
        status=500,
    )


def _invalid(error: RequestValidationError) -> UserError:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the request"
    more = len(error.errors()) - 1
    return UserError(
        title="The engine does not understand this request",
        detail=f"{where}: {first['msg']}." + (f" There are {more} more faults." if more else ""),
        fix="Reload the page. If you wrote the request yourself, compare it with /v1/docs.",
    )


def _too_large() -> UserError:
    return UserError(
        title="This request is too large",
        detail=f"A request may have {BODY_BYTES // 1024:,} KB.",
        fix="Send less at once; files go into the inbox folder.",
        status=TOO_LARGE,
    )


def _unknown(error: HTTPException) -> UserError:
    return UserError(
        title="The engine does not know this request",
        detail=f"{error.detail} ({error.status_code}).",
        fix="Everything that it knows is listed under /v1/docs.",
        status=error.status_code,
    )
