"""The table's controls on the page: each command goes to the turn loop, and its answer comes back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Final

from starlette.responses import JSONResponse

from companion import events
from companion.games.patchwork import mask_of
from companion.inbox import Answer, CommandRefusedError, Insist, NamePatch, Override, TableAwayError
from companion.languages import said, tell
from companion.sentences import sentences
from companion.web.bodies import Body, NothingMore, read_command
from companion.web.errors import RefusedError
from companion.web.readers import reads
from companion.web.values import Cells, Patch, Seat, between
from hardware.ports import Button

if TYPE_CHECKING:
    from concurrent.futures import Future

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.kvilt.news import AnyEvent
    from companion.web.jsontype import Json
    from companion.web.site import Site

_MOST_OPTIONS: Final = 99


class Pressed(Body):
    """A button that was pressed."""

    button: Button


class Answered(Body):
    """The number of an answer; null for none of them."""

    option: Annotated[int, between(0, _MOST_OPTIONS)] | None


class Overridden(Body):
    """What lies on a quilt."""

    distinct = ("cells",)
    seat: Seat
    cells: Cells
    patch: Patch | None = None


class Named(Body):
    """A patch."""

    patch: Patch


async def press(site: Site, request: Request) -> Response:
    """Press a button."""
    body = await read_command(site.commands, request, Pressed)
    return await _answered(site, request, site.controls.press(body.button))


async def answer(site: Site, request: Request) -> Response:
    """Answer the open question."""
    body = await read_command(site.commands, request, Answered)
    return await _answered(site, request, site.inbox.put(Answer(body.option)))


async def override(site: Site, request: Request) -> Response:
    """Tell what lies on a quilt."""
    body = await read_command(site.commands, request, Overridden)
    told = Override(body.seat, mask_of(body.cells), body.patch)
    return await _answered(site, request, site.inbox.put(told))


async def name(site: Site, request: Request) -> Response:
    """Tell which patch it is."""
    body = await read_command(site.commands, request, Named)
    return await _answered(site, request, site.inbox.put(NamePatch(body.patch)))


async def insist(site: Site, request: Request) -> Response:
    """Tell that what is complained of lies as it is meant."""
    await read_command(site.commands, request, NothingMore)
    return await _answered(site, request, site.inbox.put(Insist()))


async def _answered(site: Site, request: Request, outcome: Future[tuple[AnyEvent, ...]]) -> Response:
    """Wait for the table's answer; a command that it has not come to by then is withdrawn."""
    try:
        heard = await asyncio.wait_for(asyncio.wrap_future(outcome), site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, _silence(site), headers={"retry-after": "1"}) from None
    except CommandRefusedError as refusal:
        status = 503 if isinstance(refusal, TableAwayError) else 409
        raise RefusedError(status, refusal.says, more=_candidates(refusal)) from None
    says = " ".join(tell(sentence, reads(request)) for sentence in _said(heard))
    if any(isinstance(event, events.Complained | events.NothingToUndo) for event in heard):
        raise RefusedError(409, says)
    return JSONResponse({"ok": True, "says": says})


def _silence(site: Site) -> str:
    """Why the table has not answered."""
    if site.circle is not None and site.circle.looking:
        return said("The camera is still looking at the circle of patches: try again in a moment.")
    return said("The table does not answer; try again.")


def _candidates(refusal: CommandRefusedError) -> Json | None:
    return {"candidates": list(refusal.candidates)} if refusal.candidates else None


def _said(heard: tuple[AnyEvent, ...]) -> tuple[str, ...]:
    """The sentences of the last event that has any: what led to it is no news for who gave the command."""
    return next((told for event in reversed(heard) if (told := sentences(event))), ())
