"""The routes of a page: what each needs, the command that it takes, and the application that serves them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from companion.languages import said
from companion.play.page.routes import Body, Need, RefusedError
from companion.web.access import LASTS_S, Access, RateLimit, own_names
from companion.web.files import TEXTS, file_routes, files_of
from companion.web.guard import INTERNAL_ERROR, Guard
from companion.web.requests import LONGEST_BYTES, address_of, read_body, refusal

STATIC: Final = Path(__file__).parent / "static"
COMMANDS, JOINS, PICTURES, MOVES = (20.0, 10.0), (8.0, 0.1), (30.0, 15.0), (40.0, 15.0)
"""Rate limits per address: the number of requests at once, and per second in the long run."""
REQUESTS: Final = (400.0, 100.0)
"""The same for requests of any kind; a page that is not bundled takes about a hundred to load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSite:
    """The parts of any page that its routes need.

    Attributes:
        access: the access rules.
        joins: the rate limit of attempts to join.
        commands: the rate limit of commands.
    """

    access: Access
    joins: RateLimit = field(default_factory=lambda: RateLimit(*JOINS))
    commands: RateLimit = field(default_factory=lambda: RateLimit(*COMMANDS))


SiteT = TypeVar("SiteT", bound=PageSite)
BodyT = TypeVar("BodyT", bound=Body)
Handler: TypeAlias = Callable[[SiteT, Request], Awaitable[Response]]
CommandHandler: TypeAlias = Callable[[SiteT, Request, BodyT], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class PageRoute(Generic[SiteT]):
    """A route of a page.

    Attributes:
        path: the address, in Starlette's form.
        handler: returns the response to a request with the permission.
        need: the permission that it needs.
        body: the type of a command's body; None for a question, which is a GET request.
    """

    path: str
    handler: Handler[SiteT]
    need: Need = Need.WATCH
    body: type[Body] | None = None

    def served(self, site: SiteT) -> Route:
        """Return Starlette's route for a site."""

        async def endpoint(request: Request) -> Response:
            site.access.require(request, self.need)
            return await self.handler(site, request)

        return Route(self.path, endpoint, methods=["GET" if self.body is None else "POST"])


def commanded(
    path: str,
    handler: CommandHandler[SiteT, BodyT],
    body: type[BodyT],
    limit: Callable[[SiteT], RateLimit] = lambda site: site.commands,
    longest_bytes: int = LONGEST_BYTES,
) -> PageRoute[SiteT]:
    """Return the route of a command, which needs the key.

    Args:
        path: the address.
        handler: carries it out.
        body: the type of its body.
        limit: returns the rate limit that applies.
        longest_bytes: the largest size of the body.
    """

    async def checked(site: SiteT, request: Request) -> Response:
        within(limit(site), request, said("Too many commands: slow down."))
        return await handler(site, request, await read_body(request, body, longest_bytes))

    return PageRoute(path, checked, Need.TOUCH, body)


def within(limit: RateLimit, request: Request, says: str, wait_s: int = 1) -> None:
    """Count a request.

    Raises:
        RefusedError: 429, if it came too fast.
    """
    if not limit.allows(address_of(request.scope)):
        raise RefusedError(429, says, headers={"retry-after": str(wait_s)})


TOO_MANY_TRIES: Final = said("Too many tries: wait a minute.")


def entrances(
    page: str, static: Path = STATIC, paths: Iterable[str] = ("/",), refused: str = "/"
) -> tuple[PageRoute[Any], ...]:
    """Return the routes of a page itself: with its key in the address it sets the cookie, and so does a join code.

    Args:
        page: the name of its file.
        static: the folder of the page's files.
        paths: its addresses.
        refused: the address to which a wrong key or code leads.
    """

    def let_in(site: PageSite, *, may: bool) -> Response:
        # With a wrong key, too: it disappears from the address bar.
        response = RedirectResponse("/" if may else refused, 303)
        if may:
            # No `secure`: the table's own network has no certificates.
            key, age_s = site.access.keys.key, int(LASTS_S)
            response.set_cookie(site.access.cookie, key, max_age=age_s, httponly=True, samesite="strict")
        return response

    async def index(site: PageSite, request: Request) -> Response:
        key = request.query_params.get("key")
        if key is None:
            return files_of(static).sent(page, request)
        within(site.joins, request, TOO_MANY_TRIES, 60)
        return let_in(site, may=site.access.keys.opens(key))

    async def join(site: PageSite, request: Request) -> Response:
        within(site.joins, request, TOO_MANY_TRIES, 60)
        return let_in(site, may=site.access.keys.accepts(request.query_params.get("code", "")))

    return (*(PageRoute(path, index, Need.NOTHING) for path in paths), PageRoute("/join", join, Need.NOTHING))


# Applications.


class _Number(IntegerConvertor):
    """A number in an address. A longer one matches no route: no seat, game or tournament has it.

    Nine digits fit into the integers of every database; Python itself refuses to convert thousands.
    """

    regex = "[0-9]{1,9}"


# Before any route is made, here and in the hall's page.
register_url_convertor("number", _Number())


def application(routes: Iterable[Route], static: Path = STATIC, names: Iterable[str] = ()) -> ASGIApp:
    """Return the application of these routes and of a folder's files, behind the guard.

    Args:
        routes: the routes, without those of files.
        static: the folder of the page's files.
        names: further host names by which browsers may call this machine.
    """
    app = Starlette(
        routes=[*routes, TEXTS, *file_routes(static)],
        exception_handlers={RefusedError: _refused, HTTPException: _not_routed, Exception: _failed},
    )
    # GZipMiddleware does not compress event streams.
    return Guard(GZipMiddleware(app, minimum_size=1000), own_names(names), RateLimit(*REQUESTS))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)  # noqa: S101  # Starlette's type for handlers is wider.
    return refusal(request, error.status, error.errors, error.more, error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    del error
    # Starlette raises the error again once this is sent; the guard logs it.
    return refusal(request, 500, [INTERNAL_ERROR])


_SAID: Final = {404: said("There is no such page."), 405: said("This address does not support that.")}


async def _not_routed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # Starlette's type for handlers is wider.
    says = _SAID.get(error.status_code, error.detail)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        # Starlette names only the method of the first route that has this address.
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return refusal(request, error.status_code, [says], headers=headers)


def _methods(request: Request) -> set[str]:
    """Return the methods of all routes of an address; each route has only its own."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    matching = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in matching for method in route.methods or ()}
