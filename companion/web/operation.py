"""An operation of the page's interface, from which its OpenAPI description is made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.languages import LANGUAGES
from companion.web.access.access import Need
from companion.web.readers import PARAMETER

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.play.page.bodies import Body
    from companion.web.site import Site

Handler: TypeAlias = "Callable[[Site, Request], Awaitable[Response]]"
Schema: TypeAlias = dict[str, Any]
COMMAND: Final = (400, 408, 409, 413, 415, 503)
"""The statuses, beside 200, with which any command may be answered."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the page's interface.

    Attributes:
        method: GET or POST.
        path: the route's path, in Starlette's form.
        name: the operation's name.
        says: a summary in one line.
        handler: the function that answers requests.
        need: the permission that it needs.
        gives: the media type of the response.
        statuses: the statuses beside 200 and those of every route.
        body: the type of the request's body, or None if it has none.
        query: the query parameters, by name, with their schemas.
    """

    method: str
    path: str
    name: str
    says: str
    handler: Handler
    need: Need = Need.WATCH
    gives: str = "application/json"
    statuses: tuple[int, ...] = ()
    body: type[Body] | None = None
    query: tuple[tuple[str, Schema], ...] = ()


def asked(
    path: str,
    handler: Handler,
    need: Need,
    gives: str = "application/json",
    *statuses: int,
    query: tuple[tuple[str, Schema], ...] = (),
) -> Operation:
    """Return the GET operation of a handler, described by its name and docstring."""
    return Operation("GET", path, *_described(handler), handler, need, gives, statuses, query=query)


def commanded(path: str, handler: Handler, body: type[Body], *statuses: int) -> Operation:
    """Return the POST operation of a handler; `statuses` are those beside the ones of every command."""
    return Operation("POST", path, *_described(handler), handler, Need.TOUCH, statuses=(*COMMAND, *statuses), body=body)


def _described(handler: Handler) -> tuple[str, str]:
    return handler.__name__, (handler.__doc__ or "").strip()


def in_language(operation: Operation) -> Operation:
    """Return the operation with a language parameter, for responses with sentences in the reader's language."""
    language: Schema = {"type": "string", "examples": [*LANGUAGES], "description": "Before the Accept-Language header."}
    return replace(operation, query=((PARAMETER, language), *operation.query))
