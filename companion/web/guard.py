"""ASGI middleware that refuses foreign sites and host names, limits rates, and adds security headers."""

import logging
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.languages import said
from companion.web.access import RateLimit, host_of, is_own
from companion.web.requests import address_of, refusal

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


class Guard:
    """A wrapper around the whole application.

    Args:
        app: the application.
        names: the host names of this machine, lower case.
        limit: the rate limit per address.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str], limit: RateLimit) -> None:
        self._app, self._names, self._limit = app, names, limit

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
        if not _is_from_here(headers, authority, scope["method"]):
            return 403, said("Other sites are not allowed to use the page.")
        if not self._limit.allows(address_of(scope)):
            return 429, said("Too many requests: slow down.")
        return None


def _refusal(scope: Scope, status: int, says: str) -> ASGIApp:
    return refusal(HTTPConnection(scope), status, [says])


def _is_from_here(headers: Headers, authority: str, method: str) -> bool:
    """Return whether a request is same-origin, a plain navigation, or not from a browser.

    Browsers send `Origin` or `Sec-Fetch-Site`; a client that sends neither is no browser and has no cookie to abuse.
    """
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{authority.lower()}":
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
