"""Measures of how well boards and their table can be read: light, blur, resolution and obliqueness."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import reductions
from vision.board.grid import line_responses
from vision.geometry import CELL_PX, GRID_CORNERS, MARGIN_CELLS, SIDE, Homography, rectify

# Rows and columns of blocks of the picture, each with the median of its light.
_BLOCKS: Final = (18, 32)
# Converts grey levels to approximately linear light.
_GAMMA: Final = 2.2
# Grey level from which a channel is overexposed.
_FULL: Final = 250
# Extent of a board and its mat beyond the grid; they are not the table.
_BOARD_CELLS: Final = 1.0
# The share of overexposed pixels: with 1.7 times the ordinary light paper has 4 %, ordinarily there are none.
_FULL_SHARE: Final = 0.01
# Grey level of the brightest objects from which they are overexposed.
_FULL_WHITE: Final = 252.0


@dataclass(frozen=True, slots=True)
class TableLight:
    """The light in a picture.

    Attributes:
        white: grey level of the brightest objects, 0..255: paper, or the patches' labels.
        full: share of the picture that is overexposed, 0..1.
        fall: relative fall of the light from the brightest side of the table to the darkest, 0..1.
    """

    white: float
    full: float
    fall: float

    @property
    def is_overexposed(self) -> bool:
        """True if white areas are overexposed."""
        return self.full > _FULL_SHARE or self.white >= _FULL_WHITE


def table_light(image: NDArray[np.uint8], boards: Iterable[Homography]) -> TableLight:
    """Measure the light on a table.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        boards: maps from each board's cell space to pixels.
    """
    small = cv2.resize(image, (_BLOCKS[1] * 12, _BLOCKS[0] * 12), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return TableLight(
        white=float(np.percentile(grey, 99.5)),
        full=float((reductions.darkest(image) >= _FULL).mean()),
        fall=_fall(np.asarray(grey, np.float64), _beside(image.shape[1], image.shape[0], boards)),
    )


def _beside(width: int, height: int, boards: Iterable[Homography]) -> NDArray[np.bool_]:
    """Return the blocks that show no part of a board, (18, 32)."""
    table = np.full(_BLOCKS, 255, np.uint8)
    scale = np.array([_BLOCKS[1] / width, _BLOCKS[0] / height])
    for board in boards:
        around = np.where(GRID_CORNERS > 0, GRID_CORNERS + _BOARD_CELLS, GRID_CORNERS - _BOARD_CELLS)
        corners = board(around) * scale - 0.5
        cv2.fillConvexPoly(table, corners.round().astype(np.int32), (0,))
    return np.asarray(table > 0, np.bool_)


def _fall(grey: NDArray[np.float64], beside: NDArray[np.bool_]) -> float:
    blocks = np.median(grey.reshape(_BLOCKS[0], 12, _BLOCKS[1], 12), axis=(1, 3))
    light = _GAMMA * np.log(np.maximum(blocks, 4.0) / 255)
    rows, columns = np.nonzero(beside)
    terms = np.column_stack((np.ones(len(rows)), rows / _BLOCKS[0] - 0.5, columns / _BLOCKS[1] - 0.5))
    fit = _robust_fit(terms, light[rows, columns], rounds=12, least=0.02)
    return 1 - float(np.exp(-np.abs(fit[1:]).sum()))


def _robust_fit(
    terms: NDArray[np.float64], values: NDArray[np.float64], rounds: int, least: float
) -> NDArray[np.float64]:
    """Return the coefficients that fit most of some values, because patches and tokens lie there, too.

    Args:
        terms: shape (n, coefficients).
        values: shape (n,).
        rounds: iterations of reweighting.
        least: residual below which a value's weight grows no further.
    """
    fit, weights = np.zeros(terms.shape[1]), np.ones(len(values))
    for _ in range(rounds):
        root = np.sqrt(weights)[:, None]
        fit = np.asarray(np.linalg.lstsq(terms * root, values * root[:, 0], rcond=None)[0], np.float64)
        weights = 1 / np.maximum(np.abs(values - terms @ fit), least)
    return fit


# Half of a profile's length across a line.
_REACH_PX: Final = 12.0
# Distance between two samples across a line.
_STEP_PX: Final = 0.25
# Largest distance of a printed line from its place by the grid's map.
_OFF_PX: Final = 1.5
# Positions along a cell's side that are sampled, as shares of its length; the crossings at its ends are excluded.
_PLACES: Final = np.linspace(0.2, 0.8, 13)
# The least contrast between lines and ground, in grey levels, below which their width cannot be measured.
_LEAST_LINE: Final = 1.2
# Full width at half maximum of a Gaussian, in sigmas.
_HEIGHT_SIGMAS: Final = 2.355


def line_blur_px(image: NDArray[np.uint8], cells_to_image: Homography) -> float:
    """Return the sigma of the printed lines as imaged, in pixels.

    It consists of the picture's blur and half a pixel from the lines' own width; infinite if the contrast is too low.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        cells_to_image: from cell space to pixels.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    offsets = np.arange(-_REACH_PX, _REACH_PX + 1e-6, _STEP_PX)
    places = [(line, cell, across) for line in range(1, SIDE) for cell in range(SIDE) for across in (False, True)]
    profiles = [_profile(np.asarray(grey, np.uint8), cells_to_image, place, offsets) for place in places]
    return _width_px(np.array(profiles), offsets)


def _profile(
    grey: NDArray[np.uint8],
    cells_to_image: Homography,
    place: tuple[int, int, bool],
    offsets: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return grey levels across one segment of a line, averaged along it."""
    line, cell, across = place
    along = cell + _PLACES
    level = np.full_like(along, line)
    points = cells_to_image(np.column_stack((along, level) if across else (level, along)))
    way = points[-1] - points[0]
    normal = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    at = (points[:, None, :] + offsets[None, :, None] * normal).astype(np.float32)
    sampled = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled.mean(axis=0), np.float64)


def _width_px(profiles: NDArray[np.float64], offsets: NDArray[np.float64]) -> float:
    """Return the lines' sigma, from the mean of their profiles after alignment of their peaks."""
    level = profiles - np.median(profiles, axis=1, keepdims=True)
    mean = level.mean(axis=0)
    middle = np.abs(offsets) <= _OFF_PX
    sign = np.sign(mean[middle][int(np.argmax(np.abs(mean[middle])))])
    moved = [np.roll(row, -int(np.argmax(sign * row[middle])) + middle.sum() // 2) for row in level]
    line = sign * np.mean(moved, axis=0)
    line -= np.median(line)
    top = float(line[middle].max())
    if top < _LEAST_LINE:
        return float("inf")
    centre = int(np.argmax(np.where(middle, line, -np.inf)))
    return _run(line > top / 2, centre) * _STEP_PX / _HEIGHT_SIGMAS


def _run(above: NDArray[np.bool_], centre: int) -> int:
    """Return the length of the run of true values that includes `centre`."""
    before, after = above[centre::-1], above[centre:]
    return int(np.argmin(np.append(before, False))) + int(np.argmin(np.append(after, False))) - 1


# Blur applied before slopes are measured, against noise, in pixels.
_CALM_PX: Final = 1.0
# Edge of the surroundings of an edge, in pixels: the steepest slope there belongs to the largest difference.
_AROUND_PX: Final = 25
# Share of the pixels, those with the strongest contrast around them, by which the blur is measured.
_STRONG_PERCENT: Final = 90
# Pixels between those that are looked at.
_EVERY_PX: Final = 4


def picture_blur_px(image: NDArray[np.uint8]) -> float:
    """Return the sigma of a picture's strongest edges, in pixels, whatever it shows; 1 to 2 in focus.

    Args:
        image: shape (height, width, 3), uint8, BGR.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    calm = cv2.GaussianBlur(grey, (0, 0), _CALM_PX)
    slope = cv2.magnitude(
        cv2.Sobel(calm, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(calm, cv2.CV_32F, 0, 1, scale=1 / 8)
    )
    around = np.ones((_AROUND_PX, _AROUND_PX), np.uint8)
    steepest = cv2.dilate(slope, around)[::_EVERY_PX, ::_EVERY_PX]
    contrast = (cv2.dilate(calm, around) - cv2.erode(calm, around))[::_EVERY_PX, ::_EVERY_PX]
    strong = contrast >= np.percentile(contrast, _STRONG_PERCENT)
    # An edge blurred by a Gaussian is steepest by its height over sqrt(2 pi) sigma.
    sigma = np.median(contrast[strong] / np.maximum(steepest[strong], 1e-3)) / np.sqrt(2 * np.pi)
    return float(np.sqrt(max(sigma**2 - _CALM_PX**2, 0.0)))


# Step of the finite differences for the map's slopes at the board's middle.
_STEP_CELLS: Final = 0.1


@dataclass(frozen=True, slots=True)
class BoardView:
    """A camera's view of a board.

    Attributes:
        cell_px: width of a cell at the board's middle, the geometric mean of its two directions.
        oblique_deg: the angle between the line of sight to the board's middle and straight down on it.
        outside: indices of the grid's corners A1, I1, I9, A9 that are outside the frame.
    """

    cell_px: float
    oblique_deg: float
    outside: tuple[int, ...]


def board_view(cells_to_image: Homography, size_px: tuple[int, int]) -> BoardView:
    """Return the view of a board in a frame of (width, height) pixels."""
    middle = np.full(2, GRID_CORNERS.mean())
    steps = np.array([[0.0, 0.0], [_STEP_CELLS, 0.0], [0.0, _STEP_CELLS]])
    origin, right, down = cells_to_image(middle + steps)
    long_px, short_px = np.linalg.svd(np.array([right - origin, down - origin]) / _STEP_CELLS, compute_uv=False)
    corners = cells_to_image(GRID_CORNERS)
    outside = ((corners < 0) | (corners > np.asarray(size_px) - 1)).any(axis=1)
    return BoardView(
        cell_px=float(np.sqrt(long_px * short_px)),
        # An oblique view foreshortens one direction by the cosine.
        oblique_deg=float(np.degrees(np.arccos(min(1.0, short_px / long_px)))),
        outside=tuple(int(index) for index in np.flatnonzero(outside)),
    )


# Margin excluded at a cell's edges, because of the grid's lines.
_INSET_PX: Final = 5
# Share of blue, green and red in brightness (ITU-R BT.601).
_LUMINANCE: Final = np.array([0.114, 0.587, 0.299])


@dataclass(frozen=True, slots=True)
class BoardLight:
    """The light on one board.

    Attributes:
        level: brightness as a grey level, 0..255: the median over its cells.
        full: share of overexposed pixels, 0..1.
        fall: relative fall of the light from the brightest side to the darkest, 0..1, of a plane fitted to it.
        veil: grey levels that a lamp's reflection adds equally to all colours at its brightest place.
        tint: relative change of the light's ratio of red to blue from side to side, 0..1.
    """

    level: float
    full: float
    fall: float
    veil: float
    tint: float


def board_light(image: NDArray[np.uint8], cells_to_image: Homography) -> BoardLight:
    """Measure the light on an empty board.

    Args:
        image: shape (height, width, 3), uint8, BGR.
        cells_to_image: from cell space to pixels.
    """
    first, last = round(MARGIN_CELLS * CELL_PX), round((MARGIN_CELLS + SIDE) * CELL_PX)
    view = rectify(image, cells_to_image)[first:last, first:last]
    cells = _cell_colours(view)
    light = (cells / 255) ** _GAMMA
    bright = np.log(np.maximum(light @ _LUMINANCE, 1e-4))
    slope = _slope(bright)
    warm = _slope(np.log(np.maximum(light[..., 2], 1e-4)) - np.log(np.maximum(light[..., 0], 1e-4)))
    return BoardLight(
        level=float(np.median(cells @ _LUMINANCE)),
        full=float((reductions.darkest(view) >= _FULL).mean()),
        fall=1 - float(np.exp(slope.min() - slope.max())),
        veil=_veil(cells),
        tint=1 - float(np.exp(warm.min() - warm.max())),
    )


def _cell_colours(view: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the median colour of each cell's middle, (9, 9, 3)."""
    squares = view.reshape(SIDE, CELL_PX, SIDE, CELL_PX, 3)[:, _INSET_PX:-_INSET_PX, :, _INSET_PX:-_INSET_PX]
    return np.asarray(np.median(squares, axis=(1, 3)), np.float64)


def _slope(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the plane through 9x9 values that fits most of them, (9, 9)."""
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    terms = np.column_stack((np.ones(SIDE * SIDE), rows.ravel(), columns.ravel()))
    fit = _robust_fit(terms, values.ravel(), rounds=6, least=0.01)
    plane: NDArray[np.float64] = (terms @ fit).reshape(SIDE, SIDE)
    return plane


def _veil(cells: NDArray[np.float64]) -> float:
    """Return the grey levels that a lamp's reflection adds at its brightest place, 0 for none.

    A reflection adds the same to all channels, while a brighter light adds to each in proportion to its level.
    """
    levels = np.median(cells, axis=(0, 1))
    added = np.stack([channel - _slope(channel) for channel in np.moveaxis(cells, 2, 0)], axis=2)
    smooth = np.asarray(cv2.blur(added, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float64)
    dark, light = int(np.argmin(levels)), int(np.argmax(levels))
    row, column = np.unravel_index(int(np.argmax(smooth[..., dark])), (SIDE, SIDE))
    peak = smooth[row, column]
    alike = peak[dark] / max(peak[light], 1.0)
    return float(peak[dark]) if alike > (1 + levels[dark] / max(levels[light], 1.0)) / 2 else 0.0


# Percentile of edges that are the strongest, and grey levels added to the light, below which is noise.
_STRONGEST: Final = 99.0
_DARK: Final = 6.0
# Edge of the view that is left out: beyond a picture's rim its last pixels are repeated.
_RIM_PX: Final = 16


def edge_contrast(view: NDArray[np.uint8]) -> float:
    """Return the contrast of the strongest lines and edges in a rectified view, relative to its light.

    Args:
        view: a quilt from straight above, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
    """
    inner = (slice(_RIM_PX, -_RIM_PX),) * 2
    edges = np.abs(np.stack(line_responses(view))).max(axis=0)[inner]
    return float(np.percentile(edges, _STRONGEST) / (view[inner].mean() + _DARK))


def overexposed_share(view: NDArray[np.uint8]) -> float:
    """Return the share of a quilt that is overexposed in a channel, 0..1, in a view of shape (VIEW_PX, VIEW_PX, 3)."""
    first = round(MARGIN_CELLS * CELL_PX)
    grid = slice(first, first + SIDE * CELL_PX)
    return float((reductions.brightest(view[grid, grid]) >= _FULL).mean())
