"""Spots of a canvas where a piece lies: compared with their earlier look, and searched for the pawn.

The pawn is recognised by a colour that is learnt where it stands alone, or has left a place. Its material is not known
beforehand, and it stands upright: elsewhere the camera sees another side of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.plane import CELL_PX, CanvasView

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


# Grey levels added before logarithms are taken, so that noise in the dark counts little.
_DARK: Final = 8.0
# Range of a pawn's visible area: a slim one from above, and a tall one from the side with its shadow.
_CELLS: Final = (0.1, 1.5)
# Distance of colours, in logarithms, beyond which the content has changed.
_CHANGED: Final = 0.22
# Distance of colours up to which a pixel is of the pawn, as for the markers of `vision.timeboard`.
_LIKE: Final = 0.3
# Weight of brightness against colour: the pawn's own shading changes with its place under a lamp.
_BRIGHTNESS: Final = 0.5
# Range of an object's size, relative to the learnt one: elsewhere the pawn leans away from the camera.
_SIZES: Final = (0.4, 2.2)
_BESIDE_CELLS: Final = 0.2
# Area of the same colour that is tolerated elsewhere, relative to the pawn's size: beyond `_BESIDE_CELLS` from it.
_BESIDES: Final = 0.25
# Distance from the ground's colour beyond which an object is there: a cloth's print is below it, or everywhere.
_ON_THE_GROUND: Final = 0.35
# The greatest size of a second changed object, relative to the first.
_ALONE: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Pawn:
    """A pawn's appearance: its colour, shape (3,), logarithms in the known view's light; its size on the canvas."""

    colour: NDArray[np.float64]
    size_px: float


def standing_at(view: CanvasView, region: NDArray[np.bool_], place: NDArray[np.float64]) -> Pawn | None:
    """Return the appearance of the only small object in a region if it stands on a given place, or None.

    Args:
        view: the canvas.
        region: mask around it, of the canvas' shape; mostly bare ground.
        place: (x, y) in pixels of the canvas.
    """
    logs = _logs(view.picture)
    region = region & view.seen
    if not region.any():
        return None
    apart = _weighed(logs - np.median(logs[region], axis=0))
    parts = _parts((np.linalg.norm(apart, axis=-1) > _ON_THE_GROUND) & region)
    if not parts or not _holds(grown(parts[0], _BESIDE_CELLS), place):
        return None
    pawn = _pawn_of(parts, logs)
    return None if pawn is None or find_pawn(pawn, view, region) is None else pawn


def left_from(before: CanvasView, after: CanvasView, region: NDArray[np.bool_]) -> Pawn | None:
    """Return the appearance of the only small object that has left a region, or None if there is none.

    Args:
        before: the canvas with it.
        after: the canvas without it, in the same light.
        region: mask of where it stood, of the canvas' shape.
    """
    was, now = _logs(before.picture), _logs(after.picture)
    apart = now - was
    region = region & before.seen & after.seen
    if not region.any():
        return None
    apart = apart - np.median(apart[region], axis=0)
    changed = (np.linalg.norm(_weighed(apart), axis=-1) > _CHANGED) & region
    parts = _parts(changed)
    return _pawn_of(parts, was)


def _pawn_of(parts: Sequence[NDArray[np.bool_]], logs: NDArray[np.float32]) -> Pawn | None:
    """Return the appearance of the largest part, on a canvas of these logarithms, if it is alone and pawn-sized."""
    if not parts or (len(parts) > 1 and np.count_nonzero(parts[1]) > _ALONE * np.count_nonzero(parts[0])):
        return None
    size = int(np.count_nonzero(parts[0]))
    if not _CELLS[0] * CELL_PX**2 <= size <= _CELLS[1] * CELL_PX**2:
        return None
    pawn = Pawn(np.median(logs[_core(parts[0])], axis=0), float(size))
    # Its shadow is excluded.
    own = parts[0] & _is_like(logs, pawn)
    return Pawn(pawn.colour, float(max(1, int(np.count_nonzero(own)))))


def find_pawn(pawn: Pawn, view: CanvasView, region: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return the mask of the only object in a region that looks like the pawn, or None if there are none or several.

    A pawn cannot be found on a ground of its own colour.

    Args:
        pawn: its appearance.
        view: the current canvas, in the light of the learnt appearance.
        region: mask of where it may stand, of the canvas' shape.
    """
    like = region & view.seen
    like[like] = _is_like(_logs(view.picture[like]), pawn)
    parts = _parts(like)
    low, high = (share * pawn.size_px for share in _SIZES)
    if not parts or not low <= int(np.count_nonzero(parts[0])) <= high:
        return None
    besides = like & ~grown(parts[0], _BESIDE_CELLS)
    return None if int(np.count_nonzero(besides)) > _BESIDES * pawn.size_px else parts[0]


def _holds(mask: NDArray[np.bool_], place: NDArray[np.float64]) -> bool:
    column, row = np.rint(place).astype(int).tolist()
    height, width = mask.shape
    return 0 <= row < height and 0 <= column < width and bool(mask[row, column])


def _logs(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.log(colours + np.float32(_DARK)), np.float32)


def _is_like(logs: NDArray[np.float32], pawn: Pawn) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(_weighed(logs - pawn.colour.astype(np.float32)), axis=-1) <= _LIKE)


def _weighed(apart: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return differences of colours with a lower weight of brightness, shape (..., 3)."""
    return np.asarray(apart - (1 - _BRIGHTNESS) * apart.mean(axis=-1, keepdims=True))


def _parts(mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Return the connected parts of a mask, without specks and holes, largest first."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(whole)
    order = sorted(range(1, count), key=lambda part: -int(stats[part, cv2.CC_STAT_AREA]))
    return [np.asarray(parts == part) for part in order]


def _core(part: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the inner half of a part: its rim is shaded."""
    depth = cv2.distanceTransform(part.astype(np.uint8), cv2.DIST_L2, 3)
    return np.asarray(depth >= 0.4 * depth.max())
