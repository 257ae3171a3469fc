"""Calibration on the page: its state in the newest picture, moving corners by hand, and saving."""

import logging
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.calibrating.desk import CalibrationDesk, View
from companion.calibrating.remarks import CalibrationRefusedError
from companion.errors import CompanionError
from companion.languages import said
from companion.play.host import Host
from companion.play.page import Body, Json, NothingMore, RefusedError, between
from companion.web.handlers.arranging import wait_for
from companion.web.handlers.reading import limit_pictures
from companion.web.site import Site

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


async def state(site: Site, request: Request) -> Response:
    """Return the state of the calibration in the newest picture."""
    host, desk = _host(site)
    limit_pictures(site, request)
    host.want_pictures()
    view = await run_in_threadpool(lambda: desk.see(site.gallery.newest_frame))
    return JSONResponse({"ok": True, **_view_json(view)})


async def begin(site: Site, request: Request, body: NothingMore) -> Response:
    """Begin the calibration anew, discarding corners that were moved."""
    del request, body
    host, desk = _host(site)
    host.want_pictures()
    await run_in_threadpool(desk.begin)
    return JSONResponse({"ok": True, "says": ""})


async def corners(site: Site, request: Request, body: BoardCornersBody) -> Response:
    """Move a board's corners."""
    del request
    _, desk = _host(site)
    quad = np.array(body.corners, np.float64)
    view = await _done(lambda: desk.move(body.seat, quad))
    return JSONResponse({"ok": True, "says": "", **_view_json(view)})


async def save(site: Site, _: Request, body: Saved) -> Response:
    """Save the calibration, and put it to use."""
    host, desk = _host(site)
    await _done(lambda: desk.save(anyway=body.anyway))
    opened = host.apply_calibration()
    if opened is not None:
        await wait_for(site, opened)
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


def _host(site: Site) -> tuple[Host, CalibrationDesk]:
    if site.host is None or site.host.desk is None:
        raise RefusedError(404, said("This table cannot be calibrated here."))
    return site.host, site.host.desk
