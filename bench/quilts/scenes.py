"""Random pictures of one quilt board, for `vision.quilt`, with their truths.

Boards, cloths, labels and light are random for each, so that the network recognizes a patch by its lying on the board,
not by its print. Many scenes are hard on purpose: patches in the board's colour or texture, stains, stitched lines,
shadows with edges, glare, blur, small cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from bench.pieces.textures import Field, cloth, random_colour
from bench.quilts.boards import draw_board
from bench.quilts.canvas import (
    FINE_PX,
    MARGIN,
    SIDE_PX,
    Affine,
    Mask,
    Scene,
    box_of,
    cast_shadow,
    cells_px,
    moved_by,
)
from bench.quilts.labels import draw_print
from bench.quilts.laying import LEATHER, random_quilt
from bench.quilts.styles import Style, random_style
from companion.games.patchwork.cells import SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bench.quilts.laying import Laid
    from bench.quilts.stamps import Stamps


def draw_scene(rng: np.random.Generator, stamps: Stamps | None = None) -> Scene:
    """Return a random board with a random quilt.

    Args:
        rng: the source of randomness.
        stamps: cut-outs of printed boards and patches to use instead of random prints, or None.
    """
    style = random_style(rng)
    board = draw_board(rng, stamps)
    scene = Scene(board, random_quilt(rng), placed=stamps is None)
    ground = board.copy()
    for laid in rng.permutation(np.arange(len(scene.laid))):
        _lay(scene, rng, style, scene.laid[int(laid)], ground, stamps)
    return scene


def _lay(
    scene: Scene, rng: np.random.Generator, style: Style, laid: Laid, ground: Field, stamps: Stamps | None
) -> None:
    """Draw one piece, slightly displaced from its cells."""
    moved = _moved(rng, style, laid)
    stamp = stamps.patch(rng, laid) if stamps is not None else None
    mask = _outline(rng, laid, moved)
    cast_shadow(scene.picture, mask, (style.lamp[0], style.lamp[1]), rng.uniform(0.8, 3.0), style.shadow)
    here = box_of(mask, 2)
    soft = (mask[here].astype(np.float32) / 255)[..., None]
    if stamp is not None:
        _put_stamp(scene, laid, stamp, moved)
        return
    own = _fabric(rng, style, laid, mask[here], ground, here)
    scene.picture[here] += (own - scene.picture[here]) * soft
    if laid.patch != LEATHER:
        draw_print(scene, rng, style, laid, moved)


def _moved(rng: np.random.Generator, style: Style, laid: Laid) -> Affine:
    """Return a piece's displacement from its cells, as a map of cell space onto itself, shape (2, 3)."""
    middle = laid.cells[:, ::-1].mean(axis=0) + 0.5
    angle = np.radians(rng.normal(0, style.turn))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * (1 + rng.normal(0, 0.006))
    shift = middle - turn @ middle + rng.normal(0, style.slack, 2) + (middle - SIDE / 2) * style.creep
    return np.column_stack([turn, shift])


def _outline(rng: np.random.Generator, laid: Laid, moved: Affine) -> Mask:
    """Return the piece's mask, with slightly rounded corners."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    for row, column in laid.cells:
        square = np.array([[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], np.float64)
        points = np.rint(cells_px(moved_by(moved, square)) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    here = box_of(mask, 6)
    part = cv2.morphologyEx(mask[here], cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    soft = cv2.GaussianBlur(part, (0, 0), float(rng.uniform(0.8, 2.2))).astype(np.float32)
    mask[here] = np.clip((soft - rng.uniform(100, 155)) * 4 + 127, 0, 255).astype(np.uint8)
    return mask


def _fabric(
    rng: np.random.Generator, style: Style, laid: Laid, mask: Mask, ground: Field, here: tuple[slice, slice]
) -> Field:
    """Return a piece's print without label and buttons, with its rim and stitches."""
    own = cloth(rng, mask.shape, FINE_PX)
    if laid.patch == LEATHER:
        own = style.leather * np.float32(rng.uniform(0.8, 1.25)) + np.float32(0.07) * (own - own.mean(axis=(0, 1)))
    elif rng.random() < style.alike:
        own = _alike(rng, own, ground, here)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    own = own * (1 + np.float32(style.edge) * np.clip(1 - depth / np.float32(style.edge_px), 0, 1))[..., None]
    stitched = style.leather_stitched if laid.patch == LEATHER else rng.random() < style.stitch
    if stitched:
        light = own.mean() < 120 if rng.random() < 0.8 else own.mean() > 120
        thread = random_colour(rng) if rng.random() < 0.3 else np.full(3, 215 if light else 55, np.float32)
        y, x = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
        inset, pitch = rng.uniform(2.5, 5.5), int(rng.integers(5, 11))
        dashes = (np.abs(depth - inset) < rng.uniform(0.5, 1.0)) & ((x + y) % pitch < 0.6 * pitch)
        own[dashes] = own[dashes] * 0.3 + 0.7 * thread
    return np.asarray(np.clip(own, 2, 253), np.float32)


def _alike(rng: np.random.Generator, own: Field, ground: Field, here: tuple[slice, slice]) -> Field:
    """Return a cloth in the board's colour or texture."""
    inside = ground[
        round(MARGIN * FINE_PX) : -round(MARGIN * FINE_PX), round(MARGIN * FINE_PX) : -round(MARGIN * FINE_PX)
    ]
    colour = inside.mean(axis=(0, 1)) + rng.normal(0, rng.choice([1.5, 4.0, 9.0]), 3).astype(np.float32)
    kind = rng.random()
    if kind < 0.2:  # the board's texture, without its lines
        calm = cv2.GaussianBlur(ground[here], (0, 0), 3.0)
        fine = own - cv2.GaussianBlur(own, (0, 0), 3.0)
        return np.asarray(calm + np.float32(0.2) * fine + np.float32(rng.normal(0, 4)), np.float32)
    kept = np.float32(rng.choice([0.0, 0.08, 0.2, 0.4]))
    return np.asarray(colour * np.float32(rng.normal(1, 0.04)) + kept * (own - own.mean(axis=(0, 1))), np.float32)


def _put_stamp(scene: Scene, laid: Laid, stamp: NDArray[np.uint8], moved: Affine) -> None:
    """Draw a cut-out, shape (height, width, 4), uint8, with one cell of margin around the patch's bounding box."""
    top, left = laid.cells.min(axis=0) - 1
    at = np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    to_cells = np.array([[1 / FINE_PX, 0, 0.5 / FINE_PX], [0, 1 / FINE_PX, 0.5 / FINE_PX], [0, 0, 1.0]])
    to_px = np.array([[FINE_PX, 0, MARGIN * FINE_PX - 0.5], [0, FINE_PX, MARGIN * FINE_PX - 0.5], [0, 0, 1.0]])
    whole = to_px @ np.vstack([moved, [0, 0, 1]]) @ at @ to_cells
    warped = cv2.warpPerspective(stamp, whole, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA).astype(np.float32)
    scene.picture += (warped[..., :3] - scene.picture) * (warped[..., 3:] / 255)
