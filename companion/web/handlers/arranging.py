"""Set-up on the page: the next game, an earlier one to resume, and the table's calibration."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.calibrating.desk import CalibrationDesk, View
from companion.calibrating.remarks import CalibrationRefusedError
from companion.errors import CompanionError
from companion.languages import render, said
from companion.play.host import Host
from companion.play.page import Body, GameRequest, Json, NothingMore, RefusedError, SetupOffer, between
from companion.web.archive import NoGameError
from companion.web.handlers.commands import wait_for
from companion.web.handlers.reading import limit_pictures
from companion.web.requests import language_of
from companion.web.site import Site

_NAMES_SHOWN: Final = 20


class Resumed(Body):
    """The number of a game to resume; `leave` permits leaving the game on the table."""

    game: Annotated[int, between(1, 2**63 - 1)]
    leave: bool = False


async def setup(site: Site, request: Request) -> Response:
    """Return the set-up of the next game, the choices for it, and the games that can be resumed."""
    reader, host = language_of(request), _host(site)
    try:
        games = await run_in_threadpool(site.archive.under_way, host.table)
        names = await run_in_threadpool(site.archive.names)
    # Without a readable journal a new game can still be arranged.
    except NoGameError:
        games, names = [], []
    account = site.account()
    table, live = account.table, account.game_id
    offers: Json = {}
    for side in site.games.values():
        if side.offer is not None:
            offers[side.name] = side.offer(SetupOffer(host.arrangement(side.name), host.language, host.by_hand, reader))
    return JSONResponse(
        {
            "ok": True,
            "game": host.game.name,
            "titles": {name: render(side.title, reader) for name, side in site.games.items()},
            "language": host.language,
            **offers,
            "under_way": table is not None and table.state.decisions_made > 0 and not table.state.finished,
            "games": [known for known in games if known["id"] != live],
            "names": names[:_NAMES_SHOWN],
        }
    )


async def begin(site: Site, wish: GameRequest) -> Response:
    """Begin a requested game."""
    host = _host(site)
    opened = requested(host, wish)
    # Only for a request that was accepted.
    host.language = wish.language
    await wait_for(opened, site.opens_in_s)
    return JSONResponse({"ok": True, "says": ""})


async def resume(site: Site, _: Request, body: Resumed) -> Response:
    """Resume a game that was interrupted or left."""
    host = _host(site)
    known = await run_in_threadpool(site.archive.under_way, host.table)
    # A damaged game is not under way, but the table may offer it.
    offered = site.account().interrupted
    if body.game not in {game["id"] for game in known} | ({offered.game_id} if offered is not None else set()):
        raise RefusedError(409, said("This game cannot be resumed."))
    await wait_for(host.resume(body.game, leaves=body.leave), site.opens_in_s)
    return JSONResponse({"ok": True, "says": ""})


def requested(host: Host, wish: GameRequest) -> Future[None]:
    """Request a game; the future resolves once it is open.

    Raises:
        RefusedError: 409, if it cannot begin.
    """
    try:
        return host.begin(wish.arrangement, leaves=wish.leaves)
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None


def _host(site: Site) -> Host:
    if site.host is None:
        raise RefusedError(404, said("No other game can be started at this table."))
    return site.host


# A calibration.


_LOG: Final = logging.getLogger(__name__)
FURTHEST_PX: Final = 20_000.0
"""A limit for coordinates, larger than any picture."""
_Board: TypeAlias = Annotated[int, between(1, 2)]
_Px: TypeAlias = Annotated[float, between(-FURTHEST_PX, FURTHEST_PX)]


class BoardCornersBody(Body):
    """A board's corners in the picture, in pixels."""

    seat: _Board
    corners: Annotated[tuple[tuple[_Px, _Px], ...], Meta(min_length=4, max_length=4)]


class Saved(Body):
    """A command to save the calibration, with `anyway` in spite of remarks."""

    anyway: bool = False


async def calibration(site: Site, request: Request) -> Response:
    """Return the state of the calibration in the newest picture."""
    host, desk = _calibrated(site)
    limit_pictures(site, request)
    host.want_pictures()
    view = await run_in_threadpool(lambda: desk.see(site.gallery.newest_frame))
    return JSONResponse({"ok": True, **_view_json(view)})


async def begin_calibration(site: Site, request: Request, body: NothingMore) -> Response:
    """Begin the calibration anew, discarding corners that were moved."""
    del request, body
    host, desk = _calibrated(site)
    host.want_pictures()
    await run_in_threadpool(desk.begin)
    return JSONResponse({"ok": True, "says": ""})


async def corners(site: Site, request: Request, body: BoardCornersBody) -> Response:
    """Move a board's corners."""
    del request
    _, desk = _calibrated(site)
    quad = np.array(body.corners, np.float64)
    view = await _done(lambda: desk.move(body.seat, quad))
    return JSONResponse({"ok": True, "says": "", **_view_json(view)})


async def save(site: Site, _: Request, body: Saved) -> Response:
    """Save the calibration, and put it to use."""
    host, desk = _calibrated(site)
    await _done(lambda: desk.save(anyway=body.anyway))
    opened = host.apply_calibration()
    if opened is not None:
        await wait_for(opened, site.opens_in_s)
    return JSONResponse({"ok": True, "says": "", "at_once": opened is not None})


def _view_json(view: View) -> Json:
    return {
        "step": view.step.value,
        "done": view.step == "done" and not any(remark.blocks for remark in view.remarks),
        "share": round(view.share, 2),
        "size": list(view.size_px),
        "corners": {str(seat): np.round(quad, 2).tolist() for seat, quad in sorted(view.corners.items())},
        "by_hand": sorted(view.by_hand),
        "remarks": [
            {"code": remark.code.value, "says": remark.says, "blocks": remark.blocks, "seat": remark.seat}
            for remark in view.remarks
        ],
    }


async def _done(do: Callable[[], Any]) -> Any:
    try:
        return await run_in_threadpool(do)
    except CalibrationRefusedError as refusal:
        raise RefusedError(409, refusal.says) from None
    except CompanionError as error:
        # The message names a path on the table's computer, which is for its log only.
        _LOG.warning("%s", error)
        raise RefusedError(409, said("It cannot be saved: the table’s computer could not write it to disk.")) from None


def _calibrated(site: Site) -> tuple[Host, CalibrationDesk]:
    if site.host is None or site.host.desk is None:
        raise RefusedError(404, said("This table cannot be calibrated here."))
    return site.host, site.host.desk
