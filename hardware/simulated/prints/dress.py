"""The sprite of every item in an evening's prints: our own, other printings, and the set to print at home."""

from functools import cache, lru_cache
from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np

from calibration.cloths import BUTTON_CELLS, TILE, Cloth, cloth_of, print_places
from calibration.mat import Mat, load_mat
from companion.games.patchwork.components import PATCHES, Edition
from hardware.simulated.conditions import Conditions, Dress
from hardware.simulated.drawing import Image, Mask, bytes_of, fabrics, floats_of, sprites
from hardware.simulated.drawing.fabrics import PX_PER_MM
from hardware.simulated.drawing.sprites import (
    BOARD_MM,
    CELL_MM,
    Item,
    Sprite,
    centre_px,
    patch_sprite,
    print_label,
    shape_mask,
    shape_of,
)
from hardware.simulated.prints import boards
from hardware.simulated.prints.boards import BOARD_PX_PER_MM, GROUNDS, Ground, board_picture, random_ground
from hardware.simulated.prints.cloths import Colour, camouflage, cloth, palette
from hardware.simulated.prints.objects import clutter_sprite, hand_sprite
from hardware.simulated.prints.patches import Printing, printed_patch

# Supersampling factor: an inkjet's edges are soft.
_FINE: Final = 3
# OpenCV's fixed point: a sixteenth of a pixel.
_SHIFT: Final = 4
# By seat, the colours (BGR) of the board's ground and of the thread on it.
_GROUNDS: Final = (((230, 227, 222), (189, 173, 158)), ((199, 222, 237), (128, 161, 189)))


def home_patch(patch_id: str, flipped: bool, px_per_mm: float) -> tuple[Image, Mask]:
    """Return a patch from above: its picture and mask, with an empty margin as in `sprites.shape_mask`."""
    cells, patch = shape_of(patch_id, flipped), PATCHES[patch_id]
    mask = shape_mask(cells, px_per_mm)
    picture = _cloth(cloth_of(patch_id), (mask.shape[0], mask.shape[1]), px_per_mm)
    fabrics.stitch_border(picture, mask, inset_px=1.9 * px_per_mm, pitch_px=2.1 * px_per_mm)
    places = print_places(cells)
    print_label(picture, places, patch.buttons, patch.time)
    for row, column in places[2 : 2 + patch.income]:
        disc, opaque = fabrics.button_disc(round(BUTTON_CELLS * CELL_MM * px_per_mm), fabrics.BUTTON_BLUE)
        fabrics.paste(picture, disc, opaque, centre_px((row, column)))
    return picture, mask


def home_board(seat: int, size_mm: float, grid_mm: float, px_per_mm: float) -> Image:
    """Return an empty quilt board, shape (side, side, 3): a pale ground with a grid, and a sewn cross in every cell."""
    ground, thread = _GROUNDS[seat - 1]
    side = round(size_mm * px_per_mm)
    picture = np.full((side, side, 3), [0.9 * each for each in ground], np.uint8)
    first, step = (size_mm - grid_mm) / 2 * px_per_mm, grid_mm / 9 * px_per_mm
    last = first + 9 * step
    cv2.rectangle(picture, (round(first), round(first)), (round(last), round(last)), ground, -1)
    lines = []
    for index in range(10):
        at = first + index * step
        lines += [[(at, first), (at, last)], [(first, at), (last, at)]]
    for row, column in np.ndindex(9, 9):
        x, y, reach = first + (column + 0.5) * step, first + (row + 0.5) * step, 0.13 * step
        lines += [[(x - reach, y - reach * slope), (x + reach, y + reach * slope)] for slope in (1, -1)]
    cv2.polylines(picture, [_fixed(line) for line in lines], False, thread, 1, cv2.LINE_AA, _SHIFT)
    return picture


def _cloth(cloth: Cloth, shape: tuple[int, int], px_per_mm: float) -> Image:
    height, width = shape[0] * _FINE, shape[1] * _FINE
    picture = np.full((height, width, 3), _bgr(cloth.ground), np.uint8)
    unit = CELL_MM * px_per_mm * _FINE * cloth.scale / TILE
    turn = radians(cloth.angle_deg)
    # Enough repeats for any rotation.
    reach = int(np.hypot(height, width) / (unit * TILE)) + 2
    for dye in cloth.prints:
        printed = picture.copy()
        chains = [
            _fixed([_turned(x + right * TILE, y + down * TILE, turn, unit) for x, y in chain])
            for right in range(-reach, reach)
            for down in range(-reach, reach)
            for chain in dye.lines
        ]
        if dye.width:
            weight = max(1, round(dye.width * unit))
            cv2.polylines(printed, chains, False, _bgr(dye.colour), weight, cv2.LINE_AA, _SHIFT)
        else:
            for chain in chains:
                cv2.fillPoly(printed, [chain], _bgr(dye.colour), cv2.LINE_AA, _SHIFT)
        picture = bytes_of(cv2.addWeighted(printed, dye.opacity, picture, 1 - dye.opacity, 0))
    return bytes_of(cv2.resize(picture, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))


def _turned(x: float, y: float, turn: float, unit: float) -> tuple[float, float]:
    return (x * cos(turn) - y * sin(turn)) * unit, (x * sin(turn) + y * cos(turn)) * unit


def _fixed(points: list[tuple[float, float]]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.round(np.array(points) * (1 << _SHIFT)).astype(np.int32)


def _bgr(colour: tuple[float, float, float]) -> tuple[int, int, int]:
    red, green, blue = (round(each * 255) for each in colour)
    return blue, green, red


_SIDE_BGR: Final = (96, 112, 124)
_PRINTINGS: Final = {
    "own": Printing(tags=False, button_mm=10.5, button_bgr=(196.0, 128.0, 42.0), stitched=True),
    "labelled": Printing(tags=False, button_mm=11.0, button_bgr=(206.0, 150.0, 60.0), stitched=True),
    "tagged": Printing(),
}


def dress_for(conditions: Conditions, seed: int, grounds: tuple[int, int]) -> Dress | None:
    """Return the evening's prints; None if all are ours."""
    if conditions.printing == "own" and conditions.camouflage <= 0:
        return None
    return Dress(conditions.printing, seed, conditions.camouflage, grounds)


@lru_cache(maxsize=160)  # two evenings' patches on both faces
def dressed_patch(name: str, flipped: bool, dress: Dress) -> Sprite:
    """Return a patch in this printing."""
    if dress.printing == "home":
        return Sprite(*home_patch(name, flipped, PX_PER_MM), PX_PER_MM, BOARD_MM, _SIDE_BGR)
    rng = _chance(name, dress)
    colours = _colours(rng, dress)
    if colours is None:
        return patch_sprite(name, flipped)
    printing = _PRINTINGS[dress.printing]
    picture, mask = printed_patch(name, shape_of(name, flipped), printing, PX_PER_MM, rng, colours)
    return Sprite(picture, mask, PX_PER_MM, BOARD_MM, _SIDE_BGR)


def patch_cloth(name: str, dress: Dress, px_per_mm: float) -> Image | None:
    """Return the cloth of a patch in this printing, of the size of the unflipped patch.

    Shape (height, width, 3), uint8, BGR; None for our own print, and for the set for printing at home.
    """
    rng = _chance(name, dress)
    colours = None if dress.printing == "home" else _colours(rng, dress)
    if colours is None:
        return None
    rows, columns = (round((max(axis) + 1) * CELL_MM * px_per_mm) for axis in zip(*shape_of(name, False), strict=True))
    return cloth(rng, (rows, columns), px_per_mm, colours)


def _chance(name: str, dress: Dress) -> np.random.Generator:
    # One for each patch, so that its print does not depend on the order of drawing.
    return np.random.default_rng([dress.seed, list(PATCHES).index(name)])


def _colours(rng: np.random.Generator, dress: Dress) -> tuple[Colour, Colour, Colour] | None:
    """Return the colours of a patch's cloth; None if it is our own."""
    hidden = rng.random() < dress.camouflage
    if dress.printing == "own" and not hidden:
        return None
    like = _base(dress, 1 + int(rng.integers(2)))
    return camouflage(rng, like) if hidden else palette(rng)


@lru_cache(maxsize=8)
def dressed_board(seat: int, size_mm: float, grid_mm: float, dress: Dress) -> Sprite:
    """Return an empty quilt board in this printing."""
    if dress.printing == "home":
        picture = home_board(seat, size_mm, grid_mm, BOARD_PX_PER_MM)
    else:
        rng = np.random.default_rng([dress.seed, 100 + seat])
        picture = board_picture(_ground(dress, seat), size_mm, grid_mm, BOARD_PX_PER_MM, rng)
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[1:-1, 1:-1] = 255
    return Sprite(picture, mask, BOARD_PX_PER_MM, BOARD_MM, _SIDE_BGR)


def _ground(dress: Dress, seat: int) -> Ground:
    return random_ground(np.random.default_rng([dress.seed, 200 + seat]))


def _base(dress: Dress, seat: int) -> Colour:
    """Return the colour of a seat's board."""
    if dress.printing != "own":
        return _ground(dress, seat).base
    cloth, second, _, _ = GROUNDS[dress.grounds[seat - 1]]
    return floats_of((np.array(cloth) + np.array(second)) / 2)


TIME_BOARD_BORDERS = ((60, 66, 150), (70, 150, 170), (150, 110, 70))


@cache
def the_mat() -> Mat:
    """Return the mat's geometry, read once."""
    return load_mat()


def sprite_of(item: Item) -> Sprite:
    """Return the sprite of an item; sprites are cached.

    Raises:
        ValueError: there is no such kind of item.
    """
    if item.dress is not None:
        return _dressed(item, item.dress)
    match item.kind:
        case "patch":
            return sprites.patch_sprite(item.name, item.flipped)
        case "leather":
            return sprites.leather_sprite()
        case "disc":
            return sprites.disc_sprite(item.name)
        case "pawn":
            return sprites.pawn_sprite()
        case _:
            return _large_sprite(item.kind, item.name)


def _dressed(item: Item, dress: Dress) -> Sprite:
    """Return a board or a patch of another printing."""
    if item.kind == "board":
        return dressed_board(int(item.name), the_mat().board_size_mm, the_mat().grid_size_mm, dress)
    return dressed_patch(item.name, item.flipped, dress)


@cache
def _large_sprite(kind: str, name: str) -> Sprite:
    match kind:
        case "tile":
            return sprites.tile_sprite(int(name))
        case "mat":
            return boards.mat_sprite(the_mat(), int(name))
        case "board":
            return boards.quilt_board_sprite(int(name), the_mat().board_size_mm, the_mat().grid_size_mm)
        case "time-board":
            edition, border = name.split("/")
            return boards.time_board_sprite(Edition(edition), TIME_BOARD_BORDERS[int(border)])
        case "clutter":
            return clutter_sprite(name)
        case "hand":
            person, side = name.split("/")
            return hand_sprite(int(person), side == "left")
        case _:
            raise ValueError(f"nothing is drawn for {kind!r}")
