"""The page on which the owner of a boxed Kvilt describes the sheet: served like the table's, behind the same guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route

from companion.play.page.refusing import RefusedError
from companion.web.access.access import own_names
from companion.web.access.guard import Guard
from companion.web.access.limits import RateLimit
from companion.web.app import REQUESTS, not_routed, refused, stumbled
from companion.web.defining import routes
from companion.web.defining.serving import DescribingPage
from companion.web.defining.site import DefiningSite
from companion.web.files.sending import file_routes
from companion.web.site import STATIC
from companion.web.texts import TEXTS

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from companion.config import PageConfig
    from companion.kvilt.defining import DefiningDesk


def build_defining_app(site: DefiningSite) -> ASGIApp:
    """Return the application."""
    app = Starlette(
        routes=[
            *(Route(path, routes.bound(site, handler), methods=[method]) for method, path, handler in routes.ROUTES),
            TEXTS,
            *file_routes(STATIC),
        ],
        exception_handlers={RefusedError: refused, HTTPException: not_routed, Exception: stumbled},
    )
    return Guard(app, own_names(), RateLimit(*REQUESTS))


class DefiningPage(DescribingPage):
    """The page, served between `with` and its end.

    Args:
        config: where it listens.
        desk: where the sheet is described.

    Raises:
        PageError: on entering, where it cannot be served.
    """

    def __init__(self, config: PageConfig, desk: DefiningDesk) -> None:
        super().__init__(config, lambda access: build_defining_app(DefiningSite(access, desk)))
