"""The set for printing at home, as drawn by `companion print game`: its patches and boards."""

from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np

from calibration.cloths import BUTTON_CELLS, TILE, Cloth, Colour, cloth_of, print_places
from companion.games.patchwork import PATCHES
from hardware.simulated.drawing import stitches
from hardware.simulated.drawing.images import Image, Mask, bytes_of
from hardware.simulated.drawing.sprites import CELL_MM, centre_px, print_label, shape_mask, shape_of

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
    stitches.stitch_border(picture, mask, inset_px=1.9 * px_per_mm, pitch_px=2.1 * px_per_mm)
    places = print_places(cells)
    print_label(picture, places, patch.buttons, patch.time)
    for row, column in places[2 : 2 + patch.income]:
        disc, opaque = stitches.button_disc(round(BUTTON_CELLS * CELL_MM * px_per_mm), stitches.BUTTON_BLUE)
        stitches.paste(picture, disc, opaque, centre_px((row, column)))
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


def _bgr(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(each * 255) for each in colour)
    return blue, green, red
