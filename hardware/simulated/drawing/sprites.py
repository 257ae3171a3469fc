"""The pieces as flat pictures with an outline, boards that do not lie flat, and items to be drawn at their places.

The height of a piece is painted by `painter`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np

from calibration.cloths import print_places
from companion.games.patchwork.components import PATCHES
from hardware.simulated.conditions import Conditions, Dress
from hardware.simulated.drawing import Image, Mask, Points, Pose, bytes_of, fabrics, floats_of
from hardware.simulated.drawing.fabrics import PX_PER_MM, print_of, woven
from hardware.simulated.drawing.pinhole import Pinhole

ORDINARY: Final = "buttons"
"""The set whose tokens are sewing buttons, blue, green, red and yellow."""
_FINE: Final = 4


@dataclass(frozen=True, slots=True)
class TokenLook:
    """The appearance of a token from above.

    Attributes:
        colour_bgr: of its face.
        diameter_mm: diameter.
        ink_bgr: of its number, and of the line around the face.
    """

    colour_bgr: tuple[int, int, int]
    diameter_mm: float
    ink_bgr: tuple[int, int, int]


_DARK, _PALE = (40, 44, 52), (225, 232, 236)

TOKEN_SETS: Final[Mapping[str, Mapping[int, TokenLook]]] = MappingProxyType(
    {
        "chips": {
            1: TokenLook((214, 222, 226), 18.0, _DARK),
            5: TokenLook((44, 40, 176), 18.0, _PALE),
            10: TokenLook((150, 84, 38), 18.0, _PALE),
            20: TokenLook((52, 46, 44), 18.0, _PALE),
        },
        "wood": {
            1: TokenLook((120, 172, 206), 13.0, _DARK),
            5: TokenLook((120, 172, 206), 16.0, _DARK),
            10: TokenLook((62, 96, 140), 16.0, _PALE),
            20: TokenLook((62, 96, 140), 19.5, _PALE),
        },
        "candy": {
            1: TokenLook((168, 92, 186), 14.0, _PALE),
            5: TokenLook((60, 150, 232), 16.0, _DARK),
            10: TokenLook((150, 190, 80), 18.0, _DARK),
            20: TokenLook((150, 70, 96), 20.0, _PALE),
        },
    }
)
"""The sets by name and value: of one size in four colours, of two woods in two sizes each, and all different."""


def token_disc(look: TokenLook, number: int, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a flat token with its number, seen from above: a square picture and its round mask."""
    side = round(look.diameter_mm * px_per_mm) * _FINE
    picture, centre = np.full((side, side, 3), look.colour_bgr, np.uint8), (side // 2, side // 2)
    cv2.circle(picture, centre, int(side * 0.41), look.ink_bgr, max(1, side // 30), cv2.LINE_AA)
    text, scale, weight = str(number), side / (58 if number < 10 else 76), max(2, side // 22)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = (centre[0] - wide // 2, centre[1] + high // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, look.ink_bgr, weight, cv2.LINE_AA)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, centre, side // 2 - 1, 255, -1)
    size = (side // _FINE, side // _FINE)
    small, opaque = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (picture, mask))
    return bytes_of(small), bytes_of(opaque)


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
    fabrics.stitch_border(picture, mask, inset_px=1.9 * PX_PER_MM, pitch_px=2.1 * PX_PER_MM)
    spots = print_places(cells)
    print_label(picture, spots, patch.buttons, patch.time)
    for spot in _button_spots(spots, patch.income):
        disc, round_mask = fabrics.button_disc(round(10.5 * PX_PER_MM), fabrics.BUTTON_BLUE)
        fabrics.paste(picture, disc, round_mask, centre_px(spot))
    return Sprite(picture, mask, PX_PER_MM, 2.5, (96, 112, 124))


@cache
def leather_sprite() -> Sprite:
    """Return a brown leather patch of one cell, with its seam."""
    mask = shape_mask(((0, 0),), PX_PER_MM)
    plain = np.full((*mask.shape, 3), (34, 52, 88), np.float32)
    picture = woven(plain, seed=77, strength=9.0)
    fabrics.stitch_border(picture, mask, inset_px=1.9 * PX_PER_MM, pitch_px=2.1 * PX_PER_MM)
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
    disc, mask = fabrics.button_disc(round(TOKEN_MM[kind] * PX_PER_MM), colour)
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
    fabrics.stitch_border(picture, mask, inset_px=1.9 * PX_PER_MM, pitch_px=2.1 * PX_PER_MM)
    stamp, opaque = fabrics.title("7x7", PX_PER_MM)
    fabrics.paste(picture, stamp, opaque, (picture.shape[1] / 2, picture.shape[0] / 2))
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


def extent(cells: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the numbers of rows and columns of (row, column) cells, the smallest of which are 0."""
    rows, columns = zip(*cells, strict=True)
    return 1 + max(rows), 1 + max(columns)


def shape_mask(cells: Cells, px_per_mm: float) -> Mask:
    """Return the outline of joined cells with the punch's rounded corners, 255 inside, with an empty rim."""
    rows, columns = extent(cells)
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
    stamp, mask = fabrics.label(cost, time, PX_PER_MM)
    if row != row2:
        stamp, mask = np.ascontiguousarray(np.rot90(stamp)), np.ascontiguousarray(np.rot90(mask))
    # On a patch of two or three cells a button may share the label's far cell: the label is then nearer to the border.
    fabrics.paste(picture, stamp, mask, centre_px(((row + row2) / 2, (column + column2) / 2)))


def _button_spots(spots: list[tuple[int, int]], income: int) -> list[tuple[float, float]]:
    return [(float(row), float(column)) for row, column in spots[2 : 2 + income]]


HALF_MM: Final = 95.5
"""Distance from a board's middle to its edge."""


@dataclass(frozen=True, slots=True)
class Warp:
    """The height of a board's underside above the table, all in board space.

    Attributes:
        slope: millimetres of height for each millimetre in x and in y.
        bow_mm: height of the middle above the plane through the corners.
    """

    slope: tuple[float, float] = (0.0, 0.0)
    bow_mm: float = 0.0

    @property
    def lift_mm(self) -> float:
        """Height of the middle of the plane through the corners: the lowest corner lies on the table."""
        return (abs(self.slope[0]) + abs(self.slope[1])) * HALF_MM

    def bulge_mm(self, points_mm: Points) -> Points:
        """Return the heights of points (n, 2) above the plane through the corners."""
        within = (points_mm / HALF_MM).clip(-1, 1)
        bulge: Points = self.bow_mm * (1 - (within**2).sum(axis=1) / 2)
        return bulge

    def height_mm(self, x_mm: float, y_mm: float) -> float:
        """Return the height of a point above the table."""
        bulge = float(self.bulge_mm(np.array([[x_mm, y_mm]]))[0])
        return self.lift_mm + self.slope[0] * x_mm + self.slope[1] * y_mm + bulge

    def slope_at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return the slope of the board at a point."""
        share = self.bow_mm / HALF_MM**2
        return self.slope[0] - share * x_mm, self.slope[1] - share * y_mm


FLAT: Final = Warp()


def warp_for(conditions: Conditions, rng: np.random.Generator) -> Warp:
    """Return the random warp of one board for these conditions."""
    angle, share, bow = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1), rng.choice([-1, 1]) * rng.uniform(0.6, 1)
    steep = conditions.board_tilt_mm * float(share) / (2 * HALF_MM)
    return Warp((float(steep * np.cos(angle)), float(steep * np.sin(angle))), float(bow) * conditions.board_bow_mm)


def turned(slope: tuple[float, float], ground: Pose) -> tuple[float, float]:
    """Return a slope in the space of an object's ground, given in the object's own space."""
    x, y = ground.matrix[:2, :2] @ np.asarray(slope)
    return float(x), float(y)


def bowed(sprite: Sprite, pose: Pose, warp: Warp, camera: Pinhole) -> Sprite:
    """Return a flat board's sprite distorted so that it looks like the bowed one.

    Args:
        sprite: of the flat board.
        pose: in table space.
        warp: of the board.
        camera: the camera.
    """
    height, width = sprite.mask.shape
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    board_mm = (pixels - middle) / sprite.px_per_mm
    away_mm = pose.place(board_mm) - np.asarray(camera.centre_mm[:2])
    shift_mm = away_mm * (warp.bulge_mm(board_mm) / camera.centre_mm[2])[:, None]
    # A bulge towards the camera moves points outwards: each pixel shows a point nearer to the middle.
    seen = pixels - (shift_mm @ pose.matrix[:2, :2]) * sprite.px_per_mm
    x, y = (floats_of(axis.reshape(height, width)) for axis in seen.T)
    picture, mask = (bytes_of(cv2.remap(layer, x, y, cv2.INTER_LINEAR)) for layer in (sprite.picture, sprite.mask))
    return Sprite(picture, mask, sprite.px_per_mm, sprite.thick_mm, sprite.side_bgr)


BOARD_MM: Final = 2.5
"""Thickness of the cardboard of boards and patches."""


@dataclass(frozen=True, slots=True)
class Item:
    """An object to be drawn; equal items look equal.

    Attributes:
        kind: "patch", "leather", "disc", "pawn", "tile", "mat", "board", "time-board", "clutter" or "hand".
        name: name within its kind.
        pose: in table space.
        z_mm: height of its underside above the table.
        flipped: only for patches.
        dress: print of a patch or a board; None for ours.
        slope: rise of its underside from the middle, per millimetre of table space in x and in y.
        warp: warp of a bowed board, in board space.
    """

    kind: str
    name: str
    pose: Pose
    z_mm: float = 0.0
    flipped: bool = False
    dress: Dress | None = None
    slope: tuple[float, float] = (0.0, 0.0)
    warp: Warp | None = None
