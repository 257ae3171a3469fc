"""Handlers for a phone that is the camera: its pictures, and what it shows of the boards in them."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.languages import render, said
from companion.play.page import Json, Need, NothingMore, RefusedError
from companion.web.account import NOTICE, Account
from companion.web.files import files_of
from companion.web.requests import language_of, picture_parts
from companion.web.routing import PageRoute
from companion.web.site import Site
from hardware.handset import HANDSET
from hardware.ports import Frame
from hardware.reconnecting import BACK, says_lost

LARGEST_BYTES: Final = 8 << 20
"""The largest picture of a phone's video that is accepted."""
LARGEST_STILL_BYTES: Final = 24 << 20
"""The largest photograph; the page sends none of more than twelve megapixels."""
# README: about 28 pixels per cell are needed.
_LEAST_CELL_PX: Final = 28.0
# The share of the picture at its edge in which a board is nearly cut off.
_EDGE: Final = 0.01
# Mean brightness, of 255, below which a picture is dark (`companion.play.photographs`).
_DARK: Final = 45.0
_MOST_NOTICES: Final = 2


async def page(site: Site, request: Request) -> Response:
    """Return the page that opens the phone's camera."""
    response = files_of(site.static).sent("camera.html", request)
    # No other page may open a camera.
    response.headers["permissions-policy"] = "camera=(self), microphone=(), geolocation=()"
    return response


async def state(site: Site, _: Request) -> Response:
    """Return the size of the pictures that the table wants, or that another camera is used."""
    size = site.phone_size()
    return JSONResponse(
        {
            "ok": True,
            "is_camera": size is not None,
            "size": size or (1920, 1080),
            "secure": None if site.access.secure_port is None else site.access.secure_port,
        }
    )


async def frame(site: Site, request: Request) -> Response:
    """Take a picture of the phone, and return what is to be shown over it, and whether a photograph is wanted."""
    HANDSET.put(await _received(site, request, ("image/jpeg",), LARGEST_BYTES))
    return JSONResponse({"ok": True, "wants_still": HANDSET.wants_still, **_shown(site, request)})


async def still(site: Site, request: Request) -> Response:
    """Take a photograph that the table has asked for."""
    HANDSET.put_still(await _received(site, request, ("image/jpeg", "image/png"), LARGEST_STILL_BYTES))
    return JSONResponse({"ok": True})


async def _received(site: Site, request: Request, kinds: Sequence[str], largest: int) -> bytes:
    if site.phone_size() is None:
        raise RefusedError(409, said("This table has another camera: set {key} in its configuration.",
                                     key='[camera] driver = "phone"'))  # fmt: skip
    if not request.headers.get("content-type", "").startswith(tuple(kinds)):
        names = ", ".join(each.removeprefix("image/").upper() for each in kinds)
        raise RefusedError(415, said("Send a picture as {kinds}.", kinds=names))
    return b"".join([part async for part in picture_parts(request, largest)])


def _shown(site: Site, request: Request) -> Json:
    language = language_of(request)
    newest, boards = site.gallery.newest_frame, site.outlines()
    size = None if newest is None else [newest.image.shape[1], newest.image.shape[0]]
    says = [] if newest is None else advice(newest, boards)
    return {
        "boards": boards,
        "size": size,
        "says": [render(each, language) for each in says],
        "table": [render(each, language) for each in (*_table_says(site.account()), *_size_says(boards))],
    }


def _table_says(account: Account) -> list[str]:
    """Return why the table does not read yet, or what it has just noticed, such as a lamp that is reflected."""
    side, table = account.side, account.table
    if side is None or table is None:
        return [account.awaits] if account.awaits else []
    if side.has_boards and not account.visibility.boards_seen:
        return [side.waiting_for(table, account.visibility)]
    notices = [item.says for item in takewhile(lambda item: item.kind == NOTICE, reversed(account.news))]
    # What was said before is about other pictures, and the phone is sending one now.
    notices = list(takewhile(lambda says: says != BACK, notices))
    if any(map(says_lost, notices)):
        return [said("The camera is starting.")]
    return notices[:_MOST_NOTICES] or [said("The table sees this picture.")]


def _size_says(boards: Mapping[int, Sequence[Sequence[float]]]) -> list[str]:
    """Return how large the smaller board is in the picture, which tells how far the phone may be raised or lowered."""
    if not boards:
        return []
    cell = round(min(map(_cell_px, boards.values())))
    return [said("A square is {cell} pixels wide; {least} are enough.", cell=cell, least=round(_LEAST_CELL_PX))]


def _cell_px(corners: Sequence[Sequence[float]]) -> float:
    return float(np.hypot(*np.subtract(corners[1], corners[0]))) / 9


def advice(newest: Frame, boards: Mapping[int, Sequence[Sequence[float]]]) -> list[str]:
    """Return sentences on what to change about the phone or the light.

    Args:
        newest: the newest frame.
        boards: by seat, the corners A1, I1, I9, A9 of each board's grid in it, in pixels.
    """
    says: list[str] = []
    height, width = newest.image.shape[:2]
    for seat, corners in sorted(boards.items()):
        points = np.asarray(corners, np.float64)
        edge = _EDGE * max(width, height)
        if (points < edge).any() or (points > np.array([width, height]) - edge).any():
            says.append(said("Board {seat} is cut off: hold the phone a little higher, or move it.", seat=seat))
        elif _cell_px(corners) < _LEAST_CELL_PX:
            says.append(said("Board {seat} is too small: hold the phone a little lower.", seat=seat))
    if float(newest.image[::16, ::16].mean()) < _DARK:
        says.append(said("It is too dark: turn the lamp to the table."))
    return says


CAMERA_ROUTES: Final[tuple[PageRoute[Site], ...]] = (
    PageRoute("/camera", page, Need.NOTHING),
    PageRoute("/api/camera", state, Need.TOUCH),
    PageRoute("/api/camera/frame", frame, Need.TOUCH, NothingMore),
    PageRoute("/api/camera/still", still, Need.TOUCH, NothingMore),
)
