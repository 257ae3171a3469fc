"""Handlers for the routes that games define, one for each kind of route."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from companion.languages import said
from companion.play.inbox import CommandRefusedError, TableAwayError
from companion.play.page.interface import GamePage
from companion.play.page.routes import (
    Arranged,
    Asking,
    DeskRoute,
    Fixed,
    GameRoute,
    MoveRoute,
    OfFigures,
    OfGame,
    OfSeat,
    Ordered,
    Pictured,
    RefusedError,
    WatchedJson,
)
from companion.web.access.access import Need
from companion.web.archive.files import as_rows
from companion.web.gallery import jpeg
from companion.web.handlers.arranging import arrange, begin
from companion.web.handlers.commands import answered
from companion.web.handlers.figures import figures_of
from companion.web.handlers.library import found, number_of
from companion.web.handlers.reading import limit_pictures, seat_of
from companion.web.handlers.virtual import move
from companion.web.readers import language_of
from companion.web.schema.bodies import read_command
from companion.web.site import COMMAND, Operation, Site, in_language

_JSON, _JPEG, _CSV = "application/json", "image/jpeg", "text/csv"
# Error statuses of commands that not every table supports.
_WISH: Final = (*COMMAND, 404)


def game_operations(side: GamePage[Any]) -> Iterator[Operation]:
    """Yield the operations of one game: its set-up form, and its own routes."""
    form = side.form
    yield Operation(
        "POST", form.path, form.name, form.says, partial(begin, form=form), Need.TOUCH, statuses=_WISH, body=form.body
    )
    for route in side.routes:
        yield _operation(side, route)


def _operation(side: GamePage[Any], route: GameRoute) -> Operation:
    match route:
        case Fixed() | WatchedJson() | Pictured():
            return _asked(side, route)
        case OfGame() | OfFigures() | OfSeat():
            return _reading(side, route)
        case _:
            return _posting(side, route)


def _asked(side: GamePage[Any], route: Fixed | WatchedJson | Pictured) -> Operation:
    head = ("GET", route.path, route.name, route.says)
    match route:
        case Fixed():
            return Operation(*head, partial(_fixed, route=route), Need.NOTHING)
        case WatchedJson():
            return in_language(Operation(*head, partial(_shown, side=side, route=route), statuses=(404,)))
        case Pictured():
            handler = partial(_pictured, side=side, route=route)
            return Operation(*head, handler, Need.CAMERA, _JPEG, (400, 404), query=route.query)


def _reading(side: GamePage[Any], route: OfGame | OfFigures | OfSeat) -> Operation:
    head = ("GET", route.path, route.name, route.says)
    match route:
        case OfGame():
            return Operation(*head, partial(_of_game, side=side, route=route), statuses=(404,))
        case OfFigures():
            return Operation(*head, partial(_of_figures, side=side, route=route), gives=_CSV, statuses=(404,))
        case OfSeat():
            return Operation(*head, partial(_of_seat, route=route), Need.CAMERA, _JPEG, (404,))


def _posting(side: GamePage[Any], route: Ordered[Any] | MoveRoute[Any] | DeskRoute[Any] | Arranged[Any]) -> Operation:
    head, body = ("POST", route.path, route.name, route.says), route.body
    match route:
        case Ordered():
            return Operation(*head, partial(_ordered, route=route), Need.TOUCH, statuses=COMMAND, body=body)
        case MoveRoute():
            return Operation(*head, partial(move, route=route), Need.TOUCH, statuses=_WISH, body=body)
        case DeskRoute():
            handler = partial(_noted, side=side, route=route)
            return Operation(*head, handler, Need.TOUCH, statuses=_WISH, body=body)
        case Arranged():
            return Operation(*head, partial(arrange, route=route), Need.TOUCH, statuses=_WISH, body=body)


def _asking(site: Site, request: Request, side: GamePage[Any]) -> Asking:
    return Asking(site.desks.get(side.name), language_of(request), request.query_params)


async def _fixed(site: Site, request: Request, route: Fixed) -> Response:
    del site, request
    # Part of the program, which changes with an update only.
    return JSONResponse({"ok": True, **route.answer()}, headers={"cache-control": "private, max-age=3600"})


async def _shown(site: Site, request: Request, side: GamePage[Any], route: WatchedJson) -> Response:
    answer = route.answer(_asking(site, request, side))
    return JSONResponse({"ok": True, **answer})


async def _pictured(site: Site, request: Request, side: GamePage[Any], route: Pictured) -> Response:
    limit_pictures(site, request)
    asking = _asking(site, request, side)
    return Response(await run_in_threadpool(lambda: jpeg(route.draw(asking))), media_type=_JPEG)


async def _ordered(site: Site, request: Request, route: Ordered[Any]) -> Response:
    body = await read_command(site.commands, request, route.body)
    return await answered(site, request, site.inbox.put(route.command(body)))


async def _noted(site: Site, request: Request, side: GamePage[Any], route: DeskRoute[Any]) -> Response:
    body = await read_command(site.commands, request, route.body)
    noted = route.note(_asking(site, request, side), body)
    try:
        await asyncio.wait_for(asyncio.wrap_future(noted), site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except CommandRefusedError as refusal:
        raise RefusedError(503 if isinstance(refusal, TableAwayError) else 409, refusal.says) from None
    return JSONResponse({"ok": True, "says": ""})


async def _of_game(site: Site, request: Request, side: GamePage[Any], route: OfGame) -> Response:
    number = number_of(request)
    return JSONResponse({"ok": True, **await found(lambda: route.answer(site.archive.one(number, side)))})


async def _of_figures(site: Site, request: Request, side: GamePage[Any], route: OfFigures) -> Response:
    del request
    figures = await found(lambda: figures_of(site, side.name))
    return as_rows(route.rows(figures), route.file)


async def _of_seat(site: Site, request: Request, route: OfSeat) -> Response:
    folder = site.archive.folder
    path = None if folder is None else route.file(folder, number_of(request), seat_of(request))
    if path is None or not path.is_file():
        raise RefusedError(404, route.missing)
    return FileResponse(path, media_type=_JPEG, headers={"cache-control": "no-cache"})
