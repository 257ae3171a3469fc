"""Spots of the table: whether a piece is still at its place, has gone, or is covered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.canvas import CELL_PX, CanvasView

# Margin of the table around the outline that belongs to the spot.
_AROUND_CELLS: Final = 0.8
# Range of distances from the outline that is its rim: nearer is the shadow of its edge.
_RIM_CELLS: Final = (0.2, 0.7)
# Margin around the outline that counts to the piece, because its edge is the best evidence.
_EDGE_CELLS: Final = 0.15
# Distance by which people brush pieces aside unnoticed.
_SLID_CELLS: Final = 0.35
# Difference of a pixel's colour that counts as a change, summed over the channels, after the light is equalised.
_DIFFERENT: Final = 26.0
# Largest local change of light, relative to that of the whole table.
_LOCAL_LIGHT: Final = 1.12
# Edge of the blocks of the canvas whose light is compared.
_BLOCK_PX: Final = 10
# The least number of pixels of the rim for a judgement.
_LEAST_RIM: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """The remembered look of a piece's place.

    Attributes:
        look: the crop of the canvas, shape (height, width, 3), float32, BGR.
        corner: (x, y) of its upper left pixel on the canvas.
        outline: of the piece on the canvas, shape (n, 2).
        piece: mask of the piece and a margin around it, shape (height, width), bool.
        rim: mask of the table around it, without other pieces, of the same shape.
    """

    look: NDArray[np.float32]
    corner: tuple[int, int]
    outline: NDArray[np.float64]
    piece: NDArray[np.bool_]
    rim: NDArray[np.bool_]

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle of the outline's bounding box on the canvas, shape (2,)."""
        return np.asarray((self.outline.min(axis=0) + self.outline.max(axis=0)) / 2)


@dataclass(frozen=True, slots=True)
class Glance:
    """A spot compared with a later view.

    Attributes:
        alike: correlation of the piece with the later view, -1..1, at the best place nearby.
        disturbed: share of the table around it that looks different, 0..1, as under a hand.
        slid: shift (right, down) to that best place, in pixels of the canvas.
    """

    alike: float
    disturbed: float
    slid: tuple[int, int] = (0, 0)


def spot_of(view: CanvasView, outline: NDArray[np.float64], others: Sequence[NDArray[np.float64]] = ()) -> Spot | None:
    """Return a spot to watch, or None if it is not entirely in the picture.

    Args:
        view: the current canvas.
        outline: corners of the piece's outline on the canvas, shape (n, 2).
        others: the outlines of other pieces.
    """
    around = _AROUND_CELLS * CELL_PX
    first = np.floor(outline.min(axis=0) - around).astype(int)
    last = np.ceil(outline.max(axis=0) + around).astype(int)
    width, height = (last - first).tolist()
    part = part_of(view, (int(first[0]), int(first[1])), (height, width))
    if part is None:
        return None
    piece = filled([outline - first], (height, width))
    near, far = (grown(piece, cells) for cells in _RIM_CELLS)
    rim = far & ~near & ~grown(filled([other - first for other in others], (height, width)), _EDGE_CELLS)
    return Spot(part, (int(first[0]), int(first[1])), outline, grown(piece, _EDGE_CELLS), rim)


def light_between(before: CanvasView, after: CanvasView) -> NDArray[np.float64]:
    """Return the factor of brightness between two views of a table, by channel, shape (3,).

    It is a median, as hands cover less than half of the table.
    """
    height, width = before.seen.shape
    size = (max(1, width // _BLOCK_PX), max(1, height // _BLOCK_PX))
    was, now = (cv2.resize(view.picture, size, interpolation=cv2.INTER_AREA) + 1.0 for view in (before, after))
    both = cv2.resize((before.seen & after.seen).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    if not both.any():
        return np.ones(3)
    return np.asarray(np.median((now / was)[both], axis=0), np.float64)


def compare(spot: Spot, view: CanvasView, light: NDArray[np.float64] | None = None) -> Glance | None:
    """Compare the spot with a later view; return None if it is not in that picture.

    Args:
        spot: the remembered spot.
        view: the later view of the same canvas.
        light: the result of `light_between`; None for equal light.
    """
    now = part_of(view, spot.corner, spot.piece.shape)
    if now is None:
        return None
    alike, slid = _alike(spot, now)
    return Glance(alike, _disturbed(spot, now, np.ones(3) if light is None else light), slid)


def part_of(view: CanvasView, corner: tuple[int, int], shape: tuple[int, ...]) -> NDArray[np.float32] | None:
    """Return a part of the canvas by its upper left (x, y) and (height, width), or None if it is partly out of view."""
    (left, top), (height, width) = corner, shape
    rows, columns = slice(top, top + height), slice(left, left + width)
    seen = view.seen[max(0, top) : top + height, max(0, left) : left + width]
    if min(left, top) < 0 or seen.shape != (height, width) or not seen.all():
        return None
    return view.picture[rows, columns]


def correlations(room: NDArray[np.float32], piece: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the correlation of a piece with a picture at every place where it fits inside, -1..1.

    Args:
        room: the picture, shape (rows, columns, 3), float32.
        piece: shape (height, width, 3), float32.
        mask: the pixels of the piece that count, shape (height, width).

    Returns:
        Shape (rows - height + 1, columns - width + 1).
    """
    counts = np.dstack([mask.astype(np.float32)] * 3)
    scores = cv2.matchTemplate(room, piece, cv2.TM_CCOEFF_NORMED, mask=counts)
    return np.asarray(np.clip(np.nan_to_num(scores, nan=-1.0, posinf=-1.0, neginf=-1.0), -1.0, 1.0), np.float32)


def filled(
    outlines: Sequence[NDArray[np.float64]], shape: tuple[int, ...], beyond_cells: float = 0.0
) -> NDArray[np.bool_]:
    """Return the mask, of a given shape, of the inside of outlines, enlarged by `beyond_cells`."""
    mask = np.zeros(shape, np.uint8)
    corners = [np.rint(outline).astype(np.int32) for outline in outlines]
    if corners:
        cv2.fillPoly(mask, corners, (1,))
        if beyond_cells:
            cv2.polylines(mask, corners, isClosed=True, color=(1,), thickness=2 * round(beyond_cells * CELL_PX) + 1)
    return mask.astype(np.bool_)


def grown(mask: NDArray[np.bool_], cells: float) -> NDArray[np.bool_]:
    """Return a mask of the canvas dilated by a distance in cells."""
    reach = 2 * round(cells * CELL_PX) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.bool_)


def _alike(spot: Spot, now: NDArray[np.float32]) -> tuple[float, tuple[int, int]]:
    """Return the piece's best correlation near its place now, and the shift (right, down) of that place."""
    reach = round(_SLID_CELLS * CELL_PX)
    rows, columns = np.nonzero(spot.piece)
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    above, before = min(reach, int(top)), min(reach, int(left))
    room = now[top - above : bottom + reach, left - before : right + reach]
    scores = correlations(room, spot.look[top:bottom, left:right], spot.piece[top:bottom, left:right])
    down, across = np.unravel_index(int(scores.argmax()), scores.shape)
    return float(scores.max()), (int(across) - before, int(down) - above)


def _disturbed(spot: Spot, now: NDArray[np.float32], light: NDArray[np.float64]) -> float:
    """Return the share of the rim that looks different, after global and local changes of light are removed."""
    if np.count_nonzero(spot.rim) < _LEAST_RIM:
        return 0.0
    before, after = spot.look[spot.rim], now[spot.rim]
    here = np.median(after, axis=0) / np.maximum(np.median(before, axis=0), 1.0)
    here = np.clip(here, light / _LOCAL_LIGHT, light * _LOCAL_LIGHT)
    apart = np.abs(after - before * here).sum(axis=1)
    return float(np.mean(apart > _DIFFERENT * max(0.5, float(np.mean(here)))))
