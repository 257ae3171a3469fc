"""Objects on a time board and their colours: what may be a marker.

An object is a connected part of what has changed on the board; a marker is found among them by its colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.geometry.rectify import CELLS_TO_VIEW, VIEW_PX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from vision.timeboard.following import BoardLook

LEAST_PX, MOST_PX = 350, 1900
"""Range of a marker's area in view pixels; those measured have 900 to 1,100, including changes by their shadow."""
_OFF_GRID_CELLS: Final = 0.3
"""The distance that a marker may reach beyond the printed area."""
_LIKE: Final = 0.3
"""Distance of colours, in logarithms, up to which a pixel is a marker's; green and yellow buttons are 0.9 apart."""
_UNLIKE: Final = 0.25
"""Difference of colours below which markers cannot be distinguished by colour."""
_BRIGHTNESS: Final = 0.5
"""Weight of brightness against colour: an object's own shading changes with its place under a lamp."""
_CORE: Final = 0.6
"""Share of an object's radius from which its colour is measured: its rim is shaded."""
_WHOLE: Final = 0.45
"""Share of its usual size from which a marker is entirely visible; below, it is partly hidden, and its middle
uncertain.
"""
_GLIMPSED: Final = 0.2
"""Share of its usual size from which a marker is visible at all."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerAppearance:
    """A marker's appearance.

    Attributes:
        colour: its mean colour, as of `BoardLook.colours`, shape (3,).
        size_px: its area in view pixels, without its shadow.
    """

    colour: NDArray[np.float64]
    size_px: float


@dataclass(frozen=True, slots=True, eq=False)
class BoardObject:
    """An object on the board.

    Attributes:
        middle: (x, y) of its middle, in board space.
        pixels: its mask, shape (VIEW_PX, VIEW_PX).
        colour: its median colour, as of `BoardLook.colours`, shape (3,).
    """

    middle: tuple[float, float]
    pixels: NDArray[np.bool_]
    colour: NDArray[np.float64]

    @property
    def size_px(self) -> int:
        """Its area in view pixels."""
        return int(np.count_nonzero(self.pixels))


def objects_of(
    markers: Mapping[int, MarkerAppearance], colours: NDArray[np.float32], where: NDArray[np.bool_]
) -> dict[int, BoardObject]:
    """Return, by seat, the object of each marker's colour; a marker with none, or with rivals, is left out.

    Args:
        markers: the markers' appearances, by seat.
        colours: of the board, as of `BoardLook.colours`, shape (VIEW_PX, VIEW_PX, 3).
        where: the pixels to search, shape (VIEW_PX, VIEW_PX).
    """
    if not markers:
        return {}
    shown = colours[where]
    away = {seat: _distance(shown, marker.colour) for seat, marker in markers.items()}
    nearest = np.min(np.stack(list(away.values())), axis=0)
    seen = {}
    for seat, marker in markers.items():
        own = _within(where, (away[seat] <= _LIKE) & (away[seat] <= nearest))
        things = [each for each in objects_in(colours, _closed(own)) if each.size_px >= _GLIMPSED * marker.size_px]
        if things:
            best = max(things, key=lambda each: min(each.size_px, marker.size_px))
            rivals = [each for each in things if each is not best and each.size_px > _WHOLE * best.size_px]
            if not rivals:
                seen[seat] = best
    return seen


def is_whole(marker: MarkerAppearance, thing: BoardObject) -> bool:
    """Return whether an object has about the size of the entire marker."""
    return _WHOLE <= thing.size_px / marker.size_px <= 1 / _WHOLE


def are_distinct(one: MarkerAppearance, other: MarkerAppearance) -> bool:
    """Return whether two markers can be told apart by colour."""
    return float(np.linalg.norm(_weighed(one.colour - other.colour))) >= _UNLIKE


def marker_of(look: BoardLook, thing: BoardObject) -> MarkerAppearance:
    """Return the appearance of an object that is a marker, and its size without its shadow."""
    own = _closed(_within(thing.pixels, _distance(look.colours[thing.pixels], thing.colour) <= _LIKE))
    return MarkerAppearance(thing.colour, float(np.count_nonzero(own)))


def changed_pixels(look: BoardLook) -> NDArray[np.bool_]:
    """Return the pixels of the board that have changed, shape (VIEW_PX, VIEW_PX)."""
    ratios = cv2.resize(look.windows.astype(np.float32), (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_LINEAR)
    first, last = CELLS_TO_VIEW([[-_OFF_GRID_CELLS] * 2, [9 + _OFF_GRID_CELLS] * 2])
    within = np.zeros((VIEW_PX, VIEW_PX), np.bool_)
    part = slice(round(first[0]), round(last[0]))
    within[part, part] = True
    return np.asarray((ratios > 0) & within)


def objects_in(colours: NDArray[np.float32], mask: NDArray[np.bool_]) -> list[BoardObject]:
    """Return the connected parts of a mask as objects, given the colours of a board."""
    count, parts, stats, middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    things = []
    for part in range(1, count):
        if stats[part, cv2.CC_STAT_AREA] < _GLIMPSED * LEAST_PX:
            continue
        pixels = parts == part
        x, y = CELLS_TO_VIEW.inverse([middles[part]])[0].tolist()
        core = cv2.distanceTransform(pixels.astype(np.uint8), cv2.DIST_L2, 3)
        inner = core >= (1 - _CORE) * core.max()
        things.append(BoardObject((x, y), pixels, np.median(colours[inner].astype(np.float64), axis=0)))
    return things


def _within(mask: NDArray[np.bool_], holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask of those pixels of a mask for which a condition holds, given for each of them in order."""
    own = np.zeros_like(mask)
    own[mask] = holds
    return own


def _distance(colours: NDArray[np.float32], colour: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(_weighed(colours - colour), axis=-1), np.float32)


def _weighed(apart: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return differences of colours with a lower weight of brightness, shape (..., 3)."""
    brightness = apart.mean(axis=-1, keepdims=True)
    return np.asarray(apart - (1 - _BRIGHTNESS) * brightness)


def grown(mask: NDArray[np.bool_], px: int) -> NDArray[np.bool_]:
    """Return a mask dilated by a number of pixels."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * px + 1, 2 * px + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.bool_)


def _closed(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask with small holes closed (such as a button's) and specks removed."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel), np.bool_)
