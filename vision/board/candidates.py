"""Candidate places of boards: four-sided outlines, and grids in the plane of a board already found.

For grids, a comb of ten lines in each direction is correlated with the plane. It responds to thin lines that are all
bright or all dark; edges of cloth, wood and patches have both signs, and cancel out. Two boards in one picture lie in
one plane, do not overlap, and have one size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID_CORNERS, SIDE, Homography, clockwise

# Larger pictures are scaled down to this: outlines are guesses, to be refined in the full picture.
_LONG_SIDE_PX: Final = 1200
# Share of the picture; cells of a smaller board are too small to be read.
_LEAST_AREA: Final = 0.008
_CORNERS: Final = 4
# The least ratio of the shortest side to the longest: slant and perspective leave a square more than this.
_LEAST_SIDES_RATIO: Final = 0.6
# The least sine of the angle at a corner: a square seen at 35 degrees stays above this.
_LEAST_SINE: Final = 0.8
# Outlines whose corners are nearer than this share of their diagonal count as one.
_SAME: Final = 0.02


def outlines(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    """Find the distinct four-sided outlines in a picture, lazily.

    Args:
        image: shape (height, width, 3), uint8, BGR.

    Yields:
        The corners of each in pixels of the picture, shape (4, 2), clockwise from the upper left one.
    """
    scale = min(1.0, _LONG_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    for quad in _distinct(_outlines(np.asarray(small, np.uint8))):
        yield quad / scale


def _outlines(image: NDArray[np.uint8]) -> Iterator[NDArray[np.float64]]:
    """Yield the four-sided outlines of all contours in the masks of a picture."""
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            # Most are specks, which cost more than the outlines.
            if len(contour) < _CORNERS:
                continue
            _, _, width, height = cv2.boundingRect(contour)
            if width * height < _LEAST_AREA * mask.size or max(width / mask.shape[1], height / mask.shape[0]) > 0.95:
                continue
            quad = _four_sided(np.asarray(cv2.convexHull(contour), np.int32))
            if quad is not None and cv2.contourArea(quad.astype(np.float32)) >= _LEAST_AREA * mask.size:
                yield quad


def _masks(image: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Yield masks by brightness and colour: edges, adaptive thresholds and Otsu's threshold, each also inverted."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    for channel in range(3):
        calm = cv2.GaussianBlur(lab[..., channel], (0, 0), 1.2)
        for threshold in (15, 30, 60) if channel == 0 else (8, 16, 30):
            edges = cv2.Canny(calm, threshold, 2 * threshold)
            for size in (1, 3, 5):
                yield np.asarray(cv2.dilate(edges, np.ones((size, size), np.uint8)), np.uint8)
        parts = [
            cv2.adaptiveThreshold(calm, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, size, 0)
            for size in (51, 151)
        ]
        parts.append(cv2.threshold(calm, 0, 255, cv2.THRESH_OTSU)[1])
        for part in parts:
            yield np.asarray(part, np.uint8)
            yield np.asarray(255 - part, np.uint8)


def _four_sided(hull: NDArray[np.int32]) -> NDArray[np.float64] | None:
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.04, 0.07):
        corners = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(corners) == 4:
            quad = clockwise(corners.reshape(4, 2).astype(np.float64))
            return quad if _may_be_square(quad) else None
    return None


def _may_be_square(quad: NDArray[np.float64]) -> bool:
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.hypot(*sides.T)
    if lengths.min() < _LEAST_SIDES_RATIO * lengths.max():
        return False
    along = sides / lengths[:, None]
    after = np.roll(along, -1, axis=0)
    return bool((along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0]).min() > _LEAST_SINE)


def _distinct(quads: Iterator[NDArray[np.float64]]) -> Iterator[NDArray[np.float64]]:
    known: list[NDArray[np.float64]] = []
    for quad in quads:
        near = _SAME * float(np.hypot(*(quad[2] - quad[0])))
        if not any(np.abs(other - quad).max() < near for other in known):
            known.append(quad)
            yield quad


# A cell's edge in the picture of the plane: a printed line is still about a pixel wide.
_CELL_PX: Final = 12
# The greatest distance from the middle of the known board: a table for two is less than a metre wide.
_FURTHEST_CELLS: Final = 45
# Step of the angle; half of it moves the end of a line by a ninth of a cell.
_STEP_DEG: Final = 3.0
# Sizes tried, relative to the known board: a lens distorts the plane by so much at the other end of the table.
_SIZES: Final = (0.95, 1.0, 1.05)
# Limit of a line's response, in log units, so that a rim or a highlight counts no more than a printed line.
_STRONGEST: Final = 0.06
# Texture in log units that is added to the measured one; every table has some.
_STILL: Final = 0.003
# The greatest number of places returned.
_MOST: Final = 150
# The greatest number of peaks for one angle and size, so that a repeating texture does not fill the list.
_MOST_A_TURN: Final = 12
# Peaks whose middles are nearer than this are of one grid.
_APART_CELLS: Final = 0.6
# Rows computed together: so many fit into the cache, which saves an eighth of the search's time.
_BAND_ROWS: Final = 32
# A grid's middle in its own cell space.
_MIDDLE: Final = np.array([SIDE / 2, SIDE / 2])


@dataclass(frozen=True, slots=True, eq=False)
class _Peak:
    """A peak of the comb's response: its strength, its middle in pixels of the plane, its angle and its size."""

    answer: float
    at_px: NDArray[np.float64]
    angle_deg: float
    size: float


def grids_in_plane(image: NDArray[np.uint8], place: Homography) -> list[Homography]:
    """Return places of other grids in the plane of a board.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        place: of the known board; maps cell space to pixels of the picture.

    Returns:
        Maps from cell space to pixels of the picture, accurate to some hundredths of a cell, likeliest first. Not all
        are grids. Cell (0, 0) is the upper left one.
    """
    view, to_plane = _plane(image, place)
    candidates: list[_Peak] = []
    for angle_deg in np.arange(-45.0, 45.0, _STEP_DEG):
        candidates += [peak for size in _SIZES for peak in _peaks(view, float(angle_deg), size)]
    kept = np.empty((0, 2))
    found: list[Homography] = []
    for peak in sorted(candidates, key=lambda each: -each.answer):
        middle = to_plane.inverse(peak.at_px)
        there = place.after(_similarity(middle, peak))
        if _is_new(middle, kept) and _is_in_view(image, there):
            kept = np.vstack([kept, middle])
            found.append(there)
        if len(found) == _MOST:
            break
    return found


def _is_new(middle: NDArray[np.float64], others: NDArray[np.float64]) -> bool:
    """Return whether a middle is apart from the others and the known board; shapes (2,) and (n, 2), in its cells."""
    apart = np.hypot(*(middle - others).T)
    return bool((apart >= _APART_CELLS).all()) and float(np.hypot(*(middle - _MIDDLE))) >= SIDE


def _is_in_view(image: NDArray[np.uint8], place: Homography) -> bool:
    corners = place(GRID_CORNERS)
    return bool((corners >= 0).all() and (corners < [image.shape[1], image.shape[0]]).all())


def _plane(image: NDArray[np.uint8], place: Homography) -> tuple[NDArray[np.float32], Homography]:
    """Return the log-brightness of the table as seen from straight above, and the map from cell space to its pixels."""
    height, width = image.shape[:2]
    frame = place.inverse(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    low = np.maximum(frame.min(axis=0), SIDE / 2 - _FURTHEST_CELLS)
    high = np.minimum(frame.max(axis=0), SIDE / 2 + _FURTHEST_CELLS)
    to_plane = Homography(
        np.array([[_CELL_PX, 0, -low[0] * _CELL_PX - 0.5], [0, _CELL_PX, -low[1] * _CELL_PX - 0.5], [0, 0, 1.0]])
    )
    size = [int(side) for side in np.ceil((high - low) * _CELL_PX)]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    logged = np.log(grey + 8.0)
    view = cv2.warpPerspective(
        logged, to_plane.after(place.inverse).matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.float32), to_plane


def _peaks(view: NDArray[np.float32], angle_deg: float, size: float) -> list[_Peak]:
    """Return the strongest peaks of the response to a comb of a size, rotated by an angle."""
    height, width = view.shape
    side = int(np.ceil(np.hypot(height, width) / size))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, 1 / size)
    turn[:, 2] += (side - width) / 2, (side - height) / 2
    turned = cv2.warpAffine(view, turn, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    calm = np.asarray(cv2.GaussianBlur(turned, (0, 0), 0.8), np.float32)
    upright, level = _comb(calm), _comb(calm.T).T
    # Grain and stripes run one way only, and a grid's lines are all bright or all dark.
    strength = np.minimum(np.abs(upright), np.abs(level)) * (upright * level > 0)
    rows, columns = (strength >= cv2.dilate(strength, np.ones((_CELL_PX + 1,) * 2, np.uint8))).nonzero()
    answers = strength[rows, columns]
    back = cv2.invertAffineTransform(turn)
    return [
        _Peak(float(answers[index]), back @ np.array([columns[index], rows[index], 1.0]), angle_deg, size)
        for index in np.argsort(-answers)[:_MOST_A_TURN]
    ]


def _comb(calm: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the response of each pixel to ten vertical lines around it, less that half a cell beside them."""
    kernel = np.array([[-1.0, 0.0, 2.0, 0.0, -1.0]], np.float32)
    lines = np.clip(cv2.filter2D(calm, cv2.CV_32F, kernel), -_STRONGEST, _STRONGEST)
    length = SIDE * _CELL_PX
    along = cv2.blur(lines, (1, length), borderType=cv2.BORDER_CONSTANT)
    between = _CELL_PX // 2
    padded = np.pad(np.asarray(along, np.float32), ((0, 0), (length // 2 + between, length // 2)))
    stir = cv2.blur(np.abs(lines), (length, length), borderType=cv2.BORDER_CONSTANT)
    answers = np.empty(calm.shape, np.float32)
    for first in range(0, len(calm), _BAND_ROWS):
        rows = slice(first, first + _BAND_ROWS)
        teeth = _ten(padded[rows])
        answers[rows] = (teeth[:, between:] - teeth[:, :-between]) / ((SIDE + 1) * (stir[rows] + _STILL))
    return answers


def _ten(along: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums of ten columns, a cell apart each, computed by doubling twice: two, four, eight, and two more."""
    two = along[:, :-_CELL_PX] + along[:, _CELL_PX:]
    four = two[:, : -2 * _CELL_PX] + two[:, 2 * _CELL_PX :]
    eight = four[:, : -4 * _CELL_PX] + four[:, 4 * _CELL_PX :]
    last = two[:, 8 * _CELL_PX :]
    return np.asarray(eight[:, : last.shape[1]] + last, np.float32)


def _similarity(middle: NDArray[np.float64], peak: _Peak) -> Homography:
    """Return the motion of the plane that moves the grid's middle to a point and applies the comb's angle and size."""
    angle = np.deg2rad(peak.angle_deg)
    turn = peak.size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift = middle - turn @ _MIDDLE
    return Homography(np.array([[*turn[0], shift[0]], [*turn[1], shift[1]], [0.0, 0.0, 1.0]]))


# The largest share of a grid's area that two boards may share: two boards that touch share less, and a grid that is
# fitted a line beside its place shares more.
_MOST_SHARED: Final = 0.02
MAX_SIZE_RATIO: Final = 1.3
"""The largest ratio of two boards' sizes after the first one's perspective is removed.
A fit to patches' seams has been seen to make it 1.2.
"""
MAX_SIZE_RATIO_EMPTY: Final = 1.12
"""The same ratio for empty boards, which are fitted better: a lens' distortion makes it up to 1.06."""


def separate_pair(places: Sequence[Homography], max_ratio: float = MAX_SIZE_RATIO) -> list[Homography]:
    """Return the first board and the next one that lies beside it and has the same size; without one, the first alone.

    Each is a map from cell space to pixels.
    """
    if not places:
        return []
    first = places[0]
    for other in places[1:]:
        if not overlap(first, other) and are_of_one_size(first, other, max_ratio):
            return [first, other]
    return [first]


def area_px2(place: Homography) -> float:
    """Return the area of a grid in the picture, in square pixels."""
    return float(cv2.contourArea(_corners(place)))


def overlap(one: Homography, other: Homography) -> bool:
    """Return whether two grids overlap."""
    shared, _ = cv2.intersectConvexConvex(_corners(one), _corners(other))
    return shared > _MOST_SHARED * min(area_px2(one), area_px2(other))


def are_of_one_size(one: Homography, other: Homography, max_ratio: float = MAX_SIZE_RATIO) -> bool:
    """Return whether two grids have the same size after the first one's perspective is removed."""
    stretches = _stretches(one.inverse.after(other)), _stretches(other.inverse.after(one))
    return all(1 / max_ratio < stretch < max_ratio for pair in stretches for stretch in pair)


def _stretches(motion: Homography) -> tuple[float, float]:
    """Return the stretch factors of a map of cell space at the grid's middle, along its two principal directions."""
    points = np.array([SIDE / 2, SIDE / 2]) + 0.5 * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    right, left, down, up = motion(points)
    most, least = np.linalg.svd(np.column_stack([right - left, down - up]), compute_uv=False)
    return float(most), float(least)


def _corners(place: Homography) -> NDArray[np.float32]:
    return place(GRID_CORNERS).astype(np.float32)
