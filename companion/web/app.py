"""The application: the table of routes behind the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.languages import said
from companion.web.access import own_names
from companion.web.errors import RefusedError, refusal
from companion.web.guard import STUMBLED, Guard
from companion.web.limits import RateLimit
from companion.web.openapi import describe
from companion.web.operations import OPERATIONS
from companion.web.readers import reads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from companion.web.operations import Operation
    from companion.web.site import Site

REQUESTS: Final = (400.0, 100.0)
"""How many requests one address may make at once, and a second in the long run: a page takes about twenty to load."""


def build_app(site: Site, names: Iterable[str] = ()) -> ASGIApp:
    """The application over a site; `names` are further names by which browsers may call this machine."""
    routes = [_route(site, operation) for operation in OPERATIONS]
    described = describe(OPERATIONS, site.access.cookie)

    async def description(request: Request) -> Response:
        del request
        return JSONResponse(described)

    app = Starlette(
        routes=[
            *routes,
            Route("/api/openapi.json", description),
            Mount("/static", _Static(directory=site.static, check_dir=False)),
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: stumbled},
    )
    return Guard(app, own_names(names), RateLimit(*REQUESTS))


class _Static(StaticFiles):
    """The page's own files; a browser asks each time whether they have changed."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """See StaticFiles."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they are
        response.headers["cache-control"] = "no-cache"
        return response


def _route(site: Site, operation: Operation) -> Route:
    async def endpoint(request: Request) -> Response:
        site.access.require(request, operation.need)
        return await operation.handler(site, request)

    return Route(operation.path, endpoint, methods=[operation.method])


async def refused(request: Request, error: Exception) -> Response:
    """Answer a request that is not granted."""
    if not isinstance(error, RefusedError):
        raise error
    return refusal(error.status, error.errors, error.more, error.headers, reads(request))


async def stumbled(request: Request, error: Exception) -> Response:
    """Answer a request in which the program itself is at fault."""
    del error
    # Starlette raises the fault again when this is sent; the guard tells of it.
    return refusal(500, [STUMBLED], language=reads(request))


_SAID: Final = {404: said("There is no such page."), 405: said("That cannot be done with this address.")}


async def not_routed(request: Request, error: Exception) -> Response:
    """Answer a request for which there is no route."""
    if not isinstance(error, HTTPException):
        raise error
    says = _SAID.get(error.status_code, error.detail)
    return refusal(error.status_code, [says], headers=dict(error.headers or {}), language=reads(request))
