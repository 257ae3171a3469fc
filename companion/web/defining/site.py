"""The application of a page on which an owner describes something, and the parts that its handlers use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.languages import said
from companion.play.page.routes import RefusedError
from companion.web.access.access import Access, Need, RateLimit, own_names
from companion.web.access.guard import Guard, address_of
from companion.web.app import REQUESTS, internal_error, not_routed, refused
from companion.web.files.sending import file_routes, page_file
from companion.web.site import COMMANDS, JOINS, STATIC
from companion.web.texts import TEXTS


def let_in(access: Access, joins: RateLimit, request: Request, *, may: bool) -> Response:
    """Return a redirect to the page, with the key's cookie if `may` is set.

    Raises:
        RefusedError: 429, after too many attempts.
    """
    if not joins.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many tries: wait a minute."), headers={"retry-after": "60"})
    # With a wrong key, too: it disappears from the address bar, and the page says that a key is needed.
    response = RedirectResponse("/", 303)
    if may:
        response.set_cookie(access.cookie, access.keys.key, httponly=True, samesite="strict")
    return response


DeskT = TypeVar("DeskT")


@dataclass(frozen=True, slots=True)
class DescribingSite(Generic[DeskT]):
    """The parts that the handlers use.

    Attributes:
        access: the access rules; every request needs the key.
        desk: the state of the description.
        joins: the rate limit of attempts to join.
        commands: the rate limit of commands.
    """

    access: Access
    desk: DeskT
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))


Handler: TypeAlias = "Callable[[DescribingSite[DeskT], Request], Awaitable[Response]]"


def build_describing_app(
    site: DescribingSite[DeskT], page: str, routes: Sequence[tuple[str, str, Handler[DeskT]]]
) -> ASGIApp:
    """Return the application of a describing page, behind the guard.

    Args:
        site: the parts that the handlers use.
        page: the name of the HTML file in the static folder.
        routes: method, path and handler of all but the page itself; each request needs the key.
    """

    async def index(request: Request) -> Response:
        """Send the page, or, with `key` in the address, a redirect with the key's cookie."""
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
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: internal_error},
    )
    return Guard(app, own_names(), RateLimit(*REQUESTS))


def _with_key(site: DescribingSite[DeskT], handler: Handler[DeskT]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        site.access.require(request, Need.TOUCH)
        return await handler(site, request)

    return endpoint
