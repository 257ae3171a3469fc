"""The circle as the camera saw it, on the page, where users with the table's key confirm or correct it."""

from typing import Annotated, Any, Final, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from companion.games.patchwork.components import PATCHES
from companion.languages import ENGLISH, Language, render, said
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.keeper import LaidOut
from companion.patchwork.circle.proposal import AllRight, LiesBehind, PlaceIs, PlaceRight, RunsSo
from companion.play.inbox import Outcome
from companion.play.page import Asking, Body, GameRoute, Json, Need, Picture, RefusedError, between, one_of

Seat: TypeAlias = Annotated[int, between(1, 2)]
Patch: TypeAlias = Annotated[str, one_of(*PATCHES)]
Cell: TypeAlias = Annotated[str, one_of(*(f"{column}{row}" for row in range(1, 10) for column in "ABCDEFGHI"))]
Cells: TypeAlias = Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=81)]
Circuit: TypeAlias = Annotated[tuple[Patch, ...], Meta(min_length=len(PATCHES), max_length=len(PATCHES))]
"""The circle of all patches."""


# The margin around the pieces, as a share of the picture's width.
_MARGIN: Final = 0.04
# More than the 33 patches, because other pieces may have been seen in the circle; the desk checks the number itself.
_Place: TypeAlias = Annotated[int, between(1, 99)]


class CirclePlaceBody(Body):
    """A place of the circle, and the patch that lies there; null for no patch of the game."""

    place: _Place
    patch: Patch | None


class Behind(Body):
    """A place of the circle, and the patch that lies behind it."""

    place: _Place
    patch: Patch


class Way(Body):
    """The first place of a stretch whose order is unclear, and the number of its order, from 0."""

    place: _Place
    way: Annotated[int, between(0, 99)]


class Right(Body):
    """A place of the circle; null for all."""

    place: _Place | None


def _shown(asking: Asking[None]) -> Json:
    desk = _desk(asking)
    return desk_json(desk.laid, desk.share, asking.language)


def _picture(asking: Asking[None]) -> Picture:
    laid = _desk(asking).laid
    if laid is None:
        raise RefusedError(404, said("There is no picture: no circle was seen."))
    left, top, right, bottom = _frame(laid)
    return laid.image[top:bottom, left:right]


def _place(asking: Asking[CirclePlaceBody]) -> Outcome:
    body = asking.body
    return _desk(asking).submit(PlaceIs(body.place, body.patch))


def _behind(asking: Asking[Behind]) -> Outcome:
    body = asking.body
    return _desk(asking).submit(LiesBehind(body.place, body.patch))


def _way(asking: Asking[Way]) -> Outcome:
    body = asking.body
    return _desk(asking).submit(RunsSo(body.place, body.way))


def _right(asking: Asking[Right]) -> Outcome:
    body = asking.body
    return _desk(asking).submit(AllRight() if body.place is None else PlaceRight(body.place))


def desk_json(laid: LaidOut | None, share: float | None, language: Language = ENGLISH) -> Json:
    """Return the circle at the desk, whether a look at it is under way, and its progress, 0..1 or null."""
    rounded = None if share is None else round(share, 2)
    return {"circle": circle_json(laid, language), "looking": share is not None, "share": rounded}


def circle_json(laid: LaidOut | None, language: Language = ENGLISH) -> Json | None:
    """Return a circle as JSON, or None, with notes in a language; points are pixels of the picture on the page."""
    if laid is None or not laid.proposal.seen.pieces:
        return None
    left, top, right_px, bottom = _frame(laid)
    proposal, corner = laid.proposal, np.array([left, top])
    ordinals = {place: ordinal for ordinal, place in enumerate(proposal.sequence, start=1)}
    return {
        "number": laid.number,
        "known": laid.known,
        "picture": f"/circle.jpg?of={laid.number}",
        "width": right_px - left,
        "height": bottom - top,
        "places": [
            {
                "place": each.number,
                "ordinal": ordinals[each.number],
                "patch": each.patch,
                "standing": each.certainty.value,
                "candidates": list(each.candidates),
                "whole": piece.whole,
                "outline": _points(piece.outline_px - corner),
                "middle": _points(np.array([piece.centre_px]) - corner)[0],
            }
            for each, piece in zip(proposal.places, proposal.seen.pieces, strict=True)
        ],
        "unclear": [{"place": stretch.places[0], "ways": stretch.ways} for stretch in proposal.unclear],
        "behind": [{"place": number, "patch": patch} for number, patch in proposal.behind],
        "missing": list(proposal.missing),
        "notes": [render(note, language) for note in proposal.seen.notes],
    }


def _points(points: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def _frame(laid: LaidOut) -> tuple[int, int, int, int]:
    """Return the left, top, right and bottom, in pixels, of the part of the picture that contains all pieces."""
    height, width = laid.image.shape[:2]
    points = np.concatenate([piece.outline_px for piece in laid.proposal.seen.pieces] or [np.zeros((1, 2))])
    margin = _MARGIN * width
    left, top = np.maximum(np.floor(points.min(axis=0) - margin), 0).astype(int).tolist()
    right_px, bottom = np.minimum(np.ceil(points.max(axis=0) + margin), [width, height]).astype(int).tolist()
    return left, top, right_px, bottom


def silence(desk: CircleDesk) -> str | None:
    """Return why the table may be slow to answer, or None if there is no reason."""
    if desk.looking:
        return said("The camera is still looking at the circle of patches: try again in a moment.")
    return None


def _desk(asking: Asking[Any]) -> CircleDesk:
    desk: CircleDesk | None = asking.desk
    if desk is None:
        raise RefusedError(404, said("No circle is confirmed at this table."))
    return desk


ROUTES: Final[tuple[GameRoute[Any], ...]] = (
    GameRoute("/api/circle", _shown),
    GameRoute("/circle.jpg", _picture, need=Need.CAMERA),
    GameRoute("/api/circle/place", _place, CirclePlaceBody),
    GameRoute("/api/circle/behind", _behind, Behind),
    GameRoute("/api/circle/way", _way, Way),
    GameRoute("/api/circle/right", _right, Right),
)
