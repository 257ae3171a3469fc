"""The pieces as flat pictures with an outline: patches, leather, tokens. Their height is painted by `painter`."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from calibration.cloths import print_places
from companion.games.patchwork import PATCHES
from hardware.simulated.drawing import stitches
from hardware.simulated.drawing.fabrics import PX_PER_MM, print_of, woven
from hardware.simulated.drawing.images import Image, Mask
from hardware.simulated.drawing.token_sets import TOKEN_SETS, token_disc

Cells = tuple[tuple[int, int], ...]

CELL_MM: Final = 181.0 / 9
GAP_MM: Final = 0.35
"""Gap between patches: they are punched a little smaller than their cells, or a full row would not fit."""
RIM_PX: Final = 2
"""Empty margin around every sprite, in pixels, so that its outline stays smooth when warped."""

TOKEN_COLOURS: Final = {
    "button1": (205, 138, 40),
    "button5": (70, 132, 60),
    "button10": (58, 48, 190),
    "button20": (40, 168, 214),
    "token1": (60, 190, 225),
    "token2": (70, 140, 60),
}
TOKEN_MM: Final = {"button1": 14.0, "button5": 16.0, "button10": 18.5, "button20": 20.5, "token1": 16.0, "token2": 16.0}
COIN_MM: Final = 2.4
"""The height of a button token."""
TILE_MM: Final = (40.0, 34.0)
"""Width and height of the 7x7 tile."""


# By identity: arrays cannot be compared as a whole, and caches need a quick key.
@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A piece seen from above.

    Attributes:
        picture: (height, width, 3), uint8.
        mask: (height, width), uint8, 255 inside the piece.
        px_per_mm: resolution of both.
        thick_mm: height of its top above its underside.
        side_bgr: colour of its cut edge.
    """

    picture: Image
    mask: Mask
    px_per_mm: float
    thick_mm: float
    side_bgr: tuple[int, int, int]


@cache
def patch_sprite(patch_id: str, flipped: bool) -> Sprite:
    """Return a patch as oriented in the box, or flipped; the centre of its bounding box is the sprite's centre."""
    cells = shape_of(patch_id, flipped)
    patch = PATCHES[patch_id]
    mask = shape_mask(cells, PX_PER_MM)
    side = max(mask.shape)
    picture = print_of(patch_id, side)[: mask.shape[0], : mask.shape[1]].copy()
    stitches.stitch_border(picture, mask, inset_px=1.9 * PX_PER_MM, pitch_px=2.1 * PX_PER_MM)
    spots = print_places(cells)
    print_label(picture, spots, patch.buttons, patch.time)
    for spot in _button_spots(spots, patch.income):
        disc, round_mask = stitches.button_disc(round(10.5 * PX_PER_MM), stitches.BUTTON_BLUE)
        stitches.paste(picture, disc, round_mask, centre_px(spot))
    return Sprite(picture, mask, PX_PER_MM, 2.5, (96, 112, 124))


@cache
def leather_sprite() -> Sprite:
    """Return a brown leather patch of one cell, with its seam."""
    mask = shape_mask(((0, 0),), PX_PER_MM)
    plain = np.full((*mask.shape, 3), (34, 52, 88), np.float32)
    picture = woven(plain, seed=77, strength=9.0)
    stitches.stitch_border(picture, mask, inset_px=1.9 * PX_PER_MM, pitch_px=2.1 * PX_PER_MM)
    return Sprite(picture, mask, PX_PER_MM, 2.5, (30, 42, 66))


@cache
def disc_sprite(kind: str) -> Sprite:
    """Return a round piece: one of `TOKEN_COLOURS`, or a value of another set, such as "wood/5".

    Raises:
        KeyError: there is no such piece.
    """
    if "/" in kind:
        return _token_of(*kind.split("/"))
    colour = TOKEN_COLOURS[kind]
    disc, mask = stitches.button_disc(round(TOKEN_MM[kind] * PX_PER_MM), colour)
    side = tuple(int(channel * 0.6) for channel in colour)
    thick_mm = 5.0 if kind.startswith("token") else COIN_MM
    return Sprite(_rimmed(disc), _rimmed(mask), PX_PER_MM, thick_mm, (side[0], side[1], side[2]))


def _token_of(name: str, value: str) -> Sprite:
    look = TOKEN_SETS[name][int(value)]
    disc, mask = token_disc(look, int(value), PX_PER_MM)
    blue, green, red = (int(channel * 0.6) for channel in look.colour_bgr)
    return Sprite(_rimmed(disc), _rimmed(mask), PX_PER_MM, COIN_MM, (blue, green, red))


@cache
def tile_sprite(look: int) -> Sprite:
    """Return the 7x7 tile: with a different cloth for each look, a seam, and its name on a label."""
    width, height = (round(side * PX_PER_MM) for side in TILE_MM)
    picture = print_of(list(PATCHES)[look % len(PATCHES)], width)[:height, :width].copy()
    mask = _rimmed(np.full((height, width), 255, np.uint8))
    picture = _rimmed(picture)
    stitches.stitch_border(picture, mask, inset_px=1.9 * PX_PER_MM, pitch_px=2.1 * PX_PER_MM)
    stamp, opaque = stitches.title("7x7", PX_PER_MM)
    stitches.paste(picture, stamp, opaque, (picture.shape[1] / 2, picture.shape[0] / 2))
    return Sprite(picture, mask, PX_PER_MM, 2.5, (96, 112, 124))


@cache
def pawn_sprite() -> Sprite:
    """Return the neutral token: a turned piece of wood from above."""
    side = round(13 * PX_PER_MM)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    radius = np.hypot(x - side / 2, y - side / 2) / (side / 2)
    light = 0.75 + 0.3 * np.sqrt(np.clip(1 - radius**2, 0, 1)) - 0.15 * (np.abs(radius - 0.62) < 0.08)
    picture = np.clip(np.array([92, 150, 196]) * light[..., None], 0, 255).astype(np.uint8)
    mask = ((radius < 0.96) * 255).astype(np.uint8)
    return Sprite(_rimmed(picture), _rimmed(mask), PX_PER_MM, 18.0, (60, 104, 146))


def shape_of(patch_id: str, flipped: bool) -> Cells:
    """Return the (row, column) cells of a patch as oriented in the box, or flipped left to right.

    The smallest row and column are 0.
    """
    cells = PATCHES[patch_id].cells
    if flipped:
        wide = max(column for _, column in cells)
        cells = tuple(sorted((row, wide - column) for row, column in cells))
    return cells


def shape_mask(cells: Cells, px_per_mm: float) -> Mask:
    """Return the outline of joined cells with the punch's rounded corners, 255 inside, with an empty rim."""
    rows, columns = 1 + max(row for row, _ in cells), 1 + max(column for _, column in cells)
    # Supersampling factor, for a smooth outline.
    fine = 2
    pitch, gap = CELL_MM * px_per_mm * fine, GAP_MM / 2 * px_per_mm * fine
    drawn = np.zeros((round(rows * pitch), round(columns * pitch)), np.uint8)
    for row, column in cells:
        top, left = round(row * pitch), round(column * pitch)
        drawn[top : round((row + 1) * pitch), left : round((column + 1) * pitch)] = 255
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(gap) + 1, 2 * round(gap) + 1))
    # OpenCV does not erode from the picture's border.
    bordered = cv2.copyMakeBorder(drawn, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=0)
    drawn = cv2.erode(bordered, kernel)[4:-4, 4:-4].astype(np.uint8)
    # A threshold after a blur rounds the corners.
    drawn = cv2.threshold(cv2.GaussianBlur(drawn, (0, 0), 1.6 * fine), 127, 255, cv2.THRESH_BINARY)[1].astype(np.uint8)
    size = (round(columns * pitch / fine), round(rows * pitch / fine))
    return _rimmed(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA).astype(np.uint8))


def _rimmed(image: Image) -> Image:
    border = cv2.copyMakeBorder(image, RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    return border.astype(np.uint8, copy=False)


def centre_px(spot: tuple[float, float]) -> tuple[float, float]:
    """Return the centre of a (row, column) spot, in cells, as (x, y) on the sprite."""
    return (
        (spot[1] + 0.5) * CELL_MM * PX_PER_MM + RIM_PX,
        (spot[0] + 0.5) * CELL_MM * PX_PER_MM + RIM_PX,
    )


def print_label(picture: Image, spots: list[tuple[int, int]], cost: int, time: int) -> None:
    """Print a label onto a picture at `PX_PER_MM`, in place, across the first two of the spots."""
    (row, column), (row2, column2) = spots[:2]
    stamp, mask = stitches.label(cost, time, PX_PER_MM)
    if row != row2:
        stamp, mask = np.ascontiguousarray(np.rot90(stamp)), np.ascontiguousarray(np.rot90(mask))
    # On a patch of two or three cells a button may share the label's far cell: the label is then nearer to the border.
    stitches.paste(picture, stamp, mask, centre_px(((row + row2) / 2, (column + column2) / 2)))


def _button_spots(spots: list[tuple[int, int]], income: int) -> list[tuple[float, float]]:
    return [(float(row), float(column)) for row, column in spots[2 : 2 + income]]
