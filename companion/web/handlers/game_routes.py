"""The routes that games define: what a game answers, as a response."""

from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from companion.errors import CompanionError
from companion.pictures import jpeg
from companion.play.page import (
    Answer,
    Asking,
    Body,
    BodyT,
    GamePage,
    GameRequest,
    GameRoute,
    HandMove,
    Need,
    Order,
    RefusedError,
    Rows,
)
from companion.web.account import JPEG_QUALITY
from companion.web.files import StaticFile
from companion.web.handlers.arranging import begin
from companion.web.handlers.commands import answered, move, wait_for
from companion.web.handlers.library import as_rows, figures_of, in_json, stored
from companion.web.handlers.reading import limit_pictures
from companion.web.requests import language_of
from companion.web.routing import PageRoute, commanded
from companion.web.site import Site


def routes_of(side: GamePage[Any]) -> Iterator[PageRoute[Site]]:
    """Yield the page's routes for the routes of one game."""
    for route in side.routes:
        yield _question(side, route) if route.body is None else _command(side, route, route.body)


def _question(side: GamePage[Any], route: GameRoute[Any]) -> PageRoute[Site]:
    async def handler(site: Site, request: Request) -> Response:
        if route.need is Need.CAMERA:
            limit_pictures(site, request)
        asking = _asking(site, request, side, None)
        if route.costly:
            name = (side.name, route.path, request.url.query)
            return await stored(site, request, name, partial(_made, route, asking), asking.numbers.get("game"))
        answer = await run_in_threadpool(lambda: _encoded(route.answer(asking)))
        # Open to all clients is only what is part of the program, and changes with an update.
        headers = {"cache-control": "private, max-age=3600"} if route.need is Need.NOTHING else None
        return answer if isinstance(answer, Response) else JSONResponse({"ok": True, **answer}, headers=headers)

    return PageRoute(route.path, handler, route.need)


def _made(route: GameRoute[Any], asking: Asking[None]) -> StaticFile:
    match route.answer(asking):
        case dict() as body:
            return in_json(lambda: body)
        case Rows() as rows:
            return as_rows(rows)
        case other:
            raise TypeError(f"a costly question is answered by {type(other)}")


def _encoded(answer: Answer) -> Response | dict[str, Any]:
    match answer:
        case dict():
            return answer
        case Path():
            return FileResponse(answer, media_type="image/jpeg", headers={"cache-control": "no-cache"})
        case Rows() | GameRequest() | Order() | HandMove() | Future():
            raise TypeError(f"a question is answered by {type(answer)}")
        case picture:
            return Response(jpeg(picture, JPEG_QUALITY), media_type="image/jpeg")


def _command(side: GamePage[Any], route: GameRoute[Any], kind: type[Body]) -> PageRoute[Site]:
    async def handler(site: Site, request: Request, body: Any) -> Response:
        try:
            answer = route.answer(_asking(site, request, side, body))
        except CompanionError as error:
            raise RefusedError(409, *error.args) from None
        return await _carried_out(site, request, answer)

    return commanded(route.path, handler, kind, lambda site: site.moves if route.dragged else site.commands)


async def _carried_out(site: Site, request: Request, answer: Answer) -> Response:
    match answer:
        case Order():
            return await answered(site, request, site.inbox.put(answer.command))
        case HandMove():
            return await move(site, answer)
        case GameRequest():
            return await begin(site, answer)
        case Future():
            await wait_for(answer, site.answers_in_s)
            return JSONResponse({"ok": True, "says": ""})
        case dict():
            return JSONResponse({"ok": True, "says": "", **answer})
        case _:
            raise TypeError(f"a command is answered by {type(answer)}")


def _asking(site: Site, request: Request, side: GamePage[Any], body: BodyT) -> Asking[BodyT]:
    numbers = {name: int(value) for name, value in request.path_params.items()}
    return Asking(
        body,
        site.desks.get(side.name),
        language_of(request),
        request.query_params,
        numbers,
        archived=lambda number: site.archive.one(number, side),
        figures=lambda: figures_of(site, side.name),
        folder=site.archive.folder,
    )
