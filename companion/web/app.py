"""The ASGI application: the table of routes behind the guard."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Match, Route

from companion.languages import said
from companion.play.page.refusing import RefusedError
from companion.web.access.access import own_names
from companion.web.access.guard import INTERNAL_ERROR, Guard
from companion.web.access.limits import RateLimit
from companion.web.documents.routes import HELP_ROUTES
from companion.web.errors import refusal
from companion.web.files.sending import file_routes
from companion.web.operations import operations
from companion.web.schema.openapi import describe
from companion.web.texts import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from companion.play.page.json_type import Json
    from companion.web.operation import Operation
    from companion.web.site import Site

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
