"""Entry to a describing page: exchanges a key or join code in the address for a cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from companion.languages import said
from companion.play.page.refusing import RefusedError
from companion.web.access.guard import address_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.web.access.access import Access
    from companion.web.access.limits import RateLimit


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
