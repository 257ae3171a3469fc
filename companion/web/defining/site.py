"""A page on which an owner describes something: its parts, and the application that serves it behind the guard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from companion.play.page.refusing import RefusedError
from companion.web.access.access import Need, own_names
from companion.web.access.guard import Guard
from companion.web.access.limits import RateLimit
from companion.web.app import REQUESTS, not_routed, refused, stumbled
from companion.web.defining.entering import let_in
from companion.web.files.sending import file_routes, page_file
from companion.web.site import COMMANDS, JOINS, STATIC
from companion.web.texts import TEXTS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from companion.web.access.access import Access

DeskT = TypeVar("DeskT")


@dataclass(frozen=True, slots=True)
class DescribingSite(Generic[DeskT]):
    """The parts that handlers work with.

    Attributes:
        access: who may do what: all of it needs the key.
        desk: where it is described.
        joins: limits tries to join.
        commands: limits what is sent.
    """

    access: Access
    desk: DeskT
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))


Handler: TypeAlias = "Callable[[DescribingSite[DeskT], Request], Awaitable[Response]]"


def build_describing_app(
    site: DescribingSite[DeskT], page: str, routes: Sequence[tuple[str, str, Handler[DeskT]]]
) -> ASGIApp:
    """Return the application.

    Args:
        site: its parts.
        page: the name of the HTML file among the static ones.
        routes: method, path and handler of everything but the page itself; each request needs the key.
    """

    async def index(request: Request) -> Response:
        """Send the page; with `key` in the address, a cookie instead and the page after it."""
        key = request.query_params.get("key")
        if key is None:
            return page_file(STATIC, page, request)
        return let_in(site.access, site.joins, request, may=site.access.keys.opens(key))

    async def join(request: Request) -> Response:
        code = request.query_params.get("code", "")
        return let_in(site.access, site.joins, request, may=site.access.keys.accepts(code))

    app = Starlette(
        routes=[
            Route("/", index, methods=["GET"]),
            Route("/join", join, methods=["GET"]),
            *(Route(path, _with_key(site, handler), methods=[method]) for method, path, handler in routes),
            TEXTS,
            *file_routes(STATIC),
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: stumbled},
    )
    return Guard(app, own_names(), RateLimit(*REQUESTS))


def _with_key(site: DescribingSite[DeskT], handler: Handler[DeskT]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        site.access.require(request, Need.TOUCH)
        return await handler(site, request)

    return endpoint
