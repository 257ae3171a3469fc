"""Handlers for what the page shows: the reader's permissions, join codes, snapshots, and the camera's pictures."""

import io
from collections.abc import Callable
from typing import Final

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion import __version__
from companion.languages import said
from companion.play.page import MOST_SEATS, Need, RefusedError
from companion.web.requests import address_of, language_of
from companion.web.routing import within
from companion.web.site import Site
from companion.web.transport.hub import CrowdedError, EventStream

SNAPSHOT: Final = "snapshot"
"""The hub's topic for complete snapshots."""
ANNOUNCEMENTS: Final = "announcements"
"""The hub's topic for a hall's announcements to the players."""
DESK: Final = "desk"
"""The hub's topics for the games' desks: this, a slash and the game's name."""
STRIP: Final = "strip"
"""The hub's topic for the strip's pixels."""
_MODULE_PX: Final = 8
# The margin that the standard for QR codes requires.
_QUIET_MODULES: Final = 4


async def me(site: Site, request: Request) -> Response:
    """Return the permissions of this client, and the capabilities of the table."""
    access = site.access
    return JSONResponse(
        {
            "ok": True,
            "can_watch": access.may(request, Need.WATCH),
            "can_touch": access.may(request, Need.TOUCH),
            "can_see_camera": access.may(request, Need.CAMERA),
            "virtual": site.virtual is not None,
            "simulated": site.virtual is not None or site.tempo is not None,
            "tempo": None if site.tempo is None else {"speed": site.tempo.speed, "paused": site.tempo.paused},
            "sets_up": site.host is not None,
            "calibrates": site.host is not None and site.host.desk is not None,
            "home": site.home is not None,
            "room": None if site.home is None else site.room,
            "language": None if site.host is None else site.host.language,
            "phone_camera": site.phone_size() is not None,
            "secure": access.secure_port is not None,
            "version": __version__,
        }
    )


async def snapshot(site: Site, request: Request) -> Response:
    """Return the newest snapshot."""
    newest = site.hub.latest(SNAPSHOT, language_of(request))
    if newest is None:
        raise RefusedError(503, said("The table is not set up yet; try again."), headers={"retry-after": "1"})
    return Response(newest, media_type="application/json")


async def stream(site: Site, request: Request) -> Response:
    """Stream the newest and all later snapshots."""
    try:
        keyed = site.access.has_key(request.scope)
        return EventStream(site.hub.subscribe(address_of(request.scope), keyed=keyed), language_of(request))
    except CrowdedError:
        raise RefusedError(503, said("Too many pages are open; close one."), headers={"retry-after": "10"}) from None


async def code(site: Site, _: Request) -> Response:
    """Return the join code to show now."""
    keys = site.access.keys
    shown = keys.code()
    address = site.join_address()
    return JSONResponse(
        {
            "ok": True,
            "code": shown.code,
            "url": None if address is None else f"{address}/join?code={shown.code}",
            "expires_in_s": round(keys.expires_in_s(shown), 1),
            # An address of its own for each code, so that the page loads a new picture exactly when the code changes.
            "may_open": site.settings is not None,
            "qr": f"/api/code.svg?of={shown.shown_until_s:.0f}",
        }
    )


async def code_svg(site: Site, _: Request) -> Response:
    """Return the join address as a QR code."""
    address = site.join_address()
    if address is None:
        raise RefusedError(404, said("Only this machine can reach the page: set lan = true in the section [page]."))
    drawn = io.BytesIO()
    square = segno.make(f"{address}/join?code={site.access.keys.code().code}", error="m", micro=False)
    square.save(drawn, kind="svg", xmldecl=False, scale=_MODULE_PX, border=_QUIET_MODULES, dark="#000", light="#fff")
    return Response(drawn.getvalue(), media_type="image/svg+xml")


async def camera(site: Site, request: Request) -> Response:
    """Return the newest frame."""
    reading = request.query_params.get("reading") == "1"
    return await _picture(site, request, lambda: site.gallery.camera_jpeg(reading=reading))


async def crop(site: Site, request: Request) -> Response:
    """Return a quilt as at the latest question or complaint."""
    seat = seat_of(request)
    return await _picture(site, request, lambda: site.gallery.crop_jpeg(seat))


async def _picture(site: Site, request: Request, draw: Callable[[], bytes]) -> Response:
    limit_pictures(site, request)
    return Response(await run_in_threadpool(draw), media_type="image/jpeg")


def limit_pictures(site: Site, request: Request) -> None:
    """Apply the rate limit of pictures to a request.

    Raises:
        RefusedError: 429, if it came too fast.
    """
    within(site.pictures, request, said("Too many pictures: slow down."))


def seat_of(request: Request) -> int:
    """Return the seat's number in the path.

    Raises:
        RefusedError: 404, if no game has such a seat.
    """
    seat = int(request.path_params["seat"])
    if seat > MOST_SEATS:
        raise RefusedError(404, said("There is no such page."))
    return seat
