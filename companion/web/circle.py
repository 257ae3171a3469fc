"""The circle as the camera saw it, on the page: who has the table's key confirms or corrects it."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from companion.inbox import CommandRefusedError, TableAwayError
from companion.languages import ENGLISH, said, tell
from companion.market.confirming import AllRight, LiesBehind, PlaceIs, PlaceRight
from companion.web.bodies import Body, BodyT, read_command
from companion.web.drawing import jpeg
from companion.web.errors import RefusedError
from companion.web.guard import address_of
from companion.web.readers import reads
from companion.web.values import Patch, between

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from starlette.requests import Request

    from companion.bootstrap.circledesk import CircleDesk, LaidOut
    from companion.languages import Language
    from companion.market.confirming import Telling
    from companion.web.jsontype import Json
    from companion.web.site import Site

TOPIC: Final = "circle"
"""The hub's topic of the circle that lies out to be confirmed."""
_NUMBER: Final = re.compile("0*[1-9][0-9]*")
_MARGIN: Final = 0.04
"""Of the picture's width, around the pieces."""
_Place: TypeAlias = Annotated[int, between(1, 99)]


class Placed(Body):
    """A place of the circle, and the patch that lies there; null for none of the game."""

    place: _Place
    patch: Patch | None


class Behind(Body):
    """A place of the circle, and the patch behind it."""

    place: _Place
    patch: Patch


class Right(Body):
    """A place of the circle; null for all."""

    place: _Place | None


async def shown(site: Site, request: Request) -> Response:
    """The circle as the camera saw it, and what people have said of it; null where there is nothing to confirm."""
    desk = _desk(site)
    return JSONResponse({"ok": True, **desk_json(desk.laid, desk.share, reads(request))})


async def picture(site: Site, request: Request) -> Response:
    """The part of the picture in which the circle was seen."""
    if not site.pictures.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many pictures: slow down."), headers={"retry-after": "1"})
    _check_number(request)
    laid = _desk(site).laid
    if laid is None:
        raise RefusedError(404, said("There is no picture: no circle was seen."))
    left, top, right, bottom = _frame(laid)
    drawn = await run_in_threadpool(jpeg, laid.image[top:bottom, left:right])
    return Response(drawn, media_type="image/jpeg")


async def place(site: Site, request: Request) -> Response:
    """Say which patch lies in a place; null: none of the game."""
    body = await _body(site, request, Placed)
    return await _told(site, PlaceIs(body.place, body.patch))


async def behind(site: Site, request: Request) -> Response:
    """Say behind which place a patch lies that was not seen."""
    body = await _body(site, request, Behind)
    return await _told(site, LiesBehind(body.place, body.patch))


async def right(site: Site, request: Request) -> Response:
    """Say that a place is as shown; null: that all are."""
    body = await _body(site, request, Right)
    return await _told(site, AllRight() if body.place is None else PlaceRight(body.place))


def desk_json(laid: LaidOut | None, share: float | None, language: Language = ENGLISH) -> Json:
    """What lies out, whether the circle is being looked at, and how far that has come, 0..1; null where it is not."""
    rounded = None if share is None else round(share, 2)
    return {"circle": circle_json(laid, language), "looking": share is not None, "share": rounded}


def circle_json(laid: LaidOut | None, language: Language = ENGLISH) -> Json | None:
    """What the page is sent of it, notes in a language; points are pixels of the picture that the page shows."""
    if laid is None or not laid.proposal.seen.pieces:
        return None
    left, top, right_px, bottom = _frame(laid)
    proposal, corner = laid.proposal, np.array([left, top])
    return {
        "number": laid.number,
        "known": laid.known,
        "picture": f"/circle.jpg?of={laid.number}",
        "width": right_px - left,
        "height": bottom - top,
        "places": [
            {
                "place": each.number,
                "patch": each.patch,
                "standing": each.standing.value,
                "candidates": list(each.candidates),
                "whole": piece.whole,
                "outline": _points(piece.outline_px - corner),
                "middle": _points(np.array([piece.centre_px]) - corner)[0],
            }
            for each, piece in zip(proposal.places, proposal.seen.pieces, strict=True)
        ],
        "behind": [{"place": number, "patch": patch} for number, patch in proposal.behind],
        "missing": list(proposal.missing),
        "notes": [tell(note, language) for note in proposal.seen.notes],
    }


def _points(points: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def _frame(laid: LaidOut) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of the picture that holds all pieces, in pixels."""
    height, width = laid.image.shape[:2]
    points = np.concatenate([piece.outline_px for piece in laid.proposal.seen.pieces] or [np.zeros((1, 2))])
    margin = _MARGIN * width
    left, top = np.maximum(np.floor(points.min(axis=0) - margin), 0).astype(int).tolist()
    right_px, bottom = np.minimum(np.ceil(points.max(axis=0) + margin), [width, height]).astype(int).tolist()
    return left, top, right_px, bottom


async def _told(site: Site, telling: Telling) -> Response:
    """Wait until the table has noted it."""
    outcome = asyncio.wrap_future(_desk(site).tell(telling))
    try:
        await asyncio.wait_for(outcome, site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except CommandRefusedError as refusal:
        raise RefusedError(503 if isinstance(refusal, TableAwayError) else 409, refusal.says) from None
    return JSONResponse({"ok": True, "says": ""})


async def _body(site: Site, request: Request, kind: type[BodyT]) -> BodyT:
    _desk(site)
    return await read_command(site.commands, request, kind)


def _desk(site: Site) -> CircleDesk:
    if site.circle is None:
        raise RefusedError(404, said("No circle is confirmed at this table."))
    return site.circle


def _check_number(request: Request) -> None:
    """Which circle's picture is asked for; it only keeps browsers from showing an earlier one again."""
    number = request.query_params.get("of")
    if number is not None and not _NUMBER.fullmatch(number):
        raise RefusedError(400, said("of must be a whole number from 1."))
