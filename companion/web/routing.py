"""The routes of a page, what each needs and the command that it takes; the application behind its guard."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.languages import reason, said
from companion.play.page import Body, Need, RefusedError
from companion.web.access import LASTS_S, Access, RateLimit, host_of, is_own, own_names
from companion.web.files import TEXTS, file_routes, files_of
from companion.web.requests import LONGEST_BYTES, MissingError, address_of, read_body, refusal

_LOG: Final = logging.getLogger(__name__)

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_FENCE: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # The terminal's link carries the key.
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
# Headers that browsers use in documents only; on every other file they would waste a tenth of a kilobyte.
_OF_DOCUMENTS: Final = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_DOCUMENTS: Final = ("text/html", "image/svg+xml", "application/pdf")
# Media types sent without a policy: they run no code, and the policy of the page that loads them applies.
_LOOKS: Final = ("text/css", "font/")
INTERNAL_ERROR: Final = said("The page had a problem; see the terminal.")
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


async def _one_second() -> None:
    await asyncio.sleep(1.0)


class Guard:
    """A wrapper around the whole application.

    Args:
        app: the application.
        names: the host names of this machine, lower case.
        limit: the rate limit per address.
        delay: waited for before a request that came too fast is answered, so that a client which asks again at once
            takes no more of the program's time than the limit allows.
    """

    def __init__(
        self, app: ASGIApp, names: frozenset[str], limit: RateLimit, delay: Callable[[], Awaitable[None]] = _one_second
    ) -> None:
        self._app, self._names, self._limit, self._delay = app, names, limit, delay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an HTTP request; lifespan scopes are passed on, all others (web sockets) are ignored."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        started = False

        async def fenced(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _fence(message)
            await send(message)

        refused = self._refused(scope)
        if refused == _TOO_FAST:
            await self._delay()
        app: ASGIApp = self._app if refused is None else _refusal(scope, *refused)
        try:
            await app(scope, receive, fenced)
        except Exception:
            _LOG.exception("%s %s failed", scope["method"], scope["path"])
            # Once a response has begun, another one cannot follow; the connection ends with the first one unfinished.
            if not started:
                await _refusal(scope, 500, INTERNAL_ERROR)(scope, receive, fenced)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return status and sentence of a refusal, or None if the request may be served."""
        headers = Headers(scope=scope)
        authority = headers.get("host", "")
        # Foreign names and sites first: they must not use up the rate of the user whose browser they abuse.
        if not is_own(host_of(authority), self._names):
            return 403, said("The page cannot be opened by this name: use its address.")
        if not _is_from_here(headers, f"{scope['scheme']}://{authority.lower()}", scope["method"]):
            return 403, said("Other sites are not allowed to use the page.")
        if not self._limit.allows(address_of(scope)):
            return _TOO_FAST
        return None


_TOO_FAST: Final = (429, said("Too many requests: slow down."))


def _refusal(scope: Scope, status: int, says: str) -> ASGIApp:
    return refusal(HTTPConnection(scope), status, [says])


def _is_from_here(headers: Headers, own: str, method: str) -> bool:
    """Return whether a request is same-origin, a plain navigation, or not from a browser.

    Browsers send `Origin` or `Sec-Fetch-Site`; a client that sends neither is no browser and has no cookie to abuse.
    """
    origin = headers.get("origin")
    if origin is not None and origin.lower() != own:
        return False
    site = headers.get("sec-fetch-site", "none")
    if site in ("same-origin", "none"):
        return True
    # A link on another site may open the page, but nothing there may load or send anything.
    return method in _SAFE and headers.get("sec-fetch-mode") == "navigate"


def _fence(message: Message) -> None:
    headers = MutableHeaders(scope=message)
    kind = headers.get("content-type", "")
    fence = {**_FENCE, **_OF_DOCUMENTS} if kind.startswith(_DOCUMENTS) else _FENCE
    for name, value in fence.items():
        if name != "content-security-policy" or not kind.startswith(_LOOKS):
            headers.setdefault(name, value)
    # What is not a file shows the table at one moment, and perhaps players' names.
    headers.setdefault("cache-control", "no-store")


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

    def let_in(site: PageSite, request: Request, *, may: bool) -> Response:
        # With a wrong key, too: it disappears from the address bar.
        response = RedirectResponse("/" if may else refused, 303)
        if may:
            key, age_s, secure = site.access.keys.key, int(LASTS_S), request.url.scheme == "https"
            response.set_cookie(site.access.cookie, key, max_age=age_s, httponly=True, samesite="strict", secure=secure)
        return response

    async def index(site: PageSite, request: Request) -> Response:
        key = request.query_params.get("key")
        if key is None:
            return files_of(static).sent(page, request)
        within(site.joins, request, TOO_MANY_TRIES, 60)
        # A key that was sent in the clear lets nobody in.
        return let_in(site, request, may=site.access.keys.opens(key) and site.access.is_private(request))

    async def join(site: PageSite, request: Request) -> Response:
        within(site.joins, request, TOO_MANY_TRIES, 60)
        if not site.access.is_private(request):
            return RedirectResponse(site.access.secure_url(request, f"/join?{request.url.query}"), 303)
        return let_in(site, request, may=site.access.keys.accepts(request.query_params.get("code", "")))

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
        exception_handlers={
            RefusedError: _refused,
            MissingError: _missing,
            HTTPException: _not_routed,
            ClientDisconnect: _left,
            Exception: _failed,
        },
    )
    # GZipMiddleware does not compress event streams.
    return Guard(GZipMiddleware(app, minimum_size=1000), own_names(names), RateLimit(*REQUESTS))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)  # noqa: S101  # Starlette's type for handlers is wider.
    return refusal(request, error.status, error.errors, error.more, error.headers)


async def _missing(request: Request, error: Exception) -> Response:
    return refusal(request, 404, [reason(error)])


async def _left(request: Request, error: Exception) -> Response:
    """Return a response that is not sent, as the client is gone; nginx logs this status then."""
    del request, error
    return Response(status_code=499)


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
