"""An operation of the page; the description of the interface follows from it."""

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
"""What any command may be answered."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the page.

    Attributes:
        method: GET or POST.
        path: the route, as Starlette has it.
        name: of the operation.
        says: what it returns or does, in a line.
        handler: does it.
        need: the permission that it needs.
        gives: the media type of the answer.
        statuses: what it answers beside 200 and what every route may.
        body: what it takes, or None if it takes nothing.
        query: the parameters in the address, by name, with their schemas.
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
    """Return the POST operation of a handler; `statuses` beside those that every command may be answered."""
    return Operation("POST", path, *_described(handler), handler, Need.TOUCH, statuses=(*COMMAND, *statuses), body=body)


def _described(handler: Handler) -> tuple[str, str]:
    return handler.__name__, (handler.__doc__ or "").strip()


def in_language(operation: Operation) -> Operation:
    """Return the operation with a language parameter, as its answer has sentences in the reader's language."""
    language: Schema = {"type": "string", "examples": [*LANGUAGES], "description": "Before the Accept-Language header."}
    return replace(operation, query=((PARAMETER, language), *operation.query))
