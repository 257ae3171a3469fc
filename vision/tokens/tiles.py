"""Detection of oblong tiles on a table, such as the 7x7 tile: cardboard like patches, but of another size.

The network for patches responds to them, too, but with lower log-odds. A tile is a region of its map, outside of the
boards, that fills a rectangle of the right size.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID_CORNERS, Homography
from vision.pieces.maps import CELL_PX, MAP_PX, see_pieces
from vision.table.plane import view_table

# The least log-odds of a tile: on two table recordings it had -3.5, bare ground less than -6.
_LEAST_PIECE: Final = -4.5
_LONGER_CELLS: Final = (1.8, 3.6)
# Ranges of the sides in the map, with a blurred rim: tiles of 1.9 by 1.7 cells were 2.2 to 2.4 by 2.1 to 2.3, that of
# the set to print is 3 by 2.
_SHORTER_CELLS: Final = (1.4, 2.8)
# The greatest ratio of the sides: no tile is longer than three by two, but two tokens side by side are.
_LONGEST: Final = 1.75
# The least share of its rectangle that a tile fills in so coarse a map: it has 0.76 and more; two touching objects have
# less.
_LEAST_FILL: Final = 0.72
# A board's outline in widths of its grid, including its edge's effect on the map.
_BOARD: Final = 1.12


@dataclass(frozen=True, slots=True)
class Tile:
    """An oblong object of the size of a tile.

    Attributes:
        middle: (x, y) in table space (`vision.table.plane`).
        sides_cells: the longer and the shorter side.
        fill: share of the rectangle that it fills, 0..1.
        piece: median log-odds of a piece.
        away_cells: distance of its middle from each board's grid, in the order of the boards given.
        off_track_cells: distance of its middle from the time board; infinite if its place is unknown.
    """

    middle: tuple[float, float]
    sides_cells: tuple[float, float]
    fill: float
    piece: float
    away_cells: tuple[float, ...]
    off_track_cells: float = float("inf")


def find_tiles(
    image: NDArray[np.uint8], boards: Sequence[Homography], track: Homography | None = None
) -> tuple[Tile, ...]:
    """Find the objects of the size of tiles on a table, those nearest to a board first.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        boards: one or two maps from a board's cell space to the photograph.
        track: map from the time board's space to the photograph, or None if unknown.
    """
    view = view_table(image, boards, CELL_PX)
    piece = see_pieces(view.picture, view.seen).piece
    free = np.where(_on_boards(piece.shape, view.boards), np.float32(-np.inf), piece)
    _, labels, stats, _ = cv2.connectedComponentsWithStats((free > _LEAST_PIECE).astype(np.uint8), connectivity=4)
    large = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= _SHORTER_CELLS[0] * _LONGER_CELLS[0] * MAP_PX**2 * _LEAST_FILL)
    found = [_tile(labels == each, free, view.boards) for each in large if each]
    tiles = [tile for tile in found if _is_of_size(tile)]
    if track is not None:
        outline = view.to_image.inverse(track(GRID_CORNERS))
        tiles = [replace(tile, off_track_cells=_away(outline, tile.middle)) for tile in tiles]
    return tuple(sorted(tiles, key=lambda tile: min(tile.away_cells)))


def _on_boards(shape: tuple[int, ...], boards: Sequence[NDArray[np.float64]]) -> NDArray[np.bool_]:
    mask = np.zeros(shape[:2], np.uint8)
    for corners in boards:
        middle = corners.mean(axis=0)
        outline = np.round((middle + _BOARD * (corners - middle)) * MAP_PX).astype(np.int32)
        cv2.fillConvexPoly(mask, outline, 1)
    return np.asarray(mask > 0)


def _tile(mask: NDArray[np.bool_], piece: NDArray[np.float32], boards: Sequence[NDArray[np.float64]]) -> Tile:
    points = np.argwhere(mask)[:, ::-1].astype(np.float32)
    (x, y), sides, _ = cv2.minAreaRect(points)
    # The rectangle passes through the middles of the outermost pixels.
    longer, shorter = ((side + 1) / MAP_PX for side in sorted(sides, reverse=True))
    middle = (float(x + 0.5) / MAP_PX, float(y + 0.5) / MAP_PX)
    away = tuple(_away(each, middle) for each in boards)
    fill = len(points) / MAP_PX**2 / (longer * shorter)
    return Tile(middle, (longer, shorter), fill, float(np.median(piece[mask])), away)


def _away(outline: NDArray[np.float64], point: tuple[float, float]) -> float:
    """Return the distance in cells from an outline (n, 2) in table space to a point beside it."""
    return max(0.0, -cv2.pointPolygonTest(outline.astype(np.float32), point, measureDist=True))


def _is_of_size(tile: Tile) -> bool:
    longer, shorter = tile.sides_cells
    in_size = _LONGER_CELLS[0] <= longer <= _LONGER_CELLS[1] and _SHORTER_CELLS[0] <= shorter <= _SHORTER_CELLS[1]
    return in_size and longer <= _LONGEST * shorter and tile.fill >= _LEAST_FILL
