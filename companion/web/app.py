"""The ASGI application: the table of routes behind the guard."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Final

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from companion.languages import said
from companion.play.page.interface import GamePages
from companion.play.page.routes import Json, NothingMore, RefusedError
from companion.web.access.access import Need, RateLimit, own_names
from companion.web.access.guard import INTERNAL_ERROR, Guard
from companion.web.documents.routes import HELP_ROUTES
from companion.web.errors import refusal
from companion.web.files.sending import file_routes
from companion.web.handlers import arranging, calibration, commands, figures, forgetting, library, reading, virtual
from companion.web.handlers.game_routes import game_operations
from companion.web.schema.openapi import describe
from companion.web.site import Handler, Operation, Schema, Site, asked, commanded, in_language
from companion.web.texts import TEXTS


def operations(games: GamePages) -> tuple[Operation, ...]:
    """Return all operations of a page for these games."""
    return (*_OF_ANY_GAME, *_archive(games), *(each for side in games.values() for each in game_operations(side)))


def _in_lots(operation: Operation) -> Operation:
    """Return the operation with the paging parameters of a list."""
    limit: Schema = {"type": "integer", "minimum": 1, "maximum": library.MOST}
    before: Schema = {"type": "integer", "minimum": 1}
    return replace(operation, query=(*operation.query, (library.LIMIT, limit), (library.BEFORE, before)))


def _page(path: str, handler: Handler, parameter: str = "key") -> Operation:
    return asked(path, handler, Need.NOTHING, "text/html", 303, query=((parameter, {"type": "string"}),))


_FLAG: Final[Schema] = {"type": "string", "enum": ["0", "1"]}
_OF_ANY_GAME: Final = (
    _page("/", reading.index),
    _page("/tv", reading.index),
    _page("/watch", reading.index),
    _page("/join", reading.join, "code"),
    asked("/api/me", reading.me, Need.NOTHING),
    in_language(asked("/api/snapshot", reading.snapshot, Need.WATCH, "application/json", 503)),
    in_language(asked("/api/events", reading.stream, Need.WATCH, "text/event-stream", 503)),
    asked("/api/code", reading.code, Need.TOUCH),
    asked("/api/code.svg", reading.code_svg, Need.TOUCH, "image/svg+xml", 404),
    asked("/camera.jpg", reading.camera, Need.CAMERA, "image/jpeg", 400, 404, query=(("reading", _FLAG),)),
    asked("/crop/{seat:number}.jpg", reading.crop, Need.CAMERA, "image/jpeg", 404),
    commanded("/api/press", commands.press, commands.Pressed),
    commanded("/api/answer", commands.answer, commands.Answered),
    commanded("/api/insist", commands.insist, NothingMore),
    asked("/api/voice", commands.voices, Need.WATCH),
    commanded("/api/voice", commands.choose_voice, commands.Voiced),
    asked("/api/setup", arranging.setup, Need.TOUCH, "application/json", 404),
    commanded("/api/setup/resume", arranging.resume, arranging.Resumed, 404),
    asked("/api/calibration", calibration.state, Need.TOUCH, "application/json", 404),
    commanded("/api/calibration/begin", calibration.begin, NothingMore, 404),
    commanded("/api/calibration/corners", calibration.corners, calibration.BoardCornersBody, 404),
    commanded("/api/calibration/save", calibration.save, calibration.Saved, 404),
    asked("/api/virtual", virtual.table, Need.WATCH, "application/json", 404, 503),
)


def _archive(games: GamePages) -> tuple[Operation, ...]:
    of_game = (("game", {"type": "string", "enum": [*games]}),)
    kept, csv, watch = "application/json", "text/csv", Need.WATCH
    return (
        asked("/api/statistics", figures.statistics, watch, kept, 400, 404, query=of_game),
        asked("/api/players.csv", figures.players_csv, watch, csv, 400, 404, query=of_game),
        _in_lots(in_language(asked("/api/games", library.games, watch, kept, 400, 404))),
        asked("/api/games.csv", library.games_csv, watch, csv, 400, 404, query=of_game),
        in_language(asked("/api/games/{game:number}", library.game, watch, kept, 404)),
        in_language(asked("/api/games/{game:number}/replay", library.replay, watch, kept, 404)),
        asked("/api/games/{game:number}/record.jsonl", library.record, watch, "application/jsonl", 404),
        asked("/api/games/{game:number}/decisions.csv", library.decisions_csv, watch, csv, 404),
        commanded("/api/games/{game:number}/delete", forgetting.delete_game, forgetting.Deletion, 404),
        commanded("/api/players/forget", forgetting.forget_player, forgetting.Named, 404),
    )


REQUESTS: Final = (400.0, 100.0)
"""The number of requests that one address may make at once, and per second in the long run; a page takes about twenty
to load."""


class _Number(IntegerConvertor):
    """A number in an address. A longer one matches no route: no seat, game or tournament has it.

    Nine digits fit into the integers of every database; Python itself refuses to convert thousands.
    """

    regex = "[0-9]{1,9}"


# Before any route is made, here and in the hall's page.
register_url_convertor("number", _Number())


def build_app(site: Site, names: Iterable[str] = ()) -> ASGIApp:
    """Return the application of a site; `names` are further host names by which browsers may call this machine."""
    offered = operations(site.games)
    routes = [_route(site, operation) for operation in offered]

    @cache
    def described() -> Json:
        """Return the OpenAPI document, made on first request: it is rarely asked for, and slow to make."""
        return describe(offered, site.access.cookie, site.games)

    async def description(request: Request) -> Response:
        del request
        return JSONResponse(described())

    app = Starlette(
        routes=[
            *routes,
            Route("/api/openapi.json", description),
            TEXTS,
            *HELP_ROUTES,
            *file_routes(site.static),
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: internal_error},
    )
    # GZipMiddleware does not compress event streams.
    return Guard(GZipMiddleware(app, minimum_size=1000), own_names(names), RateLimit(*REQUESTS))


def _route(site: Site, operation: Operation) -> Route:
    async def endpoint(request: Request) -> Response:
        site.access.require(request, operation.need)
        return await operation.handler(site, request)

    return Route(operation.path, endpoint, methods=[operation.method])


async def refused(request: Request, error: Exception) -> Response:
    """Return the response to a refused request."""
    if not isinstance(error, RefusedError):
        raise error
    return refusal(request, error.status, error.errors, error.more, error.headers)


async def internal_error(request: Request, error: Exception) -> Response:
    """Return the response to a request that failed by an error in the program."""
    del error
    # Starlette raises the error again once this is sent; the guard logs it.
    return refusal(request, 500, [INTERNAL_ERROR])


_SAID: Final = {404: said("There is no such page."), 405: said("This address does not support that.")}


async def not_routed(request: Request, error: Exception) -> Response:
    """Return the response to a request for which there is no route."""
    if not isinstance(error, HTTPException):
        raise error
    says = _SAID.get(error.status_code, error.detail)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        # Starlette names only the method of the first route that has this address.
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return refusal(request, error.status_code, [says], headers=headers)


def _methods(request: Request) -> set[str]:
    """Return the methods of all routes of an address; each route has only its own."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    return {
        method
        for route in routes
        if route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }
