"""A time board: the layout of its spaces, its current place, and its look compared with the known one.

*Board space*: x to the right and y down from the upper left corner of the printed area, which is a square of
`vision.geometry.SIDE` by `SIDE`, like a quilt's grid. So a time board is rectified, tracked and compared like a
quilt.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.geometry import CELLS_TO_VIEW, GRID_CORNERS, SIDE, VIEW_PX, Homography, rectify
from vision.quilt.alignment import TRUSTED_SHARE, Alignment, align, far_move
from vision.quilt.changes import changed
from vision.quilt.look import WINDOWS, look_at, own_windows

LAYOUTS: Final = ("square", "even")
"""The known printings, by the names of their files."""
SPACES: Final = 54


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The spaces of one printing.

    Attributes:
        name: of the printing.
        rectangles: (n, 4) in board space: left, top, right, bottom; a space has one or several.
        owners: (n,) the space of each rectangle.
        printed: by space, the place of the mark before it in board space, if that is not the border's middle.
    """

    name: str
    rectangles: NDArray[np.float64]
    owners: NDArray[np.int_]
    printed: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    def distances(self, x: float, y: float) -> NDArray[np.float64]:
        """Return the distance of a point from each space, shape (SPACES,), in board space; 0 on the space itself."""
        left, top, right, bottom = self.rectangles.T
        away = np.hypot(np.maximum(np.maximum(left - x, x - right), 0), np.maximum(np.maximum(top - y, y - bottom), 0))
        nearest = np.full(SPACES, np.inf)
        np.minimum.at(nearest, self.owners, away)
        return nearest

    def middles(self) -> NDArray[np.float64]:
        """Return the middle of each space, shape (SPACES, 2); of one with several rectangles, of the largest."""
        sizes = np.prod(self.rectangles[:, 2:] - self.rectangles[:, :2], axis=1)
        middles = np.zeros((SPACES, 2))
        for index in np.argsort(sizes, kind="stable"):
            left, top, right, bottom = self.rectangles[index]
            middles[self.owners[index]] = (left + right) / 2, (top + bottom) / 2
        return middles

    def marks(self, borders: Sequence[int]) -> NDArray[np.float64]:
        """Return the places of printed marks, shape (n, 2): mark p is between spaces p - 1 and p.

        Args:
            borders: the spaces before which the marks are, not 0. Printings differ in the last one, before the centre.
        """
        places = [self.printed.get(border) or self._border(border - 1, border) for border in borders]
        return np.array(places).reshape(-1, 2)

    def _border(self, before: int, after: int) -> tuple[float, float]:
        one, other = (self.rectangles[self.owners == space][0] for space in (before, after))
        left, top = np.maximum(one[:2], other[:2])
        right, bottom = np.minimum(one[2:], other[2:])
        return float(left + right) / 2, float(top + bottom) / 2


def layout_of_points(name: str, middles: NDArray[np.float64], marks: Mapping[int, tuple[float, float]]) -> Layout:
    """Return the layout of a printing of which only points are known, such as those an owner has tapped.

    Each space is taken as a square that extends half way to the nearest other one.

    Args:
        name: of the printing.
        middles: of each space, shape (SPACES, 2), in widths of the printed area from its upper left corner.
        marks: by space, the place of the mark before it, in the same units.
    """
    apart = np.abs(middles[:, None] - middles[None]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    half = apart.min(axis=1, keepdims=True) / 2
    rectangles = np.hstack([middles - half, middles + half])
    printed = {space: (x * SIDE, y * SIDE) for space, (x, y) in marks.items()}
    return Layout(name, rectangles * SIDE, np.arange(SPACES), printed)


def known_layouts() -> tuple[Layout, ...]:
    """Return the layouts of all known printings."""
    return tuple(load_layout(name) for name in LAYOUTS)


@cache
def load_layout(name: str) -> Layout:
    """Return the layout of this name, one of `LAYOUTS`."""
    text = files(__package__).joinpath("layouts", f"{name}.toml").read_text(encoding="utf-8")
    spaces = tomllib.loads(text)["spaces"]
    owners = [int(space) for space, rectangles in spaces.items() for _ in rectangles]
    rectangles = [rectangle for own in spaces.values() for rectangle in own]
    return Layout(name, np.array(rectangles, np.float64) * SIDE, np.array(owners))


# Sigma by which the change of light is smoothed, in windows: it is measured around a marker, which is 3 wide.
_LIGHT_WINDOWS: Final = 3.0
# Weight of a changed window: used only if everything around has changed, too.
_UNCHANGED_SHARE: Final = 0.05
# Log-ratio of colours, in equal light, below which a window is unchanged despite other evidence: it is 0.03 between
# looks at the same scene, and a marker differs from any cloth by 0.3.
_APART: Final = 0.1
# The greatest ratio of such a window.
_UNCHANGED: Final = -1.0
# Share of changed windows of the printed area from which the board is not in view: covered by a rulebook, or gone.
_COVERED_SHARE: Final = 0.5
# Apparent motion, in view pixels, of a board that has not moved.
_STILL_PX: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class BoardLook:
    """The board in one picture, in view space.

    Attributes:
        windows: log-likelihood ratio of changed against known for each window, shape (WINDOWS, WINDOWS).
        colours: logarithms of the colours in the light of the known look, shape (VIEW_PX, VIEW_PX, 3), float32.
    """

    windows: NDArray[np.float64]
    colours: NDArray[np.float32]


class FollowedBoard:
    """A tracked time board, whose place and look are known.

    Args:
        layout: its printing.
        place: map from board space to the picture's pixels.
        image: the picture in which it was found, shape (height, width, 3), uint8, BGR.
    """

    def __init__(self, layout: Layout, place: Homography, image: NDArray[np.uint8]) -> None:
        self.layout, self.place = layout, place
        self._known = look_at(rectify(image, place))

    @property
    def known_colours(self) -> NDArray[np.float32]:
        """Logarithms of the colours of the known look, shape (VIEW_PX, VIEW_PX, 3)."""
        return self._known.log

    def is_in_view(self, image: NDArray[np.uint8]) -> bool:
        """Return whether the whole board is in the picture."""
        corners = self.place(GRID_CORNERS)
        return bool((corners >= 0).all() and (corners <= np.array(image.shape[1::-1]) - 1).all())

    def look(self, image: NDArray[np.uint8]) -> BoardLook | None:
        """Return the board's look in a picture, and update its place; None if it is not certainly in view."""
        if not self.is_in_view(image):
            return None
        motion = self._motion(image)
        if motion is None:
            return None
        self.place = self.place.after(CELLS_TO_VIEW.inverse.after(motion).after(CELLS_TO_VIEW))
        current = look_at(rectify(image, self.place))
        windows = changed(self._known, current)
        ratio = current.log - self._known.log
        light = _light(ratio, windows)
        away = reductions.brightest(np.asarray(cv2.absdiff(ratio, light), np.float32))
        apart = cv2.resize(away, (WINDOWS, WINDOWS), interpolation=cv2.INTER_AREA)
        windows[apart < _APART] = np.minimum(windows[apart < _APART], _UNCHANGED)
        if float((own_windows(windows) > 0).mean()) > _COVERED_SHARE:
            return None
        return BoardLook(windows, current.log - light)

    def found_at(self, place: Homography, image: NDArray[np.uint8]) -> bool:
        """Move the board to a place in a picture, and return whether it looks there as it is known.

        If it does not, its place is unchanged.
        """
        before, self.place = self.place, place
        if self.look(image) is not None:
            return True
        self.place = before
        return False

    def moved(self, shift: Homography) -> None:
        """Apply a motion of the whole table in the picture."""
        self.place = shift.after(self.place)

    def learn(self, look: BoardLook, where: NDArray[np.bool_]) -> None:
        """Update the known look inside the mask `where`, of shape (VIEW_PX, VIEW_PX)."""
        soft = cv2.GaussianBlur(where.astype(np.float32), (0, 0), 2.0)[..., None]
        known = np.exp(self._known.log * (1 - soft) + look.colours * soft) - np.float32(6)
        self._known = look_at(np.clip(np.rint(known), 0, 255).astype(np.uint8))

    def _motion(self, image: NDArray[np.uint8]) -> Homography | None:
        """Return the board's motion, in view space, or None if it is not found again."""
        current = look_at(rectify(image, self.place))
        near = align(current.luminance, self._known.luminance)
        # In a dim picture few tiles are found again; if they show no motion, they are enough.
        if isinstance(near, Alignment) and (near.share >= TRUSTED_SHARE or near.shift_px <= _STILL_PX):
            return near.motion
        guess = far_move(current.luminance, self._known.luminance)
        if guess is None:
            return None
        shift = Homography(np.array([[1.0, 0.0, guess[0]], [0.0, 1.0, guess[1]], [0.0, 0.0, 1.0]]))
        there = self.place.after(CELLS_TO_VIEW.inverse.after(shift).after(CELLS_TO_VIEW))
        fine = align(look_at(rectify(image, there)).luminance, self._known.luminance)
        if not isinstance(fine, Alignment) or fine.share < TRUSTED_SHARE:
            return None
        return shift.after(fine.motion)


def _light(ratio: NDArray[np.float32], windows: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the change of light at each pixel, by unchanged windows around it."""
    small = cv2.resize(ratio, (WINDOWS, WINDOWS), interpolation=cv2.INTER_AREA)
    weights = np.where(windows < 0, 1.0, _UNCHANGED_SHARE**2).astype(np.float32)[..., None]
    blur = (0, 0), _LIGHT_WINDOWS
    total = cv2.GaussianBlur(small * weights, *blur)
    share = cv2.GaussianBlur(np.repeat(weights, 3, axis=2), *blur)
    light = np.asarray(total / share, np.float32)
    return np.asarray(cv2.resize(light, (VIEW_PX, VIEW_PX), interpolation=cv2.INTER_LINEAR), np.float32)
