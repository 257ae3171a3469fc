"""Patches of random printings: a printing has one kind of button and label, and a different cloth for every patch."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.games.patchwork.components import PATCHES
from hardware.simulated.drawing import Image, Mask, bytes_of, clipped, fabrics, floats_of
from hardware.simulated.drawing.sprites import CELL_MM, RIM_PX, Cells, shape_mask
from hardware.simulated.prints.cloths import Colour, cloth

# Supersampling factor of stamps.
_FINE = 3


def large_button(diameter_px: int, bgr: tuple[float, float, float], rng: np.random.Generator) -> tuple[Image, Mask]:
    """Return a moulded button lit from the upper left: a square picture and its round mask.

    Args:
        diameter_px: of the button.
        bgr: its colour in full light.
        rng: source of its rotation and its number of holes, two or four.
    """
    side = diameter_px * _FINE
    axis = (np.arange(side, dtype=np.float32) + 0.5) / side * 2 - 1
    x, y = np.meshgrid(axis, axis)
    radius = np.hypot(x, y)
    # A raised rim around a dish: the slope towards the light is brighter, the slope away from it darker.
    slope = np.clip((radius - 0.62) * 7, -1, 1) * (radius < 0.96)
    light = 0.88 - 0.22 * slope * (x + y) / np.maximum(radius, 0.05) * (radius > 0.35)
    light -= 0.35 * np.exp(-(((radius - 0.66) / 0.05) ** 2)) + 0.3 * np.clip(radius - 0.88, 0, 1) * 8
    turn, holes = float(rng.uniform(0, np.pi)), int(rng.choice([2, 4]))
    for index in range(holes):
        angle = turn + 2 * np.pi * index / holes
        hole = np.hypot(x - 0.2 * np.cos(angle), y - 0.2 * np.sin(angle))
        light -= 0.6 * np.clip((0.1 - hole) * 30, 0, 1)
    picture = clipped(floats_of(bgr) * np.clip(light, 0.1, 1.4)[..., None])
    mask = clipped((0.985 - radius) * side * 127)
    return fabrics.shrunk(picture, (diameter_px, diameter_px)), fabrics.shrunk(mask, (diameter_px, diameter_px))


def paper_tag(length_px: int, height_px: int, cost: int, time: int, rng: np.random.Generator) -> tuple[Image, Mask]:
    """Return a paper tag with a hole, the cost beside a button, and the time beside an hourglass.

    Args:
        length_px: of the tag.
        height_px: of the tag.
        cost: buttons that the patch costs.
        time: spaces that it costs.
        rng: source of the paper's shade, its cut and the writing.

    Returns:
        Picture and mask.
    """
    width, height = length_px * _FINE, height_px * _FINE
    paper = floats_of((190, 222, 232)) * np.float32(rng.uniform(0.82, 1.06)) + floats_of(rng.normal(0, 4, 3))
    fade = np.linspace(float(rng.uniform(0.84, 1)), 1, width, dtype=np.float32)[None, :, None]
    picture = clipped(np.broadcast_to(paper * fade, (height, width, 3)).copy())
    mask = np.zeros((height, width), np.uint8)
    cut = int(height * rng.uniform(0.15, 0.4))
    corners = [(cut, 1), (width - 2, 1), (width - 2, height - 2), (cut, height - 2), (1, height - cut), (1, cut)]
    cv2.fillPoly(mask, [np.array(corners, np.int32)], 255)
    cv2.polylines(picture, [np.array(corners, np.int32)], True, (110, 140, 150), max(1, height // 28), cv2.LINE_AA)
    cv2.circle(picture, (int(height * 0.25), height // 2), max(1, height // 11), (40, 48, 56), -1, cv2.LINE_AA)
    blue = (float(rng.uniform(150, 200)), float(rng.uniform(95, 130)), float(rng.uniform(20, 60)))
    _figures(picture, str(cost), 0.3, blue)
    cv2.circle(picture, (int(width * 0.5), height // 2), int(height * 0.2), blue, max(1, height // 14), cv2.LINE_AA)
    _figures(picture, str(time), 0.72, (36, 44, 60))
    _hourglass(picture, int(width * 0.88))
    size = (length_px, height_px)
    return fabrics.shrunk(picture, size), fabrics.shrunk(mask, size)


def _figures(picture: Image, text: str, along: float, bgr: tuple[float, float, float]) -> None:
    height, width = picture.shape[:2]
    scale, weight = height / 44, max(1, height // 13)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = (int(width * along - wide / 2), (height + high) // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, bgr, weight, cv2.LINE_AA)


def _hourglass(picture: Image, x: int) -> None:
    middle, half = picture.shape[0] // 2, int(picture.shape[0] * 0.3)
    wide = half * 3 // 4
    for end in (-1, 1):
        glass = np.array([[x - wide, middle + end * half], [x + wide, middle + end * half], [x, middle]], np.int32)
        cv2.fillPoly(picture, [glass], (36, 44, 60), cv2.LINE_AA)


_TAG_SHADOW_MM: Final = (1.0, 1.3)


@dataclass(frozen=True, slots=True)
class Printing:
    """The common features of one printing's patches.

    Attributes:
        tags: whether there are slanted paper tags, as opposed to straight rounded labels.
        tag_tilt_deg: of a tag, one sigma.
        tag_shadow: darkness of the shadow printed beside a tag, 0..1.
        button_mm: diameter of the printed buttons.
        button_bgr: their colour.
        stitched: whether there is a seam inside the rim.
        worn_rim: darkening (above 0) or fading of the print along the rim.
    """

    tags: bool = True
    tag_tilt_deg: float = 5.0
    tag_shadow: float = 0.75
    button_mm: float = 14.0
    button_bgr: tuple[float, float, float] = (226.0, 148.0, 30.0)
    stitched: bool = False
    worn_rim: float = 0.15


def printed_patch(
    patch_id: str,
    cells: Cells,
    printing: Printing,
    px_per_mm: float,
    rng: np.random.Generator,
    colours: tuple[Colour, Colour, Colour] | None = None,
) -> tuple[Image, Mask]:
    """Return a patch from above: its picture and mask, with an empty margin as in `sprites.shape_mask`.

    Args:
        patch_id: a patch's id.
        cells: its (row, column) cells in its orientation, smallest row and column 0.
        printing: its printing.
        px_per_mm: of the picture.
        rng: source of the cloth and of the places of buttons and tag.
        colours: colours of the cloth; None for random ones.
    """
    patch = PATCHES[patch_id]
    mask = shape_mask(cells, px_per_mm)
    # The first draws from `rng` are for the cloth, as in `dress.patch_cloth`.
    picture = cloth(rng, (mask.shape[0], mask.shape[1]), px_per_mm, colours)
    _wear_rim(picture, mask, printing.worn_rim, px_per_mm)
    if printing.stitched:
        fabrics.stitch_border(picture, mask, inset_px=1.9 * px_per_mm, pitch_px=2.1 * px_per_mm)
    spots = _spots(cells, rng)
    _print_label(picture, spots, (patch.buttons, patch.time), printing, px_per_mm, rng)
    # On a patch of two cells, a button shares a cell with the label.
    for row, column in spots[2:][: patch.income] or spots[1:][: patch.income]:
        disc, opaque = large_button(round(printing.button_mm * px_per_mm), printing.button_bgr, rng)
        dx, dy = rng.normal(0, 0.04, 2)
        at = _centre_px(row + float(dy), column + float(dx), px_per_mm)
        _shade(picture, opaque, (at[0] + 0.5 * px_per_mm, at[1] + 0.6 * px_per_mm), 0.4)
        fabrics.paste(picture, disc, opaque, at)
    return picture, mask


def _wear_rim(picture: Image, mask: Mask, strength: float, px_per_mm: float) -> None:
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / px_per_mm
    near = np.clip(1 - depth / 1.2, 0, 1)[..., None]
    picture[:] = clipped(picture * (1 - strength * near))


def _spots(cells: Cells, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return the cells in the order of printing: a pair of neighbours for the label first."""
    pairs = [(a, b) for a in cells for b in ((a[0], a[1] + 1), (a[0] + 1, a[1])) if b in cells]
    first, second = pairs[int(rng.integers(len(pairs)))]
    others = [cell for cell in cells if cell not in (first, second)]
    return [first, second, *(others[int(index)] for index in rng.permutation(len(others)))]


def _print_label(
    picture: Image,
    spots: list[tuple[int, int]],
    costs: tuple[int, int],
    printing: Printing,
    px_per_mm: float,
    rng: np.random.Generator,
) -> None:
    (row, column), (row2, column2) = spots[:2]
    at = _centre_px((row + row2) / 2, (column + column2) / 2, px_per_mm)
    upright = 90.0 * int(rng.choice([1, 3])) if row != row2 else float(rng.choice([0, 180]))
    if not printing.tags:
        stamp, opaque = fabrics.label(*costs, px_per_mm)
        fabrics.paste(picture, *_turned(stamp, opaque, upright), at)
        return
    length = round(CELL_MM * px_per_mm * float(rng.uniform(1.3, 1.5)))
    height = round(CELL_MM * px_per_mm * float(rng.uniform(0.48, 0.56)))
    stamp, opaque = paper_tag(length, height, *costs, rng)
    turn = upright + float(rng.normal(0, printing.tag_tilt_deg))
    _, shadow = _turned(stamp, opaque, turn)
    offset = [each * px_per_mm for each in _TAG_SHADOW_MM]
    _shade(picture, shadow, (at[0] + offset[0], at[1] + offset[1]), printing.tag_shadow)
    fabrics.paste(picture, *_turned(stamp, opaque, turn), at)


def _shade(picture: Image, outline: Mask, centre_px: tuple[float, float], depth: float) -> None:
    """Print a dark shape with an opacity of `depth`."""
    if depth > 0:
        dark = np.full((*outline.shape, 3), 34, np.uint8)
        fabrics.paste(picture, dark, bytes_of(cv2.convertScaleAbs(outline, alpha=depth)), centre_px)


def _turned(stamp: Image, opaque: Mask, degrees: float) -> tuple[Image, Mask]:
    """Return a stamp rotated clockwise, on a canvas enlarged for it."""
    height, width = opaque.shape
    side = int(np.ceil(np.hypot(width, height)))
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
    turn[:, 2] += ((side - width) / 2, (side - height) / 2)
    picture, mask = (bytes_of(cv2.warpAffine(layer, turn, (side, side))) for layer in (stamp, opaque))
    return picture, mask


def _centre_px(row: float, column: float, px_per_mm: float) -> tuple[float, float]:
    """Return the middle of a (row, column) spot, in cells, as (x, y) on the picture."""
    return (column + 0.5) * CELL_MM * px_per_mm + RIM_PX, (row + 0.5) * CELL_MM * px_per_mm + RIM_PX
