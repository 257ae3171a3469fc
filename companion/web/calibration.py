"""Calibration on the page: how it stands by the newest picture, corners moved by hand, and what is kept."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from companion.calibrating import CalibrationRefusedError
from companion.errors import CompanionError
from companion.languages import said
from companion.web.arranging import wait_for
from companion.web.bodies import read_command
from companion.web.errors import RefusedError
from companion.web.guard import address_of
from companion.web.values import is_flag, is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.bootstrap import Host
    from companion.calibrating import CalibrationDesk, View
    from companion.web.bodies import Check
    from companion.web.jsontype import Json
    from companion.web.site import Site

_LOG: Final = logging.getLogger(__name__)
FURTHEST_PX: Final = 20_000.0
"""Beyond any picture."""


async def shown(site: Site, request: Request) -> Response:
    """How the calibration stands by the newest picture."""
    host, desk = _host(site)
    if not site.pictures.allows(address_of(request.scope)):
        raise RefusedError(429, said("Too many pictures: slow down."), headers={"retry-after": "1"})
    host.want_pictures()
    view = await run_in_threadpool(lambda: desk.see(site.gallery.newest_frame))
    return JSONResponse({"ok": True, **_view_json(view)})


async def begin(site: Site, request: Request) -> Response:
    """Begin anew: corners that were moved are forgotten."""
    await _body(site, request, {})
    host, desk = _host(site)
    host.want_pictures()
    await run_in_threadpool(desk.begin)
    return JSONResponse({"ok": True, "says": ""})


async def corners(site: Site, request: Request) -> Response:
    """Move a board's corners."""
    body = await _body(site, request, {"seat": lambda value: is_whole(value, 1, 2), "corners": _are_corners})
    _, desk = _host(site)
    quad = np.array(body["corners"], np.float64)
    view = await _done(lambda: desk.move(int(body["seat"]), quad))
    return JSONResponse({"ok": True, "says": "", **_view_json(view)})


async def save(site: Site, request: Request) -> Response:
    """Keep the calibration, and go by it."""
    body = await _body(site, request, {"anyway": is_flag}, frozenset({"anyway"}))
    host, desk = _host(site)
    await _done(lambda: desk.save(anyway=bool(body["anyway"])))
    opened = host.calibrated()
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
        _LOG.warning("%s", error)
        raise RefusedError(409, said("It cannot be kept: the table's computer could not write it down.")) from None


async def _body(
    site: Site, request: Request, checks: Mapping[str, Check], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    _host(site)
    return await read_command(site.commands, request, checks, optional)


def _host(site: Site) -> tuple[Host, CalibrationDesk]:
    if site.host is None or site.host.desk is None:
        raise RefusedError(404, said("This table cannot be calibrated here."))
    return site.host, site.host.desk


def _are_corners(value: object) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(_is_point(point) for point in value)


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_length(length) for length in value)


def _is_length(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return math.isfinite(value) and abs(value) <= FURTHEST_PX
